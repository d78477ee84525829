/** What is rarely meant in a plan. */
import { expect, test } from "vitest";
import { addRisks, findLost, findMany } from "../../src/core/risks.ts";
import { planChange, type Step } from "../../src/core/step.ts";
import { desiredCourse, ID, remoteCourse } from "./plans.ts";

type Fields = Readonly<Record<string, unknown>>;
const update = (now: Fields, old: Fields): Step =>
  planChange(desiredCourse({ id: ID, ...now }), remoteCourse(old));
const lostIn = (step: Step) => findLost([step]).map(({ problem }) => problem.path);
const risksOf = (step: Step) =>
  (addRisks([step])[0]?.risks ?? []).map(({ kind, path }) => [kind, path.join(".")]);

const price = (amount: string | null, currency = "EUR", type = "single_course") => ({
  type,
  price: amount,
  currency,
});
const LONG = "x".repeat(60);

test.each<[string, Fields, Fields, string[][]]>([
  ["unpublishing", { published: false }, { published: true }, [["unpublish", "published"]]],
  ["publishing", { published: true }, { published: false }, []],
  [
    "another host",
    { url: "https://b.example/1" },
    { url: "https://a.example/1" },
    [["host", "url"]],
  ],
  [
    "the same host with www.",
    { url: "https://www.a.example/1" },
    { url: "https://a.example/1" },
    [],
  ],
  ["another page", { url: "https://a.example/2" }, { url: "https://a.example/1" }, []],
  ["a text of 60 characters that is emptied", { name: "" }, { name: LONG }, [["text", "name"]]],
  ["a text that is cut to a third", { name: LONG.slice(40) }, { name: LONG }, [["text", "name"]]],
  ["a text that is cut by less", { name: LONG.slice(39) }, { name: LONG }, []],
  ["a text of 59 characters that is emptied", { name: "" }, { name: LONG.slice(1) }, []],
  [
    "a text that is null",
    { long_description: null },
    { long_description: LONG },
    [["text", "long_description"]],
  ],
])("%s", (_, now, old, expected) => {
  expect(risksOf(update(now, old))).toEqual(expected);
});

test.each([
  ["doubled", "20", "10", true],
  ["halved", "10.00", "20", true],
  ["almost doubled", "19.99", "10", false],
  ["to zero", "0", "10", true],
  ["from zero", "10", "0", true],
  ["in another notation", "10.0", "10", false],
])("an amount that is %s", (_, now, old, isRisk) => {
  const inPrices = update({ prices: [price(now)] }, { prices: [price(old)] });
  expect(risksOf(inPrices)).toEqual(isRisk ? [["amount", "prices.0.price"]] : []);
  const inTotal = (total_price: string) => ({ prices: [{ ...price(null), total_price }] });
  const total = update(inTotal(now), inTotal(old));
  expect(risksOf(total)).toEqual(isRisk ? [["amount", "prices.0.total_price"]] : []);
  const certificate = (amount: string) => ({ type: "paid", price: amount, currency: "EUR" });
  const paid = update({ certificate: certificate(now) }, { certificate: certificate(old) });
  expect(risksOf(paid)).toEqual(isRisk ? [["amount", "certificate.price"]] : []);
});

test.each([
  ["loses its amount", [price(null), price("5", "USD")], [["amount", "prices.0.price"]]],
  ["is removed", [price("5", "USD")], [["amount", "prices.0.price"]]],
  [
    "is removed with all prices",
    null,
    [
      ["amount", "prices.0.price"],
      ["amount", "prices.1.price"],
    ],
  ],
  ["gets a total instead", [{ ...price(null), total_price: "10" }, price("5", "USD")], []],
])("a price that %s", (_, prices, expected) => {
  const old = [price("10"), price("5", "USD")];
  expect(risksOf(update({ prices }, { prices: old }))).toEqual(expected);
});

test.each([null, { type: "free" }])("the price of a certificate that becomes %j", (now) => {
  const paid = { type: "paid", price: "49", currency: "EUR" };
  const step = update({ certificate: now }, { certificate: paid });
  expect(risksOf(step)).toEqual([["amount", "certificate.price"]]);
});

test("prices are paired by amount, then by type, plan and currency, the others by position", () => {
  const old = [price("10"), price("40", "USD"), price("5", "EUR", "subscription")];
  expect(risksOf(update({ prices: [...old].reverse() }, { prices: old }))).toEqual([]);
  const monthly = { currency: "EUR", type: "single_course", price: "10" };
  expect(risksOf(update({ prices: [price("99"), price("10.00")] }, { prices: [monthly] }))).toEqual(
    [],
  );
  const moved = [price("9", "EUR", "subscription"), price("40", "USD"), price("30")];
  expect(risksOf(update({ prices: moved }, { prices: old }))).toEqual([
    ["amount", "prices.2.price"],
  ]);
  expect(risksOf(update({ prices: [price("10", "GBP")] }, { prices: [price("10")] }))).toEqual([
    ["currency", "prices.0.currency"],
  ]);
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
