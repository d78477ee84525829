import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../folder.ts";
import { whyStale } from "./stale.ts";

test("tests of the built program are refused if it is missing, or older than a source", async () => {
  const root = await newFolder();
  const write = async (file: string, seconds: number): Promise<void> => {
    await mkdir(join(root, file, ".."), { recursive: true });
    await writeFile(join(root, file), "");
    await utimes(join(root, file), seconds, seconds);
  };
  await write("src/core/plan.ts", 100);
  expect(whyStale(root)).toContain("dist/ is missing: run `npm run build`");
  await write("dist/main.cjs", 101);
  expect(whyStale(root)).toBeUndefined();
  await write("src/core/plan.ts", 102);
  expect(whyStale(root)).toContain("dist/ is older than src/core/plan.ts: run `npm run build`");
});
