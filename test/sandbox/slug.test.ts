import { describe, expect, test } from "vitest";
import { asciiSlug } from "../../src/sandbox/store.ts";
import { courseOf, created, ID, open } from "./rig.ts";

describe("slugs", () => {
  test.each([
    ["Knitting for Beginners", "knitting-for-beginners"],
    ["Crème brûlée für Öfen", "creme-brulee-fur-ofen"],
    ["机器学习", "course"],
    ["ﬁne ① Ｗｉｄｅ", "fine-1-wide"],
    [`${"a".repeat(59)} b`, "a".repeat(59)],
  ])("the slug of $0 has the prefix $1 (case %#)", async (name, prefix) => {
    const sandbox = await open();
    await created(sandbox, { id: ID, name });
    const { slug } = await courseOf(sandbox, ID);
    expect(slug).toMatch(new RegExp(`^${prefix}-[a-z0-9]{8}$`));
    expect(asciiSlug(name, "course")).toBe(prefix);
  });
});
