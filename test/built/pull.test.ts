/** `courses pull` as a separate process, stopped in the middle of its files. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf, newFolder, numberedCourses, runCatalog, serve, startCatalog } from "./rig.ts";

const MANY = 400;

test("pull: a signal lets files in progress be finished, and the next pull does the rest", async () => {
  const { environment } = await serve(numberedCourses(MANY));
  const folder = await newFolder();

  /** Pulls until the first files exist, and expects all existing files to be complete. */
  const stopped = async (signal: NodeJS.Signals, code: number): Promise<number> => {
    const before = (await readdir(folder)).includes("out")
      ? await readdir(join(folder, "out"))
      : [];
    const words = ["courses", "pull", "out", "-o", "ndjson"];
    const running = await startCatalog(words, { environment, folder });
    await running.waitForStdout(/"action":"create"/);
    running.child.kill(signal);
    const { code: ended, stderr } = await running.ended;
    const names = await readdir(join(folder, "out"));
    expect([ended, names.length < MANY]).toEqual([code, true]);
    expect(names.filter((name) => !name.endsWith(".yaml"))).toEqual([]);
    expect(stderr).toContain(`Wrote ${names.length - before.length} files, `);
    return names.length;
  };
  const written = await stopped("SIGTERM", 143);

  const again = await runCatalog(["courses", "pull", "out", "--json"], { environment, folder });
  expect(again.code).toBe(0);
  const results = JSON.parse(again.stdout) as { action: string }[];
  expect(results).toHaveLength(MANY);
  expect(results.filter(({ action }) => action === "unchanged")).toHaveLength(written);
  expect(linesOf(again.stderr)).toHaveLength(1);
});
