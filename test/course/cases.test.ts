/** The checker and the sandbox must agree about every case of test/cases.ts. */
import { describe, expect, test } from "vitest";
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

describe("checkCourse", () => {
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
});

test("checkCourse reports an object with a length as one problem, even if its toString is not a function", () => {
  const audio = { length: 0, toString: "not a function" };
  const found = checkCourse({ ...CASES[0]?.course, audio });
  expect(found.map(({ rule, message }) => [rule, message])).toEqual([
    ["type", "audio must be a list, not an object"],
  ]);
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
