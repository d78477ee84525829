/** Signals during long operations: no partial file remains, and nothing is lost. */
import { spawn } from "node:child_process";
import { type FSWatcher, watch } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEFAULT_KEY, DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { IS_LONG, someOf } from "../long.ts";
import { course } from "../rig.ts";
import { readFiles } from "./disk.ts";
import {
  HAS_TERMINAL,
  newFile,
  newFolder,
  numberedCourses,
  pathWithCatalog,
  Running,
  runCatalog,
  STACK,
  serve,
  startCatalog,
  storedIds,
} from "./rig.ts";

const ID = "00000000-0000-4000-9000-000000000001";
/** More files than a pull writes before a signal arrives. */
const MANY = 600;
const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** A service with these responses, and the next request that it receives. */
async function service(answer: RequestListener) {
  let arrived: (request: IncomingMessage) => void = () => undefined;
  const request = new Promise<IncomingMessage>((resolve) => {
    arrived = resolve;
  });
  const server = createServer((incoming, response) => {
    answer(incoming, response);
    if (!response.writableEnded) arrived(incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    request,
    environment: { CATALOG_BASE_URL: baseUrl, CATALOG_API_KEY: DEFAULT_KEY },
  };
}

/** Returns the provider, and never responds to requests for courses. */
const silent: RequestListener = ({ url = "", method }, response) => {
  if (method === "GET" && url.includes("/providers"))
    response.end(JSON.stringify([DEFAULT_PROVIDER]));
};
const hanging: RequestListener = () => undefined;

describe("signals while the program waits for the service", () => {
  const LINES = [
    ["courses", "pull", "out"],
    ["courses", "push", "FILE", "--write-ids", "--report", "sarif=report.json"],
    ["courses", "ls", "--json"],
    ["courses", "create", "FILE"],
    ["courses", "check", "--online", "FILE"],
    ["courses", "rm", "--yes", ID],
    ["login", "--with-key"],
    ["api", "GET", "/developer/v1/courses"],
  ];

  test("SIGINT and SIGTERM end waiting commands immediately and quietly, and no file is written", async () => {
    const file = await newFile("a.json", JSON.stringify(numberedCourses(1)));
    const interrupted = async (words: readonly string[], number: number): Promise<void> => {
      const signal = number % 2 === 0 ? "SIGINT" : "SIGTERM";
      const asksOnlyOnce = /online|login/.test(words.join());
      const { request, environment } = await service(asksOnlyOnce ? hanging : silent);
      const folder = await newFolder();
      const running = await startCatalog(
        words.map((word) => (word === "FILE" ? file : word)),
        { environment, folder, input: words[0] === "login" ? DEFAULT_KEY : "" },
      );
      await request;
      running.child.kill(signal);
      const { stdout, stderr, ...ended } = await running.ended;
      expect({ words, ...ended }).toEqual({ words, code: CODES[signal], signal: null });
      expect([stdout + stderr, await readFiles(folder)]).toEqual(["", {}]);
    };
    const lines = someOf(LINES, 2);
    for (let next = 0; next < lines.length; next += 4) {
      const some = lines.slice(next, next + 4);
      await Promise.all(some.map((words, index) => interrupted(words, next + index)));
    }
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "%s ends a mapping with an endless regular expression",
    async (signal) => {
      const folder = await newFolder();
      await writeFile(join(folder, "a.csv"), Buffer.from("name\nÄ\n", "latin1"));
      const mapping = `{"name": $match("${"a".repeat(40)}!", /^(a+)+$/)}`;
      await writeFile(join(folder, "map.jsonata"), mapping);
      const words = ["courses", "import", "a.csv", "--map", "map.jsonata"];
      const running = await startCatalog(words, { folder });
      await running.waitForStderr(/read as Windows-1252/);
      const again = setInterval(() => running.child.kill(signal), 100);
      const ended = await running.ended;
      clearInterval(again);
      expect(ended.code ?? ended.signal).toBeOneOf([CODES[signal], signal]);
      expect(ended.stdout).toBe("");
    },
  );

  test("SIGPIPE is ignored while a command waits for the service", async () => {
    const answers: (() => void)[] = [];
    const { request, environment } = await service((_, response) => {
      answers.push(() => response.end("[]"));
    });
    const running = await startCatalog(["courses", "ls", "-o", "id"], { environment });
    await request;
    running.child.kill("SIGPIPE");
    for (const answer of answers) answer();
    expect(await running.ended).toMatchObject({ code: 0, signal: null, stdout: "" });
  });
});

describe("signals while the program writes files", () => {
  /** Waits for a change in a folder. */
  async function touched(folder: string): Promise<void> {
    let watcher: FSWatcher | undefined;
    await new Promise<void>((resolve) => {
      watcher = watch(folder, () => resolve());
    });
    watcher?.close();
  }

  test("rm that is ended by a signal leaves a complete undo record of everything that it deleted", async () => {
    const long = "A long text. ".repeat(200_000);
    const courses = numberedCourses(5).map((each) => ({ ...each, long_description: long }));
    const served = await serve(courses);
    const ids = await storedIds(served);
    const folder = await newFolder();
    const kept = join(folder, "state/catalog/history");
    await mkdir(kept, { recursive: true });
    const begun = touched(kept);
    const running = await startCatalog(["courses", "rm", "--yes", ...ids], { ...served, folder });
    await begun;
    running.child.kill("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 143, signal: null, stdout: "" });
    const files = await readFiles(kept);
    const left = await storedIds(served);
    const [text = "\n"] = Object.values(files);
    const writes = text.slice(0, -1).split("\n").slice(1);
    const recorded = writes.map((line): unknown => JSON.parse(line).before?.id);
    expect(ids.filter((each) => !left.includes(each) && !recorded.includes(each))).toEqual([]);
  });

  test("pull that is ended by two signals leaves complete files and no temporary files", async () => {
    const served = await serve(numberedCourses(MANY));
    const folder = await newFolder();
    const words = ["courses", "pull", "out", "-o", "id"];
    const running = await startCatalog(words, { ...served, folder });
    await running.waitForStdout(/\n/);
    running.child.kill("SIGINT");
    running.child.kill("SIGTERM");
    const { code, stderr } = await running.ended;
    expect([130, 143]).toContain(code);
    expect(stderr).not.toMatch(STACK);
    const files = Object.entries(await readFiles(join(folder, "out")));
    expect(files.length).toBeLessThan(MANY);
    for (const [name, text] of files) {
      expect(name).toMatch(/\.yaml$/);
      expect(text).toMatch(/^id: [\s\S]*\nassignments: false\n$/);
    }
  });
});

describe.skipIf(!HAS_TERMINAL)("signals on a terminal", () => {
  /** Runs a script of `sh` on a terminal. @returns it, and a promise that resolves when all its processes have ended */
  async function onTerminal(script: string, environment: Record<string, string>, folder: string) {
    const child = spawn("script", ["-qfec", script, "/dev/null"], {
      cwd: folder,
      env: {
        PATH: await pathWithCatalog(),
        HOME: folder,
        TERM: "xterm",
        ...environment,
      },
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    const shared = child.stdio[3];
    // Any remaining process keeps it open.
    const gone = new Promise((resolve) => shared?.on("close", resolve).on("data", () => undefined));
    return { running: new Running(child, [script], {}), gone };
  }

  /** The process id that the shell prints before it becomes the program. */
  const TELLING = "sh -c 'echo process $$; exec catalog \"$@\"' sh";

  async function idOf(running: Running): Promise<number> {
    return Number((await running.waitForStdout(/process (\d+)/))[1]);
  }

  test.each(
    someOf(
      [
        ["SIGINT", 130],
        ["SIGTERM", 143],
      ],
      1,
    ),
  )("%s at a question of login restores the terminal", async (signal, code) => {
    const folder = await newFolder();
    const { running } = await onTerminal(`${TELLING} login; echo code $?; stty -a`, {}, folder);
    const id = await idOf(running);
    await running.waitForStdout(/Base URL:/);
    process.kill(id, signal);
    const { stdout } = await running.ended;
    expect(stdout).toContain(`code ${code}`);
    expect(stdout).toMatch(/[ ;]icanon/);
    expect(stdout).toMatch(/ echo /);
    expect(stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001b[?25l"));
    expect(await readFiles(folder)).toEqual({});
  });

  test("closing the terminal ends login's question, and nothing is saved", async () => {
    const folder = await newFolder();
    const { running, gone } = await onTerminal("catalog login", {}, folder);
    await running.waitForStdout(/Base URL:/);
    running.child.kill("SIGKILL");
    await gone;
    expect(await readFiles(folder)).toEqual({});
  });

  test.runIf(IS_LONG)("closing the terminal during a pull leaves complete files", async () => {
    const served = await serve(numberedCourses(1000));
    const folder = await newFolder();
    const { running, gone } = await onTerminal(
      "catalog courses pull out -o id",
      served.environment,
      folder,
    );
    await running.waitForStdout(/\n/);
    running.child.kill("SIGKILL");
    await gone;
    const files = Object.entries(await readFiles(join(folder, "out")));
    // A killed program can leave its last temporary file.
    const complete = files.filter(([name]) => name.endsWith(".yaml"));
    expect([complete.length > 0, files.length - complete.length < 2]).toEqual([true, true]);
    for (const [, text] of complete) expect(text).toMatch(/^id: [\s\S]*\nassignments: false\n$/);
    const next = await runCatalog(["courses", "pull", "out"], { ...served, folder });
    expect(next.code).toBe(0);
  });

  test.runIf(IS_LONG)(
    "a push that ended because the terminal was closed is completed by the next push",
    async () => {
      const served = await serve();
      const folder = await newFolder();
      const text = JSON.stringify([course(), ...numberedCourses(3)]);
      await writeFile(join(folder, "a.json"), text);
      const { baseUrl, request, environment } = await service(silent);
      const words = `catalog courses push a.json --write-ids`;
      const { gone, running } = await onTerminal(words, environment, folder);
      expect((await request).url).toContain("/courses");
      expect(baseUrl).not.toBe(served.sandbox.baseUrl);
      running.child.kill("SIGKILL");
      await gone;
      expect(await readFile(join(folder, "a.json"), "utf8")).toBe(text);
      const next = await runCatalog(["courses", "push", "a.json"], { ...served, folder });
      expect([next.code, (await storedIds(served)).length]).toEqual([0, 4]);
    },
  );
});
