/** The built program in a hostile folder: it runs only its own code, and reads only regular files. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, PROGRAM, ROOT, runCatalog, start } from "../built/rig.ts";
import { someOf } from "../long.ts";
import { attack } from "./rig.ts";

/** Code that would be noticed if it ran: it prints a line and ends the process. */
const FOREIGN = "console.log('FOREIGN CODE'); process.exit(66);\n";

test("the built program runs no code of a checkout, even if the home folder is in it or relative", async () => {
  const names = ["dist/main.cjs", "dist/start.cjs", ".config/config.js", "catalog.config.js"];
  const caches = [".cache/catalog/main.cjs", ".cache/catalog/v24-x64/0.cache"];
  const files = [...names, ".catalogrc.js", ...caches].map((name) => [name, FOREIGN]);
  const { project: folder } = await attack(() => Object.fromEntries(files));
  const before = await readdir(folder, { recursive: true });
  for (const environment of [
    { HOME: ".", XDG_CACHE_HOME: ".cache", XDG_CONFIG_HOME: ".config", XDG_STATE_HOME: "state" },
    { HOME: undefined, USERPROFILE: "." },
    { HOME: folder },
  ]) {
    const ended = await runCatalog(["status"], { folder, environment });
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no base URL and no API key are set"),
    });
    expect(ended.stdout).not.toContain("FOREIGN");
  }
  expect(await readdir(folder, { recursive: true })).toEqual(before);
});

test("the built program runs no code of a checkout as configuration of cosmiconfig", async () => {
  const names = ["config.js", "config.cjs", "config.mjs", "config.ts", "cosmiconfigrc.js"];
  const scripts = [...names.map((name) => `.config/${name}`), "cosmiconfig.config.js", "a.cjs"];
  const options = { searchPlaces: ["a.cjs"], mergeSearchPlaces: true };
  const settings = { retries: 1, $import: "./a.cjs" };
  const { project: folder } = await attack(() => ({
    ...Object.fromEntries(scripts.map((name) => [name, FOREIGN])),
    ".catalogrc": "timeout: 7\n",
    "package.json": JSON.stringify({ cosmiconfig: options, catalog: settings }),
  }));
  const imported = await runCatalog(["status"], { folder });
  expect(imported).toMatchObject({ code: 2, stdout: "" });
  expect(imported.stderr).toContain("unknown setting $import in");
  await writeFile(join(folder, "package.json"), JSON.stringify({ cosmiconfig: options }));
  const ended = await runCatalog(["status"], { folder });
  expect(ended.stdout).toMatch(/^timeout\t7\tproject config\t/m);
  expect(ended.stdout).not.toContain("FOREIGN");
});

test.each(["/dev/zero", "pipe", "."])("--config %s is refused as no regular file", async (name) => {
  const { run, project } = await attack(() => ({}));
  if (name === "pipe") execFileSync("mkfifo", [join(project, name)]);
  const { code, stdout, stderr } = await run(["status", "--config", name]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(": it is not a regular file\n");
});

test("without a current folder, a command that needs one exits with 2, and neither reads nor makes a folder", async () => {
  const script = 'mkdir gone; cd gone; rmdir ../gone; exec "$@"';
  const folder = await newFolder();
  const runGone = async (line: string, ...before: string[]) => {
    const words = [...before, process.execPath, PROGRAM, ...line.split(" ")];
    const running = await start("bash", ["-c", script, "bash", ...words], { folder, input: "k" });
    return await running.ended;
  };
  const needing = ["courses pull", "courses init a.yaml", "status", "courses check ."];
  for (const line of someOf(needing, 1)) {
    for (const before of someOf([[], ["env", "-u", "PWD"]], 1)) {
      const ended = await runGone(line, ...before);
      const stderr = "error: the current folder does not exist: change to another one\n";
      expect([line, ended]).toMatchObject([line, { code: 2, stdout: "", stderr }]);
      expect(existsSync(join(folder, "gone"))).toBe(false);
    }
  }
  const others = ["courses init", "schema", "history", "logout", "courses ls --help"];
  for (const line of someOf(others, 1)) {
    expect([line, await runGone(line)]).toMatchObject([line, { code: 0 }]);
  }
});

test("the built program reports a missing build in one line and exits with 2", async () => {
  const folder = await newFolder();
  await cp(join(ROOT, "bin"), join(folder, "bin"), { recursive: true });
  const words = [join(folder, "bin/catalog.js"), "--version"];
  const ended = await (await start(process.execPath, words, { folder })).ended;
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toMatch(/^error: catalog is not built: .*dist\/main\.cjs is missing; .*\n$/);
});
