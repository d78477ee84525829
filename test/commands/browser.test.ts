/** The program with which `courses preview` opens its page. */
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { StopRequest } from "../../src/cli/context.ts";
import { main } from "../../src/main.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { course, MemoryOutput, type Rig, rig } from "../rig.ts";

interface Browsing {
  readonly environment: Readonly<Record<string, string>>;
  readonly platform?: NodeJS.Platform;
}

/** Runs preview on a terminal until the browser has written `opened.txt`. @returns the content and the messages */
async function openPreview(r: Rig, { environment, platform = "linux" }: Browsing) {
  await r.write("a.json", JSON.stringify(course()));
  const [out, err, stop] = [new MemoryOutput(true), new MemoryOutput(true), new StopRequest()];
  const variables = { TMPDIR: r.folder, ...environment };
  const system = r.system({ out, err, terminal: true, environment: variables });
  const ended = main(["courses", "preview", "a.json"], { ...system, platform, stop });
  const read = async () => await readFile(join(r.folder, "opened.txt"), "utf8");
  const opened = await vi.waitFor(read, { timeout: 10_000 });
  stop.abort("SIGINT");
  await ended;
  return { opened, stderr: err.text };
}

test("preview gives BROWSER its arguments, the page and no API key, and no shell reads BROWSER", async () => {
  const r = await rig();
  await r.write("my browser.sh", `env > seen.txt; printf '%s\\n' "$@" > opened.txt\n`);
  const environment = { BROWSER: `sh "my browser.sh" --new-tab '$(touch run)'` };
  const { opened } = await openPreview(r, { environment });
  expect(opened).toMatch(/^--new-tab\n\$\(touch run\)\n(file|http):\/\/\S+\n$/);
  expect(await readFile(join(r.folder, "seen.txt"), "utf8")).not.toContain(DEFAULT_KEY);
  await expect(readFile(join(r.folder, "run"))).rejects.toThrow("ENOENT");
});

test.each([
  ["explorer.exe", {}],
  ["browser.exe", { BROWSER: '"browser.exe"' }],
])(
  "preview on Windows starts the %s of PATH, and nothing of the current folder",
  async (program, variables) => {
    const r = await rig();
    await r.write(`bin/${program}`, "#!/bin/sh\nprintf own > opened.txt; exit 1\n");
    await r.write(program, "#!/bin/sh\nprintf hostile > opened.txt\n");
    for (const name of [`bin/${program}`, program]) await chmod(join(r.folder, name), 0o755);
    const environment = { Path: `.;"";"${join(r.folder, "bin")}"`, ...variables };
    const { opened } = await openPreview(r, { environment, platform: "win32" });
    expect(opened).toBe("own");
  },
);
