/** What is rarely meant in a plan. */
import { expect, test } from "vitest";
import { addRisks, findLost, findMany } from "../../src/core/risks.ts";
import { planChange, type Step } from "../../src/core/step.ts";
import { desiredCourse, ID, remoteCourse } from "./plans.ts";

type Fields = Readonly<Record<string, unknown>>;
const update = (now: Fields, old: Fields): Step =>
  planChange(desiredCourse({ id: ID, ...now }), remoteCourse(old));
const lostIn = (step: Step) => findLost([step]).map(({ problem }) => problem.path);
const risksOf = (now: Fields, old: Fields) =>
  (addRisks([update(now, old)])[0]?.risks ?? []).map(
    ({ kind, path }) => `${kind} ${path.join(".")}`,
  );

const price = (amount: string | null, currency = "EUR", type = "single_course") => ({
  type,
  price: amount,
  currency,
});
const LONG = "x".repeat(60);
const HOST = "https://a.example/1";
const DOLLARS = price("5", "USD");
const PRICES = { prices: [price("10"), DOLLARS] };
const PAID = { certificate: { type: "paid", price: "49", currency: "EUR" } };

test.each<[what: string, now: Fields, old: Fields, risks: string[]]>([
  ["publishing", { published: true }, { published: false }, []],
  ["the same host with www.", { url: "https://www.a.example/1" }, { url: HOST }, []],
  ["another page", { url: "https://a.example/2" }, { url: HOST }, []],
  ["a text of 60 characters that is emptied", { name: "" }, { name: LONG }, ["text name"]],
  ["a text that is cut to a third", { name: LONG.slice(40) }, { name: LONG }, ["text name"]],
  ["a text that is cut by less", { name: LONG.slice(39) }, { name: LONG }, []],
  ["a text of 59 characters that is emptied", { name: "" }, { name: LONG.slice(1) }, []],
  ["a text that is null", { name: null }, { name: LONG }, ["text name"]],
  ["an amount that is lost", { prices: [price(null), DOLLARS] }, PRICES, ["amount prices.0.price"]],
  ["a price that is removed", { prices: [DOLLARS] }, PRICES, ["amount prices.0.price"]],
  ["no prices", { prices: null }, PRICES, ["amount prices.0.price", "amount prices.1.price"]],
  ["a total", { prices: [{ ...price(null), total_price: "10" }, DOLLARS] }, PRICES, []],
  ["no certificate", { certificate: null }, PAID, ["amount certificate.price"]],
  ["a free certificate", { certificate: { type: "free" } }, PAID, ["amount certificate.price"]],
])("the risks of a change to %s are found", (_, now, old, expected) => {
  expect(risksOf(now, old)).toEqual(expected);
});

test.each([
  ["doubled", "20", "10", true],
  ["halved", "10.00", "20", true],
  ["almost doubled", "19.99", "10", false],
  ["to zero", "0", "10", true],
  ["from zero", "10", "0", true],
  ["in another notation", "10.0", "10", false],
])("an amount that is %s", (_, now, old, isRisk) => {
  for (const [path, make] of [
    ["prices.0.price", (amount: string) => ({ prices: [price(amount)] })],
    [
      "prices.0.total_price",
      (amount: string) => ({ prices: [{ ...DOLLARS, total_price: amount }] }),
    ],
    [
      "certificate.price",
      (amount: string) => ({ certificate: { ...PAID.certificate, price: amount } }),
    ],
  ] as const) {
    expect(risksOf(make(now), make(old))).toEqual(isRisk ? [`amount ${path}`] : []);
  }
});

test("prices are paired by amount, then by type, plan and currency, the others by position", () => {
  const old = [price("10"), price("40", "USD"), price("5", "EUR", "subscription")];
  const compare = (...prices: readonly object[]) => risksOf({ prices }, { prices: old });
  expect(compare(...old.toReversed())).toEqual([]);
  expect(compare(price("99"), price("10.00"), ...old.slice(1))).toEqual([]);
  const moved = [price("9", "EUR", "subscription"), price("40", "USD")];
  expect(compare(...moved, price("15"))).toEqual([]);
  expect(compare(...moved, price("30"))).toEqual(["amount prices.2.price"]);
  expect(compare(price("10", "GBP"), ...old.slice(1))).toEqual(["currency prices.0.currency"]);
});

test.each([
  [21, 41, true],
  [21, 42, false],
  [20, 20, false],
])("%i of %i courses with a change in one field are many: %s", (count, courses, isMany) => {
  const steps = Array.from({ length: count }, () => update({ name: "B" }, { name: "A" }));
  expect(findMany(steps, courses)).toEqual(isMany ? { field: "name", count } : undefined);
});

test.each([
  ["Käse über alles", "K?se ?ber alles", true],
  ["エクセル入門 第9回", "?????? ?9?", true],
  ["𠮷野", "???", true],
  ["“Käse”", "?K?se?", true],
  ["Warum – darum", "Warum ? darum", false],
  ["Käse über alles", "K?se ?ber vieles", false],
  ["Kase", "K?se", false],
  ["Käse", "Kase", false],
])(
  "letters outside of ASCII that became question marks are lost: %s → %s (%s)",
  (old, now, isLost) => {
    const step = update({ name: now }, { name: old });
    expect(lostIn(step)).toEqual(isLost ? [["name"]] : []);
    const nested = update({ syllabus: [{ title: now }] }, { syllabus: [{ title: old }] });
    expect(lostIn(nested)).toEqual(isLost ? [["syllabus", 0, "title"]] : []);
  },
);
