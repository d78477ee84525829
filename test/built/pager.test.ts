/** Long output in the user's pager. */
import { describe, expect, test } from "vitest";
import { HAS_TERMINAL, newFile, runCatalog, startOnTerminal } from "./rig.ts";

const PAGER = `#!/bin/sh
echo "pager with $LESS"
cat
echo "end of pager"
`;

async function environmentWithPager(): Promise<{ PAGER: string }> {
  return { PAGER: `sh ${await newFile("pager.sh", PAGER)}` };
}

describe.skipIf(!HAS_TERMINAL)("the pager", () => {
  test("the pager shows long help on a terminal, and less gets the options that git gives it", async () => {
    const environment = await environmentWithPager();
    const running = await startOnTerminal(["help", "flags"], 80, { environment });
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pager with FRX\r?\n[\s\S]*--base-url[\s\S]*end of pager\r?\n$/);
  });

  test("the pager is not used with --no-pager or if CATALOG_PAGER is empty", async () => {
    const environment = await environmentWithPager();
    for (const [words, more] of [
      [["help", "flags", "--no-pager"], {}],
      [["help", "flags"], { CATALOG_PAGER: "" }],
    ] as const) {
      const running = await startOnTerminal(words, 80, {
        environment: { ...environment, ...more },
      });
      const { code, stdout } = await running.ended;
      expect(code).toBe(0);
      expect(stdout).toContain("--base-url");
      expect(stdout).not.toContain("pager with");
    }
  });

  test("help is printed without the pager if the pager cannot be started", async () => {
    const environment = { CATALOG_PAGER: "/nowhere/pager" };
    const running = await startOnTerminal(["help", "flags"], 80, { environment });
    expect(await running.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("--base-url"),
    });
  });

  test("the pager is not used in a pipe", async () => {
    const environment = await environmentWithPager();
    const { stdout } = await runCatalog(["help", "flags"], { environment });
    expect(stdout).not.toContain("pager with");
  });
});
