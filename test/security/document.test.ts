/** SECURITY.md names a test for each threat. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

test("every test that SECURITY.md names exists", () => {
  const text = readFileSync(join(ROOT, "SECURITY.md"), "utf8");
  const named = [...text.matchAll(/`([^`\s]*(?:\.test\.ts|test\/[^`\s]*))`/g)].map(
    ([, name = ""]) => name,
  );
  expect(named.length).toBeGreaterThan(30);
  const files = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" });
  const exists = (name: string): boolean => {
    // Files after the first of a cell are named without their folder.
    const pattern = name.includes("/") ? name.replace(/^test\//, "").replace(/\/$/, "") : name;
    const [before = "", after = ""] = pattern.split("*");
    return files.some((file) => {
      const path = name.includes("/") ? file : basename(file);
      return pattern.includes("*")
        ? path.startsWith(before) && path.endsWith(after)
        : path === pattern;
    });
  };
  expect(named.filter((name) => !exists(name))).toEqual([]);
});
