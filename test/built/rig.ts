/** Runs the built program as a separate process, with pipes or on a terminal. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/base/io.ts";
import { DEFAULT_KEY, DEFAULT_PROVIDER, parseSeeds } from "../../src/sandbox/seed.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/server.ts";
import { memoryStore, type Seed, type Store, type StoredCourse } from "../../src/sandbox/store.ts";
import { writeExecutable } from "../executable.ts";
import { newFolder } from "../folder.ts";
import { requireKeyless } from "../no-key.ts";
import { course } from "../rig.ts";
import { whyStale } from "./stale.ts";

export { newFolder };

/** The folder of the package. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The program that `catalog` runs. */
export const PROGRAM = join(ROOT, "bin/catalog.js");

const STALE = whyStale(ROOT);
if (STALE !== undefined) throw new Error(STALE);

/** The path of an example file. */
export function example(name: string): string {
  return join(ROOT, "examples", name);
}

/** Environment variables; undefined removes one. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** How a process is started. */
export interface StartOptions {
  /** Its home and current folder; a new one by default. */
  readonly folder?: string;
  readonly environment?: Variables;
  /** Its standard input; empty by default, and null leaves it open. */
  readonly input?: string | null;
  /** Keys that it may read besides that of its environment: typed or saved. */
  readonly keys?: readonly string[];
}

/** How a process ended. */
export interface ProcessResult {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A running process; it and its child processes are killed after the test. A process that prints a
 * key fails its test.
 */
export class Running {
  readonly child: ChildProcess;
  readonly ended: Promise<ProcessResult>;
  readonly #texts = { stdout: "", stderr: "" };

  /** @param words the arguments of its command line */
  constructor(child: ChildProcess, words: readonly string[], options: StartOptions) {
    this.child = child;
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        this.#texts[name] += text;
      });
    }
    // A process may close its input early.
    child.stdin?.on("error", () => undefined);
    this.ended = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        const { environment, input, keys = [] } = options;
        try {
          const met = [DEFAULT_KEY, environment?.CATALOG_API_KEY, ...keys];
          const outputs = Object.values(this.#texts);
          requireKeyless({ words, keys: met, input, outputs });
        } catch (error) {
          reject(error);
        }
        resolve({ code, signal, ...this.#texts });
      });
    });
    onTestFinished(async () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has already ended.
      }
      await this.ended;
    });
  }

  /** Waits until standard output contains the text. @returns the match */
  async waitForStdout(text: RegExp): Promise<RegExpExecArray> {
    return await this.#find(text, "stdout");
  }

  /** Waits until standard error contains the text. @returns the match */
  async waitForStderr(text: RegExp): Promise<RegExpExecArray> {
    return await this.#find(text, "stderr");
  }

  #find(text: RegExp, name: "stdout" | "stderr"): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = text.exec(this.#texts[name]);
        if (found !== null) resolve(found);
      };
      this.child[name]?.on("data", look);
      look();
      this.ended.then(({ code, stdout, stderr }) => {
        reject(new Error(`ended with ${code} before ${text}:\n${stdout}\n${stderr}`));
      }, reject);
    });
  }
}

/** Writes a file below a new folder. @returns its path */
export async function newFile(name: string, content: string): Promise<string> {
  const path = join(await newFolder(), name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

/** Starts any program in a clean environment. */
export async function start(
  program: string,
  words: readonly string[],
  options: StartOptions = {},
): Promise<Running> {
  const folder = options.folder ?? (await newFolder());
  const running = new Running(
    spawn(program, words, {
      cwd: folder,
      env: environmentFor(folder, options.environment),
      // A separate process group, so that remaining child processes can be killed with it.
      detached: true,
    }),
    words,
    options,
  );
  if (options.input !== null) running.child.stdin?.end(options.input ?? "");
  return running;
}

/** The environment of a process: PATH of the tests, a new home, and nothing else. */
function environmentFor(folder: string, changes: Variables = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_STATE_HOME: join(folder, "state"),
    SHELL: "/bin/sh",
    ...changes,
  };
}

/** Starts `catalog`. */
export async function startCatalog(
  words: readonly string[],
  options: StartOptions = {},
): Promise<Running> {
  return await start(process.execPath, [PROGRAM, ...words], options);
}

/** Runs `catalog` to its end. */
export async function runCatalog(
  words: readonly string[],
  options: StartOptions = {},
): Promise<ProcessResult> {
  return await (await startCatalog(words, options)).ended;
}

/** Runs a script of `sh` in which `catalog` is a command; `words` are its `$1`, `$2`. */
export async function runScript(
  script: string,
  words: readonly string[] = [],
  options: StartOptions = {},
): Promise<ProcessResult> {
  const environment = { PATH: await pathWithCatalog(), ...options.environment };
  const all = ["-c", script, "sh", ...words];
  return await (await start("/bin/sh", all, { ...options, environment })).ended;
}

/** A search path that includes `catalog`. */
export async function pathWithCatalog(): Promise<string> {
  const folder = await newFolder();
  const text = `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
  writeExecutable(join(folder, "catalog"), text);
  return [folder, process.env.PATH].join(delimiter);
}

/** Whether this machine can run processes on a terminal. */
export const HAS_TERMINAL = spawnSync("script", ["--version"], {
  encoding: "utf8",
}).stdout?.includes("util-linux");

/** Starts `catalog` on a terminal of that width; both of its outputs are standard output. */
export async function startOnTerminal(
  words: readonly string[],
  columns: number,
  { redirection = "", ...options }: StartOptions & { readonly redirection?: string } = {},
): Promise<Running> {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const script = `exec catalog ${quoted} ${redirection}`;
  return await startScriptOnTerminal(script, columns, options, words);
}

/** Starts a script of `sh`, in which `catalog` is a command, on a terminal of that width. */
export async function startScriptOnTerminal(
  script: string,
  columns: number,
  options: StartOptions = {},
  words: readonly string[] = [],
): Promise<Running> {
  const folder = options.folder ?? (await newFolder());
  const line = `stty cols ${columns} rows 24; ${script}`;
  const terminal = { TERM: "xterm-256color", PATH: await pathWithCatalog() };
  const child = spawn("script", ["-qfec", line, "/dev/null"], {
    cwd: folder,
    env: environmentFor(folder, { ...terminal, ...options.environment }),
    detached: true,
  });
  return new Running(child, words, options);
}

/** A sandbox in the test process, and the variables that select it. */
export interface ServedSandbox {
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly environment: Readonly<Record<"CATALOG_BASE_URL" | "CATALOG_API_KEY", string>>;
}

/** Serves these courses of the default provider until the test ends. */
export async function serve(
  courses: readonly unknown[] = [],
  { seed, ...options }: Partial<SandboxOptions> & { readonly seed?: Seed } = {},
): Promise<ServedSandbox> {
  const user = { key: DEFAULT_KEY, providers: [DEFAULT_PROVIDER], courses };
  const store = memoryStore(seed ?? parseSeeds([{ users: [user] }], systemClock));
  const sandbox = await startSandbox({ store, clock: systemClock, ...options });
  onTestFinished(() => sandbox.close());
  return {
    sandbox,
    store,
    environment: { CATALOG_BASE_URL: sandbox.baseUrl, CATALOG_API_KEY: DEFAULT_KEY },
  };
}

/** That many courses, each with a different url. */
export function numberedCourses(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) =>
    course({ name: `Course ${index + 1}`, url: `https://academy.example/courses/${index + 1}` }),
  );
}

/** All courses in the service. */
export function storedCourses({ store }: ServedSandbox): readonly StoredCourse[] {
  return store.all();
}

/** The ids of all courses in the service. */
export function storedIds(served: ServedSandbox): string[] {
  return storedCourses(served).map(({ id }) => id);
}

/** The lines of the record of the only run in that folder. */
export async function readRecord(folder: string): Promise<Readonly<Record<string, unknown>>[]> {
  const records = join(folder, "state/catalog/history");
  const [name = ""] = await readdir(records);
  return linesOf(await readFile(join(records, name), "utf8")).map((line) => JSON.parse(line));
}

/** The contents of all files below a folder by path. */
export async function readFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1), await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

/** The lines of a text, with or without a final line break. */
export function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}

/** A line of a stack trace. */
export const STACK = /^\s+at .*[:(]/m;
