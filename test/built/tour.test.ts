/** The README's tour goes as the README shows it. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { HAS_TERMINAL, ROOT, start } from "./rig.ts";

test.skipIf(!HAS_TERMINAL)(
  "each command of the README's tour shows what stands there",
  async () => {
    const script = join(ROOT, "tools/scripts/tour.mjs");
    const { code, stdout } = await (await start(process.execPath, [script, "--tree"])).ended;
    expect(stdout).toMatch(
      /^Node\.js v[\d.]+: \d+ commands of the README's tour, all as it shows them\.\n$/,
    );
    expect(code).toBe(0);
  },
);
