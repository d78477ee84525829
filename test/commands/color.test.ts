/** Color in pipes and on terminals, and the environment variables that control it. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { RunOptions } from "../rig.ts";
import { numberedCourse, rigWith } from "./helpers.ts";

const BROKEN = fileURLToPath(new URL("../../examples/broken.yaml", import.meta.url));
const TABLE = ["courses", "ls", "-o", "table"];
const CHECK = ["courses", "check", BROKEN];
const WRONG = ["courses", "ls", "--limit", "0"];

const ESCAPE = "\u001b";
/** Everything printed, on both outputs. */
async function printed(words: readonly string[], options: RunOptions): Promise<string> {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  const { stdout, stderr } = await r.run(words, options);
  expect(stdout + stderr).not.toBe("");
  return stdout + stderr;
}

describe.each([TABLE, CHECK, WRONG])("colors of catalog %s %s %s", (...words) => {
  test(`catalog ${words.join(" ")} --no-color prints no color, even with FORCE_COLOR`, async () => {
    const environment = { FORCE_COLOR: "3" };
    expect(await printed([...words, "--no-color"], { environment })).not.toContain(ESCAPE);
  });
});
