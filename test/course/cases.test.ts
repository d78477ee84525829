/** The checker and the sandbox must agree about every case of test/cases.ts. */
import { expect, test } from "vitest";
import { checkCourse } from "../../src/course/check.ts";
import type { Problem } from "../../src/course/problem.ts";
import { DEFAULT_KEY, defaultSeed } from "../../src/sandbox/seed.ts";
import { memoryStore } from "../../src/sandbox/store.ts";
import type { Transport } from "../../src/service/http.ts";
import { CASES, type Case, OWNERSHIP_CASES } from "../cases.ts";
import { sendTo, testClock } from "../rig.ts";

function errors(problems: readonly Problem[]): unknown[] {
  return problems
    .filter(({ severity }) => severity === "error")
    .map(({ rule, path }) => ({ rule, path }));
}

async function post(
  send: Transport["send"],
  { course }: Case,
): Promise<{ status: number; body: string }> {
  const request = {
    method: "POST",
    url: "http://localhost/developer/v1/courses",
    headers: { "x-api-key": DEFAULT_KEY, "content-type": "application/json" },
    body: JSON.stringify(course),
  } as const;
  const { status, body } = await send(request, 1000);
  return { status, body: body.toString() };
}

test.each(CASES.filter(({ breaks }) => breaks === undefined))(
  "checkCourse accepts a course with $title",
  ({ course }) => {
    expect(checkCourse(course)).toEqual([]);
  },
);

test.each(CASES.filter(({ breaks }) => breaks !== undefined))(
  "checkCourse reports $breaks.rule for a course with $title",
  ({ course, breaks }) => {
    expect(errors(checkCourse(course))).toEqual([breaks]);
  },
);

test("checkCourse reports an object with a length as one problem, even if its toString is not a function", () => {
  const audio = { length: 0, toString: "not a function" };
  const found = checkCourse({ ...CASES[0]?.course, audio });
  expect(found.map(({ rule, message }) => [rule, message])).toEqual([
    ["type", 'audio must be a list, such as ["en","pt-BR"], not an object'],
  ]);
});

test("checkCourse takes an object whose keys are all null, as the service returns it, for an absent one", () => {
  const certificate = { type: null, price: null, currency: null };
  const found = (changes: Readonly<Record<string, unknown>>) =>
    checkCourse({ ...CASES[0]?.course, ...changes }).map(({ rule, path }) => [rule, ...path]);
  expect(
    found({ certificate, prices: [{ type: "subscription", trial_period: { unit: null } }] }),
  ).toEqual([]);
  expect(found({ certificate: { ...certificate, price: "5" } })).toEqual([
    ["required", "certificate", "type"],
  ]);
  expect(found({ certificate: { a: null } })).toEqual([
    ["unknown-field", "certificate", "a"],
    ["required", "certificate", "type"],
  ]);
});

test("checkCourse looks for errors in the first 20,000 items of lists, and says so if one is after these", () => {
  const items = (count: number, item: unknown) => Array.from({ length: count }, () => item);
  const found = (audio: unknown) =>
    checkCourse({ ...CASES[0]?.course, audio }).map(({ message }) => message);
  expect(found(items(30_000, "en"))).toEqual([]);
  expect(found([...items(30_000, "en"), 1])).toEqual([
    "the lists of this course have an error after their first 20,000 items; catalog did not check the rest",
  ]);
  expect(found(items(100_000, 1)).length).toBe(10_001);
});

test("checkCourse reports twenty unknown fields of an object one by one, and the others as one problem", () => {
  const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1]));
  const found = checkCourse({ ...CASES[0]?.course, ...unknown });
  expect(found.map(({ message }) => message)).toEqual([
    ...Array.from({ length: 20 }, (_, index) => `unknown field "k${index}"`),
    "980 more unknown fields",
  ]);
});

test.each([
  [{ Notiz: "x" }, 'unknown field "Notiz"', undefined],
  [
    { "na\u00a0me": "x" },
    'unknown field ["na\u00a0me"]: it has the space U+00A0, which looks like an ordinary space',
    undefined,
  ],
  [{ published: "nein" }, 'published must be true or false, not "nein"', undefined],
  [
    { url: "https:/academy.example/a" },
    'url must be a URL such as https://academy.example/knitting, not "https:/academy.example/a"',
    "https://academy.example/a",
  ],
])("checkCourse says with an example what to write: %j", (changes, message, suggestion) => {
  const [found] = checkCourse({ ...CASES[0]?.course, ...changes });
  expect([found?.message, found?.suggestion]).toEqual([message, suggestion]);
});

test("checkCourse suggests name for a title, and audio for a language, if the course has none", () => {
  const { name: _, audio: _audio, ...rest } = CASES[0]?.course ?? {};
  const found = checkCourse({ ...rest, title: "A", language: "en" });
  expect(found.slice(0, 2).map(({ suggestion }) => suggestion)).toEqual(["name", "audio"]);
});

test("checkCourse advises a private name for a note", () => {
  const [found] = checkCourse({ ...CASES[0]?.course, Notiz: "x" });
  expect(found?.notes?.[0]).toBe('To keep it as a note that is never sent, call it "x-Notiz".');
});

test.each([
  ["placeholder", { short_description: "undefined" }],
  ["placeholder", { url: "https://academy.example/courses/undefined" }],
  ["markup", { short_description: "Bread &amp; Butter" }],
])("checkCourse reports %s once: %j", (rule, changes) => {
  expect(checkCourse({ ...CASES[0]?.course, ...changes }).map((found) => found.rule)).toEqual([
    rule,
  ]);
});

test.each([
  [{ name: "Undefined behavior in C" }],
  [{ name: "#1 in Excel: #REF! explained", long_description: "List<T> and Map<K, V>, i<n, R&D" }],
  [{ url: "https://academy.example/@ada/null/1", image_url: "https://academy.example/null.png" }],
  [{ key: "4006390000000" }],
])("checkCourse finds nothing in what people write: %j", (changes) => {
  expect(checkCourse({ ...CASES[0]?.course, ...changes })).toEqual([]);
});

test("checkCourse reports a provider that is null once, at its key", () => {
  for (const [name, other] of [
    ["provider", "provider_id"],
    ["provider_id", "provider"],
  ]) {
    const course = { ...CASES[0]?.course, [`${name}`]: null, [`${other}`]: undefined };
    expect(errors(checkCourse(course))).toEqual([{ rule: "required", path: [name] }]);
  }
});

test("a POST to the sandbox accepts every valid course and rejects every other with a hint that names its field", async () => {
  const send = sendTo({ store: memoryStore(defaultSeed()), clock: testClock() });
  for (const entry of [...CASES, ...OWNERSHIP_CASES]) {
    const { status, body } = await post(send, entry);
    if (entry.breaks === undefined) {
      // Two cases may have the same id.
      expect([entry.title, status, body]).toEqual([entry.title, 201, ""]);
      continue;
    }
    const { hint, details } = JSON.parse(body);
    expect([entry.title, status, details]).toEqual([entry.title, 400, null]);
    expect([entry.title, hint]).toEqual([
      entry.title,
      expect.stringContaining(String(entry.breaks.path[0])),
    ]);
  }
});
