/** The checker and the sandbox must agree about every case of test/cases.ts. */
import { expect, test } from "vitest";
import { checkCourse } from "../../src/course/check.ts";
import { DEFAULT_KEY, defaultSeed } from "../../src/sandbox/seed.ts";
import { memoryStore } from "../../src/sandbox/store.ts";
import { CASES, OWNERSHIP_CASES } from "../cases.ts";
import { IS_LONG } from "../long.ts";
import { course, sendTo, testClock } from "../rig.ts";

type Values = Readonly<Record<string, unknown>>;

test.each(CASES)("checkCourse reports only the error of $title", ({ course, breaks }) => {
  const found = checkCourse(course);
  const errors = found.filter(({ severity }) => severity === "error");
  expect(errors.map(({ rule, path }) => ({ rule, path }))).toEqual(breaks ? [breaks] : []);
  if (breaks === undefined) expect(found).toEqual([]);
});

const [NULLS, TRIAL] = [{ type: null, price: null, currency: null }, { unit: null }];

test.each<[Values, ...found: string[]]>([
  // The service returns an absent object with null for each key.
  [{ certificate: NULLS, prices: [{ type: "subscription", trial_period: TRIAL }] }],
  [{ certificate: { ...NULLS, price: "5" } }, "required certificate.type"],
  [{ certificate: { a: null } }, "unknown-field certificate.a", "required certificate.type"],
  [{ audio: { length: 0, toString: "not a function" } }, "type audio"],
  [{ provider: null, provider_id: undefined }, "required provider"],
  [{ provider: undefined, provider_id: null }, "required provider_id"],
  [{ short_description: "undefined" }, "placeholder short_description"],
  [{ url: "https://academy.example/courses/undefined" }, "placeholder url"],
  [{ short_description: "Bread &amp; Butter" }, "markup short_description"],
  [{ name: "Undefined behavior in C" }],
  [{ name: "#1 in Excel: #REF! explained", long_description: "List<T> and Map<K, V>, i<n, R&D" }],
  [{ url: "https://academy.example/@ada/null/1", image_url: "https://academy.example/null.png" }],
  [{ key: "4006390000000" }],
])("checkCourse reports a cause once, and nothing in what people write: %j", (fields, ...found) => {
  const problems = checkCourse(course(fields));
  expect(problems.map(({ rule, path }) => `${rule} ${path.join(".")}`)).toEqual(found);
});

test("checkCourse looks for errors in the first 20,000 items of lists, and says so if one is after these", () => {
  const found = (count: number, item: unknown, ...last: unknown[]) =>
    checkCourse(course({ audio: [...Array(count).fill(item), ...last] }));
  expect(found(20_001, "en")).toEqual([]);
  expect(found(20_001, "en", 1).map(({ message }) => message)).toEqual([
    "the lists of this course have an error after their first 20,000 items; catalog did not check the rest",
  ]);
});

test.runIf(IS_LONG)("checkCourse returns 10,001 of more errors of one course", () => {
  expect(checkCourse(course({ audio: Array(10_002).fill(1) })).length).toBe(10_001);
});

test("checkCourse reports twenty unknown fields of an object one by one, and the others as one problem", () => {
  const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1]));
  const found = checkCourse(course(unknown)).map(({ message }) => message);
  expect(found.slice(18)).toEqual([
    'unknown field "k18"',
    'unknown field "k19"',
    "980 more unknown fields",
  ]);
});

const OTHER_SPACE = "it has the space U+00A0, which looks like an ordinary space";
const NOTE = 'To keep it as a note that is never sent, call it "x-Notiz".';

test.each<[Values, message: string, suggestion?: string | undefined, note?: string]>([
  [{ Notiz: "x" }, 'unknown field "Notiz"', undefined, NOTE],
  [{ "na\u00a0me": "x" }, `unknown field ["na\u00a0me"]: ${OTHER_SPACE}`],
  [{ name: undefined, title: "A" }, 'unknown field "title"', "name"],
  [{ audio: undefined, language: "en" }, 'unknown field "language"', "audio"],
  [{ published: "nein" }, 'published must be true or false, not "nein"'],
  [
    { url: "https:/academy.example/a" },
    'url must be a URL such as https://academy.example/knitting, not "https:/academy.example/a"',
    "https://academy.example/a",
  ],
])("checkCourse says with an example what to write: %j", (changes, message, suggestion, note) => {
  // A key without a value is absent from a file.
  const [found] = checkCourse(JSON.parse(JSON.stringify(course(changes))));
  expect([found?.message, found?.suggestion]).toEqual([message, suggestion]);
  if (note !== undefined) expect(found?.notes).toContain(note);
});

test("a POST to the sandbox accepts every valid course and rejects every other with a hint that names its field", async () => {
  const send = sendTo({ store: memoryStore(defaultSeed()), clock: testClock() });
  const url = "http://localhost/developer/v1/courses";
  const headers = { "x-api-key": DEFAULT_KEY, "content-type": "application/json" };
  for (const { title, course, breaks } of [...CASES, ...OWNERSHIP_CASES]) {
    const sent = { method: "POST", url, headers, body: JSON.stringify(course) } as const;
    const { status, body } = await send(sent, 1000);
    // Two cases may have the same id.
    expect([title, status]).toEqual([title, breaks === undefined ? 201 : 400]);
    const { hint, details } = JSON.parse(`${body}` || '{"details":null}');
    expect([title, details]).toEqual([title, null]);
    if (breaks !== undefined) expect([title, hint.includes(breaks.path[0])]).toEqual([title, true]);
  }
});
