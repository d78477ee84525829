/** `courses pull` as a process of its own, stopped in the middle of its files. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf, newFolder, numbered, runCatalog, serve, startCatalog } from "./rig.ts";

const MANY = 1000;

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "%s lets files that were begun be finished, and the next pull does the rest",
  async (signal, code) => {
    const { environment } = await serve(numbered(MANY));
    const folder = await newFolder();
    const words = ["courses", "pull", "out"];
    const running = await startCatalog([...words, "-o", "id"], { environment, folder });
    await running.shows(/\n/);
    running.child.kill(signal);
    expect((await running.ended).code).toBe(code);

    const names = await readdir(join(folder, "out"));
    expect(names.length).toBeLessThan(MANY);
    expect(names.filter((name) => !name.endsWith(".yaml"))).toEqual([]);
    expect((await running.ended).stderr).toContain(`Wrote ${names.length} files, `);

    const again = await runCatalog([...words, "--json"], { environment, folder });
    expect(again.code).toBe(0);
    const results = JSON.parse(again.stdout) as { action: string }[];
    expect(results).toHaveLength(MANY);
    expect(results.filter(({ action }) => action === "unchanged")).toHaveLength(names.length);
    expect(linesOf(again.stderr)).toHaveLength(1);
  },
);
