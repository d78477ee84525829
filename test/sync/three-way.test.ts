/** Compares a course at the base, in the file and in the catalog, and reads the base from undo records. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Course } from "../../src/course/request-body.ts";
import type { RunRecord } from "../../src/sync/record-format.ts";
import { findRecorded } from "../../src/sync/recorded-base.ts";
import { isWrite, planChange, type Step, type WriteStep } from "../../src/sync/step.ts";
import {
  type BaseCourse,
  compareStep,
  driftedFields,
  hasDrift,
  keepCatalog,
} from "../../src/sync/three-way.ts";
import { desiredCourse, ID, remoteCourse } from "./plans.ts";

type Fields = Readonly<Record<string, unknown>>;
const update = (file: Fields, catalog: Fields): Step =>
  planChange(desiredCourse({ id: ID, ...file }), remoteCourse(catalog));
const base = (fields: Fields): BaseCourse => ({ values: { ...desiredCourse(fields).value } });
const sides = (step: Step) => step.base?.changedIn;

describe("fields that differ", () => {
  test.each([
    ["in the file, if the catalog has the value of the base", "B", "A", "A", "file"],
    ["in the catalog, if the file has the value of the base", "A", "B", "A", "catalog"],
    ["in both, if neither has the value of the base", "B", "C", "A", "both"],
  ])("a field that differs was changed %s", (_, file, catalog, old, side) => {
    const compared = compareStep(update({ name: file }, { name: catalog }), base({ name: old }));
    expect(sides(compared)).toEqual({ name: side });
  });

  test("a field was changed on both sides if the course is missing from the base", () => {
    const step = update({ name: "B", image_url: "https://i.example/1" }, { name: "A" });
    expect(sides(compareStep(step, { values: null }))).toEqual({ name: "both", image_url: "both" });
  });

  test("a field was changed on no known side if the base does not contain the field", () => {
    const step = update({ name: "B", pace: "instructor_paced" }, { name: "A" });
    const compared = compareStep(step, { values: { name: "A" }, isPartial: true });
    expect(sides(compared)).toEqual({ name: "file" });
  });

  test("a field is compared by its meaning: an empty list is null, a default is absent, and 10 equals 10.00", () => {
    const price = (amount: string) => [{ type: "single_course", price: amount, currency: "EUR" }];
    const step = update({ prices: price("12"), level: ["beginner"] }, { prices: price("10") });
    const compared = compareStep(step, base({ prices: price("10.00"), level: null }));
    expect(sides(compared)).toEqual({ prices: "file", level: "file" });
  });
});

describe("courses", () => {
  const creation: Step = { action: "create", id: ID, body: remoteCourse() };
  const deletion: Step = { action: "delete", id: ID, before: remoteCourse() };

  test("a course that is new in the file and absent at the base is a creation without drift", () => {
    expect(hasDrift(compareStep(creation, { values: null }))).toBe(false);
  });

  test("a course of the base that is missing from the catalog was deleted there, and stays deleted", () => {
    const compared = compareStep(creation, base({}));
    expect(hasDrift(compared)).toBe(true);
    expect(keepCatalog(compared)).toMatchObject({ action: "refused", status: "skipped" });
  });

  test("a course that prune would delete has drift if the catalog changed it, or if it is missing from the base", () => {
    expect(hasDrift(compareStep(deletion, base({})))).toBe(false);
    expect(hasDrift(compareStep(deletion, base({ name: "Before" })))).toBe(true);
    const added = compareStep(deletion, { values: null });
    expect(hasDrift(added)).toBe(true);
    expect(keepCatalog(added)).toMatchObject({ action: "refused", status: "skipped" });
  });
});

test("keepCatalog sends only fields in which the catalog is as it was at the base", () => {
  const value = fc.constantFrom("A", "B", "C");
  const fields = fc.record({ name: value, short_description: value, long_description: value });
  fc.assert(
    fc.property(fields, fields, fields, (file, catalog, old) => {
      const kept = keepCatalog(compareStep(update(file, catalog), base(old)));
      const names = Object.keys(file) as (keyof typeof file)[];
      const sent = kept.action === "update" ? kept.body : {};
      const meant = names.filter((name) => catalog[name] === old[name] && file[name] !== old[name]);
      expect(Object.keys(sent).sort()).toEqual([...meant].sort());
      expect(isWrite(kept) && driftedFields(kept).length > 0).toBe(false);
    }),
  );
});

describe("undo records as the base", () => {
  const header = { formatVersion: 1, run: "r", time: "", command: "", baseUrl: "", providers: [] };
  const about = { id: ID, name: null, url: null, file: null, line: null } as const;
  const record = (...writes: RunRecord["writes"]): RunRecord => ({ header, writes }) as RunRecord;
  const updated = (body: object, status: "done" | "failed" | "unknown" = "done") =>
    record({ ...about, action: "update", body: { ...body }, before: {}, status });
  const created = (body: object) =>
    record({ ...about, action: "create", body: { ...body, id: ID } as Course, status: "done" });
  const deleted = record({ ...about, action: "delete", before: remoteCourse(), status: "done" });
  const wanted = update({ name: "N", pace: "instructor_paced" }, {}) as WriteStep;
  const find = (...records: RunRecord[]) => findRecorded([wanted], records).get(ID);

  test("undo records give each field the value of the newest record that contains it", () => {
    const found = find(updated({ name: "3" }), updated({ name: "2" }), created({ pace: "p" }));
    expect(found).toEqual({ values: { id: ID, name: "3", pace: "p" } });
  });

  test("undo records give no base for fields that no record contains, or for other courses", () => {
    expect(find(updated({ name: "1" }))).toEqual({ values: { name: "1" }, isPartial: true });
    expect(find()).toBeUndefined();
  });

  test("undo records give no base from changes that failed or have no result", () => {
    const found = find(updated({ name: "3" }, "unknown"), updated({ name: "2" }, "failed"));
    expect(found).toBeUndefined();
  });

  test("undo records contain that a course was deleted, unless it was recreated", () => {
    expect(find(deleted, created({ name: "1" }))).toEqual({ values: null });
    expect(find(created({ name: "2" }), deleted)).toEqual({ values: { id: ID, name: "2" } });
  });

  test("undo records are read only until all values are known", () => {
    function* records() {
      yield created({ name: "1" });
      throw new Error("one more record was read");
    }
    expect(findRecorded([wanted], records()).get(ID)?.values).toMatchObject({ name: "1" });
    expect(findRecorded([], records()).size).toBe(0);
  });
});
