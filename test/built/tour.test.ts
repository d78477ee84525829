/** The README's tour prints what the README shows. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { HAS_TERMINAL, ROOT, start } from "./rig.ts";

test.skipIf(!HAS_TERMINAL)(
  "README: each command of the tour prints what the README shows",
  async () => {
    const script = join(ROOT, "tools/scripts/tour.mjs");
    const { code, stdout } = await (await start(process.execPath, [script, "--tree"])).ended;
    expect(stdout).toMatch(
      /^Node\.js v[\d.]+: \d+ commands of the README's tour, all as shown\.\n$/,
    );
    expect(code).toBe(0);
  },
);
