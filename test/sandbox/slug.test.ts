import { describe, expect, test } from "vitest";
import { asciiSlug } from "../../src/sandbox/store.ts";
import { courseOf, created, ID, list, open } from "./rig.ts";

describe("slugs", () => {
  test.each([
    ["Knitting for Beginners", "knitting-for-beginners"],
    ["  C++ & C#: what's new?  ", "c-c-what-s-new"],
    ["Crème brûlée für Öfen", "creme-brulee-fur-ofen"],
    ["Основи Python 3", "python-3"],
    ["机器学习", "course"],
    ["برنامه", "course"],
    ["😀🎉", "course"],
    ["ﬁne ① Ｗｉｄｅ", "fine-1-wide"],
    ["---", "course"],
    [`${"a".repeat(59)} b`, "a".repeat(59)],
    ["a".repeat(500), "a".repeat(60)],
  ])("the slug of $0 has the prefix $1 (case %#)", async (name, prefix) => {
    const sandbox = await open();
    await created(sandbox, { id: ID, name });
    const { slug } = await courseOf(sandbox, ID);
    expect(slug).toMatch(new RegExp(`^${prefix}-[a-z0-9]{8}$`));
    expect(asciiSlug(name, "course")).toBe(prefix);
  });

  test("the slugs of two courses with the same name differ", async () => {
    const sandbox = await open();
    await created(sandbox);
    await created(sandbox);
    const [one, other] = await list(sandbox);
    expect(one?.slug).not.toBe(other?.slug);
  });
});
