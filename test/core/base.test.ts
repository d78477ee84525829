/** Compares a course at the base, in the file and in the catalog. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareStep, hasDrift, settleStep } from "../../src/core/base.ts";
import { planChange, planCreation, planDeletion, type Step } from "../../src/core/step.ts";
import { desiredCourse, ID, remoteCourse } from "./plans.ts";

type Fields = Readonly<Record<string, unknown>>;
const update = (file: Fields, catalog: Fields): Step =>
  planChange(desiredCourse({ id: ID, ...file }), remoteCourse(catalog));
const compare = (step: Step, base: Fields | undefined): Step =>
  compareStep(step, base && desiredCourse(base).value);
const sides = (step: Step) => step.compared?.changedIn;

describe("fields that differ", () => {
  test.each([
    ["in the file, if the catalog has the value of the base", "B", "A", "A", "file"],
    ["in the catalog, if the file has the value of the base", "A", "B", "A", "catalog"],
    ["in both, if neither has the value of the base", "B", "C", "A", "both"],
  ])("a field that differs was changed %s", (_, file, catalog, old, side) => {
    const compared = compare(update({ name: file }, { name: catalog }), { name: old });
    expect(sides(compared)).toEqual({ name: side });
  });

  test("a step has no sides if the base lacks its course", () => {
    const step = update({ name: "B" }, { name: "A" });
    expect(compare(step, undefined)).toBe(step);
  });

  test("a field is compared by its meaning: an empty list is null, a default is absent, and 10 equals 10.00", () => {
    const price = (amount: string) => [{ type: "single_course", price: amount, currency: "EUR" }];
    const step = update({ prices: price("12"), level: ["beginner"] }, { prices: price("10") });
    const compared = compare(step, { prices: price("10.00"), level: null });
    expect(sides(compared)).toEqual({ prices: "file", level: "file" });
  });
});

describe("courses", () => {
  const creation = planCreation(desiredCourse({ id: ID }), remoteCourse());
  const deletion = planDeletion(remoteCourse());

  test("a course that is new in the file and absent at the base is a creation without drift", () => {
    expect(hasDrift(compare(creation, undefined))).toBe(false);
  });

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

test("keep sends only fields that the file changed and the catalog did not, and leaves the others", () => {
  const value = fc.constantFrom("A", "B", "C");
  const fields = fc.record({ name: value, short_description: value, long_description: value });
  fc.assert(
    fc.property(fields, fields, fields, (file, catalog, old) => {
      const compared = compare(update(file, catalog), old);
      const kept = settleStep(compared, "keep");
      const names = Object.keys(file) as (keyof typeof file)[];
      const isChanged = (name: keyof typeof file) => catalog[name] !== old[name];
      const differing = names.filter((name) => file[name] !== catalog[name]);
      const sent = kept.action === "update" ? Object.keys(kept.body) : [];
      const left = (kept.compared?.left ?? []).map((change) => [change.path[0], change.new]);
      expect(sent).toEqual(differing.filter((name) => !isChanged(name)));
      expect(left).toEqual(differing.filter(isChanged).map((name) => [name, catalog[name]]));
      const both = differing.filter((name) => isChanged(name) && file[name] !== old[name]);
      expect(hasDrift(compared)).toBe(both.length > 0);
    }),
  );
});
