/** docs/import.md is executed as it is written: every command line, with the built-in sandbox. */
import { execFile } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parseSeed } from "../../src/sandbox/seed.ts";
import { rig, testClock } from "../rig.ts";
import { storedCourses } from "./helpers.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

test("import: the walk-through in docs/import.md leads from four exports to pushed courses", async () => {
  const providers = JSON.parse(await readFile(join(ROOT, "examples/providers.json"), "utf8"));
  const r = await rig({ seed: parseSeed(providers, testClock()) });
  await cp(join(ROOT, "examples/import"), r.folder, { recursive: true });
  const page = await readFile(join(ROOT, "docs/import.md"), "utf8");
  const snippets = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, text = ""]) => text);
  const lines = snippets.flatMap((text) => text.replaceAll("\\\n", "").trim().split("\n"));
  expect(lines.filter((line) => line.startsWith("catalog")).length).toBeGreaterThan(10);
  const outputs: string[] = [];
  for (const line of lines) {
    if (!line.startsWith("catalog ")) {
      await promisify(execFile)("sh", ["-c", line], { cwd: r.folder });
      continue;
    }
    const [command = "", target] = line.split(" > ");
    const ran = await r.run(command.split(" ").slice(1));
    expect([line, ran.code, ran.stderr]).toEqual([line, 0, expect.not.stringContaining("error")]);
    if (target !== undefined) await r.write(target, ran.stdout);
    outputs.push(ran.stderr);
  }
  expect(outputs.join("")).toContain("Wrote no files: 3 unchanged");
  expect(await storedCourses(r)).toHaveLength(8);
}, 60_000);
