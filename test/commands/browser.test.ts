/** The program with which `courses preview` opens its page. */
import { chmod, mkdir, readFile } from "node:fs/promises";
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

test("preview opens its page with the browser of the system, which gets no API key, and no shell", async () => {
  const r = await rig();
  await r.write("xdg-open", `#!/bin/sh\nenv > seen.txt; printf '%s\\n' "$@" > opened.txt\n`);
  await chmod(join(r.folder, "xdg-open"), 0o755);
  const folder = join(r.folder, "$(touch run)");
  await mkdir(folder);
  const environment = { PATH: `${r.folder}:${process.env.PATH}`, TMPDIR: folder };
  const { opened } = await openPreview(r, { environment });
  expect(opened).toMatch(/^file:\/\/\S+\n$/);
  expect(await readFile(join(r.folder, "seen.txt"), "utf8")).not.toContain(DEFAULT_KEY);
  await expect(readFile(join(r.folder, "run"))).rejects.toThrow("ENOENT");
});

test("preview on Windows starts the explorer.exe of PATH, and nothing of the current folder", async () => {
  const r = await rig();
  await r.write("bin/explorer.exe", "#!/bin/sh\nprintf own > opened.txt; exit 1\n");
  await r.write("explorer.exe", "#!/bin/sh\nprintf hostile > opened.txt\n");
  for (const name of ["bin/explorer.exe", "explorer.exe"]) await chmod(join(r.folder, name), 0o755);
  const environment = { Path: `.;"";"${join(r.folder, "bin")}"` };
  const { opened } = await openPreview(r, { environment, platform: "win32" });
  expect(opened).toBe("own");
});
