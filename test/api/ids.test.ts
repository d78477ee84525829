import { describe, expect, test } from "vitest";
import { Ids } from "../../src/api/ids.ts";

const numbered = (number: number, head = "40000000"): string =>
  `${head}-0000-4000-8000-${String(number).padStart(12, "0")}`;

describe("a set of ids", () => {
  test("knows every id of a long listing again, and no other", () => {
    const ids = new Ids(0.5);
    const count = 50_000;
    for (let index = 0; index < count; index++) expect(ids.add(numbered(index))).toBe(true);
    expect(ids.size).toBe(count);
    for (let index = 0; index < count; index++) expect(ids.add(numbered(index))).toBe(false);
    expect(ids.size).toBe(count);
    expect(ids.add(numbered(count))).toBe(true);
  });

  test("tells ids apart that differ in one digit anywhere", () => {
    const ids = new Ids(0.5);
    const zeros = "00000000-0000-0000-0000-000000000000";
    const all = [...zeros].flatMap((sign, index) =>
      sign === "-" ? [] : [`${zeros.slice(0, index)}1${zeros.slice(index + 1)}`],
    );
    expect(all.map((id) => ids.add(id))).toEqual(all.map(() => true));
    expect(all.map((id) => ids.add(id))).toEqual(all.map(() => false));
  });

  test.each([0, 0.25, 0.999999])("is the same whatever it is mixed with: %d", (chance) => {
    const ids = new Ids(chance);
    const all = Array.from({ length: 3000 }, (_, index) => numbered(index, "ffffffff"));
    expect(all.every((id) => ids.add(id)) && !all.some((id) => ids.add(id))).toBe(true);
  });

  test("takes a UUID for the same in either case", () => {
    const ids = new Ids(0.5);
    expect(ids.add("abcdef01-2345-6789-abcd-ef0123456789")).toBe(true);
    expect(ids.add("ABCDEF01-2345-6789-ABCD-EF0123456789")).toBe(false);
    expect(ids.add("bbcdef01-2345-6789-abcd-ef0123456789")).toBe(true);
  });

  test.each(["00000000-0000-0000-0000-000000000000", "1", "", "Ä", "abcdef01"])(
    "knows an unusual id again: %j",
    (id) => {
      const ids = new Ids(0.5);
      expect([ids.add(id), ids.add(id), ids.size]).toEqual([true, false, 1]);
    },
  );

  test("takes texts that are no UUIDs for the same only when they are", () => {
    const ids = new Ids(0.5);
    expect(["a", "A", "a"].map((id) => ids.add(id))).toEqual([true, true, false]);
  });
});
