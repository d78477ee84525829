/** `courses pull` writes the courses in the catalog to files. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { parseSeeds } from "../../src/sandbox/seed.ts";
import type { Seed } from "../../src/sandbox/store.ts";
import { type Rig, rig, testClock } from "../rig.ts";
import { lines, requestsOf, storedCourses } from "./helpers.ts";
import { readFolder } from "./pull-rig.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

describe("example courses", () => {
  let seed: Seed;
  beforeAll(async () => {
    const text = await readFile(join(EXAMPLES, "providers.json"), "utf8");
    seed = parseSeeds([JSON.parse(text)], testClock());
  });

  async function created(): Promise<Rig> {
    const r = await rig({ seed });
    const paths = ["courses", "every-field.yaml"].map((name) => join(EXAMPLES, name));
    const ran = await r.run(["courses", "create", ...paths]);
    expect(ran).toMatchObject({ code: 0 });
    expect(lines(ran.stdout)).toHaveLength(16);
    return r;
  }

  test.each(["yaml", "json"])(
    "pull writes each example course to one %s file named after its slug; pull and push then change nothing",
    async (format) => {
      const r = await created();
      const before = await storedCourses(r);
      const words = ["courses", "pull", "out", "--format", format];
      const ran = await r.run(words);
      expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "Courses in files: 16 written.\n" });
      expect(requestsOf(ran).every((line) => line.startsWith("GET /developer/v1/"))).toBe(true);
      const files = await readFolder(r);
      // The rig draws equal suffixes, so some slugs are the same, and their files end with the id.
      for (const { id, slug } of before) {
        const names = [`${slug}.${format}`, `${slug}-${id}.${format}`];
        expect(Object.keys(files).filter((name) => names.includes(name))).toHaveLength(1);
      }
      const check = await r.run("courses check --online out");
      expect(check).toMatchObject({ code: 0 });
      expect(check.stdout).not.toMatch(/read-only/);
      const again = await r.run(words);
      expect(again.stderr).toBe("Courses in files: 16 up to date.\n");
      expect(await readFolder(r)).toEqual(files);
      const pushed = await r.run("courses push out");
      expect(pushed).toMatchObject({ code: 0 });
      expect(requestsOf(pushed).filter((line) => !line.startsWith("GET "))).toEqual([]);
      expect(await r.run("courses diff --exit-code out")).toMatchObject({ code: 0 });
      expect(await storedCourses(r)).toEqual(before);
    },
  );
});
