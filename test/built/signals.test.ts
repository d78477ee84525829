/** Signals in the middle of a response, of a computation, of a question, and while files are written. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { listen } from "../listen.ts";
import { IS_LONG, someOf } from "../long.ts";
import {
  HAS_TERMINAL,
  newFolder,
  numberedCourses,
  pathWithCatalog,
  Running,
  readFiles,
  STACK,
  serve,
  startCatalog,
} from "./rig.ts";

test("a signal ends the program immediately in the middle of a response", async () => {
  const server = createServer((_, response) => response.writeHead(200).write("["));
  const { baseUrl } = await listen(server);
  const environment = { CATALOG_BASE_URL: baseUrl, CATALOG_API_KEY: DEFAULT_KEY };
  const folder = await newFolder();
  const request = once(server, "request");
  const running = await startCatalog(["courses", "pull", "out"], { environment, folder });
  await request;
  running.child.kill("SIGINT");
  expect(await running.ended).toEqual({ code: null, signal: "SIGINT", stdout: "", stderr: "" });
  expect(await readFiles(folder)).toEqual({});
});

test.each(someOf(["SIGINT", "SIGTERM"], 1))(
  "%s ends a command that changes nothing, while it computes without an end",
  async (signal) => {
    const folder = await newFolder();
    await writeFile(join(folder, "a.csv"), Buffer.from("name\nÄ\n", "latin1"));
    const mapping = `{"name": $match("${"a".repeat(40)}!", /^(a+)+$/)}`;
    await writeFile(join(folder, "map.jsonata"), mapping);
    const words = ["courses", "import", "a.csv", "--map", "map.jsonata"];
    const running = await startCatalog(words, { folder });
    await running.waitForStderr(/read as Windows-1252/);
    running.child.kill(signal);
    expect(await running.ended).toMatchObject({ code: null, signal, stdout: "" });
  },
);

test.runIf(IS_LONG)(
  "pull that is ended by two signals leaves complete files and no temporary files",
  async () => {
    const served = await serve(numberedCourses(600));
    const folder = await newFolder();
    const out = join(folder, "out");
    await mkdir(out);
    const watcher = watch(out);
    const begun = once(watcher, "change");
    const running = await startCatalog(["courses", "pull", "out"], { ...served, folder });
    await begun;
    watcher.close();
    running.child.kill("SIGINT");
    running.child.kill("SIGTERM");
    const { code, stderr } = await running.ended;
    expect([130, 143]).toContain(code);
    expect(stderr).not.toMatch(STACK);
    const files = Object.entries(await readFiles(out));
    expect(files.length).toBeLessThan(600);
    for (const [name, text] of files) {
      expect(name).toMatch(/\.yaml$/);
      expect(text).toMatch(/^id: [\s\S]*\nassignments: false\n$/);
    }
  },
);

test.skipIf(!HAS_TERMINAL)("a signal at a question of login restores the terminal", async () => {
  const folder = await newFolder();
  const script = "sh -c 'echo process $$; exec catalog \"$@\"' sh login; echo code $?; stty -a";
  const child = spawn("script", ["-qfec", script, "/dev/null"], {
    cwd: folder,
    env: { PATH: await pathWithCatalog(), HOME: folder, TERM: "xterm" },
    detached: true,
  });
  const running = new Running(child, [script], {});
  const [, id] = await running.waitForStdout(/process (\d+)/);
  await running.waitForStdout(/Base URL:/);
  process.kill(Number(id), "SIGTERM");
  const { stdout } = await running.ended;
  expect(stdout).toContain("code 143");
  expect(stdout).toMatch(/[ ;]icanon/);
  expect(stdout).toMatch(/ echo /);
  expect(stdout).not.toContain("\u001b[?25l");
  expect(await readFiles(folder)).toEqual({});
});
