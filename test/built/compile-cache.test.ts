/** The compile cache of Node.js 22.1 and later: in the package's folder, readable only by its owner. */
import { statSync } from "node:fs";
import { chown, cp, readdir, writeFile } from "node:fs/promises";
import module from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newFolder, ROOT, start, type Variables } from "./rig.ts";

/** A copy of the package, so that a test sees what one run changes. */
async function copyPackage(): Promise<string> {
  const folder = await newFolder();
  await cp(join(ROOT, "bin"), join(folder, "bin"), { recursive: true });
  await cp(join(ROOT, "dist"), join(folder, "dist"), {
    recursive: true,
    filter: (path) => !path.endsWith(".cache"),
  });
  await writeFile(join(folder, "package.json"), '{"type": "module"}');
  return folder;
}

async function runVersion(program: string, environment: Variables = {}) {
  return await (await start(process.execPath, [program, "--version"], { environment })).ended;
}

async function isCached(folder: string): Promise<boolean> {
  return (await readdir(join(folder, "dist"))).includes(".cache");
}

const SUCCESS = { code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" };

describe.skipIf(!("enableCompileCache" in module))("the compile cache", () => {
  test("the compile cache is written to the package's own folder", async () => {
    const folder = await copyPackage();
    expect(await runVersion(join(folder, "bin/catalog.js"))).toMatchObject(SUCCESS);
    expect(await isCached(folder)).toBe(true);
  });

  test.skipIf(process.getuid?.() !== 0)("other users' packages get no compile cache", async () => {
    const folder = await copyPackage();
    await chown(folder, 12345, 12345);
    expect(await runVersion(join(folder, "bin/catalog.js"))).toMatchObject(SUCCESS);
    expect(await isCached(folder)).toBe(false);
  });

  test("the compile cache has modes for its owner only; the umask applies only to the user's files", async () => {
    const folder = await copyPackage();
    const script = `umask 000; node="$1"; program="$2"; "$node" "$program" --version
      printf 'id: a\n' | "$node" "$program" courses check - --report sarif=report.json`;
    const words = ["-c", script, "sh", process.execPath, join(folder, "bin/catalog.js")];
    const running = await start("/bin/sh", words, { folder });
    await running.ended;
    const inside = (await readdir(join(folder, "dist/.cache"))).map((name) => `.cache/${name}`);
    const modes = [".cache", ...inside].map(
      (name) => statSync(join(folder, "dist", name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700]);
    expect(statSync(join(folder, "report.json")).mode & 0o777).toBe(0o666);
  });
});
