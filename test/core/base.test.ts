/** Compares a course at the base, in the file and in the catalog. */
import { describe, expect, test } from "vitest";
import { compareStep, hasDrift, settleStep } from "../../src/core/base.ts";
import { planCreation, planDeletion, type Step } from "../../src/core/step.ts";
import { desiredCourse, ID, remoteCourse } from "./plans.ts";

const compare = (step: Step, base: Readonly<Record<string, unknown>> | undefined): Step =>
  compareStep(step, base && desiredCourse(base).value);

describe("courses", () => {
  const creation = planCreation(desiredCourse({ id: ID }), remoteCourse());
  const deletion = planDeletion(remoteCourse());

  test("a course of the base that the catalog lost is drift, and keep leaves it out", () => {
    const compared = compare(creation, {});
    expect(hasDrift(compared)).toBe(true);
    expect(settleStep(compared, "keep")).toMatchObject({ action: "refused", status: "skipped" });
    expect(settleStep(compared, "overwrite")).toMatchObject({ action: "create" });
  });

  test("a course that prune would delete is drift if the catalog changed it, or if the base lacks it", () => {
    expect(hasDrift(compare(deletion, {}))).toBe(false);
    expect(hasDrift(compare(deletion, { name: "Before" }))).toBe(true);
    const added = compare(deletion, undefined);
    expect(hasDrift(added)).toBe(true);
    expect(settleStep(added, "keep")).toMatchObject({ action: "refused", status: "skipped" });
  });
});
