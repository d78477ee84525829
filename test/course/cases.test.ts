/** The table of cases through the checker and through the sandbox: both must agree. */
import { describe, expect, test } from "vitest";
import { checkCourse } from "../../src/course/check.ts";
import { FIELDS } from "../../src/course/fields.ts";
import { checkOwnership } from "../../src/course/ownership.ts";
import type { Problem } from "../../src/course/problem.ts";
import { DEFAULT_KEY, DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { CASES, type Case, OWNERSHIP_CASES } from "../cases.ts";
import { rig } from "../rig.ts";

function errors(problems: readonly Problem[]): unknown[] {
  return problems
    .filter(({ severity }) => severity === "error")
    .map(({ rule, path }) => ({ rule, path }));
}

async function post(baseUrl: string, { course }: Case): Promise<{ status: number; body: string }> {
  const response = await fetch(`${baseUrl}/developer/v1/courses`, {
    method: "POST",
    headers: { "X-Api-Key": DEFAULT_KEY, "Content-Type": "application/json" },
    body: JSON.stringify(course),
  });
  return { status: response.status, body: await response.text() };
}

describe("the checker", () => {
  test.each(CASES)("$says", ({ course, breaks }) => {
    expect(errors(checkCourse(course))).toEqual(breaks === undefined ? [] : [breaks]);
  });

  test.each(OWNERSHIP_CASES)("with the providers: $says", ({ course, breaks }) => {
    expect(errors(checkCourse(course))).toEqual([]);
    expect(errors(checkOwnership(course, [DEFAULT_PROVIDER]))).toEqual([breaks]);
  });

  test("every writable field has a right and a wrong case", () => {
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

describe("the sandbox", () => {
  test("takes every right course and refuses every wrong one with a hint that names its field", async () => {
    const { sandbox } = await rig();
    for (const entry of [...CASES, ...OWNERSHIP_CASES]) {
      const { status, body } = await post(sandbox.baseUrl, entry);
      if (entry.breaks === undefined) {
        // Two cases may carry one id.
        expect([entry.says, status, body]).toEqual([entry.says, 201, ""]);
        continue;
      }
      const { hint, details } = JSON.parse(body);
      expect([entry.says, status, details]).toEqual([entry.says, 400, null]);
      expect([entry.says, hint]).toEqual([
        entry.says,
        expect.stringContaining(String(entry.breaks.path[0])),
      ]);
    }
  });
});
