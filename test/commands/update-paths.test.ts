import { expect, test } from "vitest";
import {
  courseRequests,
  id,
  PATCH,
  PRICES,
  requestsOf,
  rigWithCourse,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

const READ = `GET /developer/v1/courses?id=${id(1)}`;

test("update --set with a path reads the course first and sends the complete top-level field", async () => {
  const r = await rigWithCourse();
  const ran = await r.run([..."courses update".split(" "), id(1), "--set", 'prices[1].price="25"']);
  expect([ran.code, courseRequests(ran)]).toEqual([0, [READ, PATCH]]);
  expect(await storedCourses(r)).toMatchObject([
    { prices: [PRICES[0], { ...PRICES[1], price: "25" }] },
  ]);
});

test("update --unset removes a part of a field, and --set adds a key or an element", async () => {
  const r = await rigWithCourse();
  const words = ["--set", "certificate.type=free", "--unset", "prices[0]"];
  const more = ["--set", 'prices[2]={"type":"single_course","price":"3","currency":"EUR"}'];
  const ran = await r.run(["courses", "update", id(1), ...words, ...more]);
  expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([0, [PATCH]]);
  expect(await storedCourses(r)).toMatchObject([
    { certificate: { type: "free" }, prices: [PRICES[1], { price: "3", currency: "EUR" }] },
  ]);
});

test("update --unset reads indexes as positions in the original list", async () => {
  const r = await rigWithCourse();
  const words = ["--unset", "prices[0]", "--unset", "prices[1]"];
  await r.run(`courses update ${id(1)} --set prices[2]=${JSON.stringify(PRICES[0])}`);
  await r.run(["courses", "update", id(1), ...words]);
  expect(await storedCourses(r)).toMatchObject([{ prices: [PRICES[0]] }]);
});

test.each([
  ["--set name", ["--name", "A", "--set", "name=B"]],
  ["--set prices[0].price", ["--set", "prices[0].price=80", "--unset", "prices[0]"]],
  ["--set level", ["--unset", "level", "--set", "level=beginner"]],
  ["--set provider", ["--set", "provider=example-academy", "--set", `provider_id=${id(1)}`]],
])(
  "update refuses two flags of which one would have no effect: %s and another one",
  async (flag, words) => {
    const ran = await (await rigWithCourse()).run(["courses", "update", id(1), ...words]);
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toMatch(/ cannot be combined with /);
    expect(ran.stderr).toContain(flag);
  },
);

test.each([
  ["--set", "prices[1].price=25", 0],
  ["--unset", "prices[1].type", 2],
])(
  "update refuses only new errors, not an error that the course already had: %s %s",
  async (flag, value, code) => {
    const r = await rigWithCourse();
    const [first] = await storedCourses(r);
    const prices = [{ ...PRICES[0], currency: "XXQ" }, PRICES[1]];
    const body = JSON.stringify([{ ...first, prices }]);
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "GET" ? { status: 200, body } : { status: 204 },
    );
    const ran = await r.run(["courses", "update", id(1), flag, value], { environment });
    expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([code, code === 0 ? [PATCH] : []]);
  },
);
