/** Compares a course at the base, in the file and in the catalog. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planChange, type Step } from "../../src/sync/step.ts";
import { catalogFields, compareStep, hasDrift, keepCatalog } from "../../src/sync/three-way.ts";
import { desiredCourse, ID, remoteCourse } from "./plans.ts";

type Fields = Readonly<Record<string, unknown>>;
const update = (file: Fields, catalog: Fields): Step =>
  planChange(desiredCourse({ id: ID, ...file }), remoteCourse(catalog));
const compare = (step: Step, base: Fields | undefined): Step =>
  compareStep(step, base && desiredCourse(base).value, true);
const sides = (step: Step) => step.base?.changedIn;

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
  const creation: Step = { action: "create", id: ID, body: remoteCourse() };
  const deletion: Step = { action: "delete", id: ID, before: remoteCourse() };

  test("a course that is new in the file and absent at the base is a creation without drift", () => {
    expect(hasDrift(compare(creation, undefined))).toBe(false);
  });

  test("a course of the base that is missing from the catalog was deleted there, and stays deleted", () => {
    const compared = compare(creation, {});
    expect(hasDrift(compared)).toBe(true);
    expect(keepCatalog(compared)).toMatchObject({ action: "refused", status: "skipped" });
  });

  test("a course that prune would delete has drift if the catalog changed it, or if it is missing from the base", () => {
    expect(hasDrift(compare(deletion, {}))).toBe(false);
    expect(hasDrift(compare(deletion, { name: "Before" }))).toBe(true);
    const added = compare(deletion, undefined);
    expect(hasDrift(added)).toBe(true);
    expect(keepCatalog(added)).toMatchObject({ action: "refused", status: "skipped" });
  });
});

test("keepCatalog sends only fields in which the catalog is as it was at the base", () => {
  const value = fc.constantFrom("A", "B", "C");
  const fields = fc.record({ name: value, short_description: value, long_description: value });
  fc.assert(
    fc.property(fields, fields, fields, (file, catalog, old) => {
      const compared = compare(update(file, catalog), old);
      const kept = keepCatalog(compared);
      const names = Object.keys(file) as (keyof typeof file)[];
      const sent = kept.action === "update" ? kept.body : {};
      const meant = names.filter((name) => catalog[name] === old[name] && file[name] !== old[name]);
      expect(Object.keys(sent).sort()).toEqual([...meant].sort());
      const changed = names.filter((name) => catalog[name] !== old[name]);
      expect(changed).toEqual(expect.arrayContaining(catalogFields(compared)));
      const both = changed.filter(
        (name) => file[name] !== old[name] && file[name] !== catalog[name],
      );
      expect(hasDrift(compared)).toBe(both.length > 0);
    }),
  );
});
