/** The checker and the sandbox must agree about every case of test/cases.ts. */
import { describe, expect, test } from "vitest";
import { checkCourse } from "../../src/course/check.ts";

import { FIELD_NAMES, FIELDS } from "../../src/course/fields.ts";
import type { Problem } from "../../src/course/problem.ts";
import { checkOwnership } from "../../src/course/provider.ts";
import { DEFAULT_KEY, DEFAULT_PROVIDER, defaultSeed } from "../../src/sandbox/seed.ts";
import { memoryStore } from "../../src/sandbox/store.ts";
import type { Send } from "../../src/service/http.ts";
import { CASES, type Case, OWNERSHIP_CASES } from "../cases.ts";
import { withLittleStack } from "../little-stack.ts";
import { sendTo, testClock } from "../rig.ts";

function errors(problems: readonly Problem[]): unknown[] {
  return problems
    .filter(({ severity }) => severity === "error")
    .map(({ rule, path }) => ({ rule, path }));
}

async function post(send: Send, { course }: Case): Promise<{ status: number; body: string }> {
  const request = {
    method: "POST",
    url: "http://localhost/developer/v1/courses",
    headers: { "x-api-key": DEFAULT_KEY, "content-type": "application/json" },
    body: JSON.stringify(course),
  } as const;
  const { status, body } = await send(request, {
    timeout: 1000,
    signal: new AbortController().signal,
  });
  return { status, body: body.toString() };
}

describe("checkCourse", () => {
  test.each(CASES.filter(({ breaks }) => breaks === undefined))(
    "checkCourse accepts a course with $title",
    ({ course }) => {
      expect(errors(checkCourse(course))).toEqual([]);
    },
  );

  test.each(CASES.filter(({ breaks }) => breaks !== undefined))(
    "checkCourse reports $breaks.rule for a course with $title",
    ({ course, breaks }) => {
      expect(errors(checkCourse(course))).toEqual([breaks]);
    },
  );

  test.each(OWNERSHIP_CASES)(
    "checkCourse leaves a course with $title to checkOwnership",
    ({ course, breaks }) => {
      expect(errors(checkCourse(course))).toEqual([]);
      expect(errors(checkOwnership(course, [DEFAULT_PROVIDER]))).toEqual([breaks]);
    },
  );

  test("the cases contain an accepted and a rejected course for every writable field", () => {
    const named = (wanted: boolean) =>
      new Set(
        CASES.filter(({ breaks }) => (breaks === undefined) === wanted).flatMap((entry) =>
          entry.breaks === undefined ? Object.keys(entry.course) : String(entry.breaks.path[0]),
        ),
      );
    const fields = FIELDS.filter(({ readOnly }) => !readOnly).map(({ name }) => name);
    expect(fields.filter((name) => !named(true).has(name))).toEqual([]);
    expect(fields.filter((name) => !named(false).has(name))).toEqual([]);
  });
});

describe("checkCourse with a hostile course", () => {
  const MANY = 20_000;

  test.each([
    ["a list of a wrong value", { level: Array(MANY).fill("expert") }],
    ["a list of nulls", { audio: Array(MANY).fill(null) }],
    ["paragraphs of numbers", { syllabus: [{ title: "A", description: Array(MANY).fill(1) }] }],
    ["empty objects", { prices: Array(MANY).fill({}) }],
    ["unknown keys", Object.fromEntries(Array.from({ length: MANY }, (_, at) => [`k${at}`, 1]))],
  ])("checkCourse returns as many problems as its limit allows for %s", (_, course) => {
    const check = () => checkCourse(course, { mode: "patch", most: 1000 });
    expect(withLittleStack(MANY, check)).toHaveLength(1000);
  });

  test("checkCourse reports an invalid element after thousands of valid elements at its index", () => {
    const level = [...Array(2500).fill("beginner"), "expert"];
    expect(errors(checkCourse({ level }, { mode: "patch" }))).toEqual([
      { rule: "choice", path: ["level", 2500] },
    ]);
  });

  test("checkCourse reports more problems than a call can have arguments", () => {
    const check = () => checkCourse({ audio: Array(MANY).fill(1) }, { mode: "patch" });
    expect(withLittleStack(MANY, check)).toHaveLength(MANY);
  });
});

test("the list of field names has the order of the schema", () => {
  expect(FIELDS.map(({ name }) => name)).toEqual(FIELD_NAMES);
});

test("checkCourse reports an object with a length as one problem, even if its toString is not a function", () => {
  const audio = { length: 0, toString: "not a function" };
  const found = checkCourse({ ...CASES[0]?.course, audio });
  expect(found.map(({ rule, message }) => [rule, message])).toEqual([
    ["type", "audio must be a list, not an object"],
  ]);
});

describe("a POST to the sandbox", () => {
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
});
