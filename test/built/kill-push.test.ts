/** A killed push leaves an undo record with which it can be undone. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { scaleRuns } from "../long.ts";
import { ROOT, start } from "./rig.ts";

test("a push killed at random moments is undone completely, and undo names the uncertain outcomes", async () => {
  const script = join(ROOT, "tools/scripts/kill-push.mjs");
  const words = [script, "--rounds", String(scaleRuns(1)), "--courses", "20"];
  const { code, stdout } = await (await start(process.execPath, words)).ended;
  expect(stdout).toMatch(/^rounds +\d+ [\s\S]*lost, wrong or unnamed +0\n$/);
  expect(code).toBe(0);
}, 240_000);
