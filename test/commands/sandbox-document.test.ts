/** docs/sandbox.md describes seeds that the sandbox accepts. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { parseSeeds } from "../../src/sandbox/seed.ts";
import { testClock } from "../rig.ts";

test("the sandbox accepts the seed in docs/sandbox.md as written, and the page describes every field", async () => {
  const path = fileURLToPath(new URL("../../docs/sandbox.md", import.meta.url));
  const text = await readFile(path, "utf8");
  const [, yaml = ""] = /```yaml\n(.*?)```/s.exec(text) ?? [];
  const { users } = parseSeeds([load(yaml)], testClock());
  expect(users.map(({ courses }) => courses.length)).toEqual([1, 0]);
  expect(users[0]?.courses[0]).toMatchObject({ approval_status: "approved" });
  const described = [...text.matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name);
  expect(described).toEqual([
    "key",
    "providers",
    "courses",
    ...["id", "name", "url", "slug"],
    "domain",
    "description",
    "published",
  ]);
  for (const name of Object.keys(users[0]?.providers[0] ?? {})) expect(described).toContain(name);
});
