/** Runs other programs: the command of `catalog sandbox --`, the user's editor, browser and pager, and git. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { isKeyVariable } from "../base/credentials.ts";
import { CatalogError, systemCode } from "../base/errors.ts";
import { type Output, streamOutput, UNGUARDED } from "../base/io.ts";
import type { Environment } from "../base/process.ts";
import type { Context, System } from "./context.ts";
import { locate } from "./find-program.ts";

type Needs = Pick<Context, "environment" | "folder" | "platform" | "stop" | "io">;

const NO_ALIAS =
  "Shell aliases do not work here. If catalog is an alias, write its command: node bin/catalog.js";

/**
 * Runs a program, with more variables in its environment, and forwards stop signals to it. @returns its exit code, or
 * 128 plus the number of the signal that ended it @throws CatalogError of kind `usage` if it cannot be run
 */
export async function runChild(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
  context: Needs,
): Promise<number> {
  const [name = ""] = words;
  // In the shell, `catalog` may be an alias, which is not a program.
  const advice = name === "catalog" ? NO_ALIAS : undefined;
  const environment = { ...context.environment, ...variables };
  return await run({ words, name, advice, environment }, context);
}

interface Program {
  readonly words: readonly string[];
  readonly name: string;
  readonly advice: string | undefined;
  readonly environment: Environment;
}

async function run(program: Program, context: Needs): Promise<number> {
  const { folder, platform, stop } = context;
  const [name = "", ...rest] = program.words;
  const command = locate(name, program.environment, platform);
  if (command === undefined) throw cannotRun(program);
  // cross-spawn can start scripts such as npm.cmd on Windows, which Node.js cannot.
  const { default: spawn } = await import("cross-spawn");
  if (stop.reason !== undefined) throw new CatalogError("interrupted", "interrupted");
  const forwardTo = signalForwarder(context);
  try {
    const env = program.environment;
    const child = spawn(command, rest, { cwd: folder, env, stdio: "inherit" });
    forwardTo(child);
    return await exitOf(child);
  } catch (cause) {
    throw cannotRun(program, cause);
  }
}

/** The result of a program. */
export interface Captured {
  readonly code: number;
  readonly output: Buffer;
  /** The beginning of its standard error. */
  readonly errors: string;
}

interface Unattended {
  readonly path: string;
  readonly words: readonly string[];
  readonly environment: Environment;
  readonly input?: string;
  readonly most: number;
}

/**
 * Runs a program, and forwards stop signals to it. Kills a program that prints too much, or nothing for a long time.
 *
 * @returns undefined if it was killed
 * @throws CatalogError of kind `interrupted` after a stop signal, `usage` if it cannot be run
 */
export async function capture(
  { path, words, environment, input = "", most }: Unattended,
  context: Needs & Pick<Context, "clock">,
): Promise<Captured | undefined> {
  const { stop, clock, folder } = context;
  // cross-spawn can start scripts such as git.cmd on Windows, which Node.js cannot.
  const { default: spawn } = await import("cross-spawn");
  const requireTime = (): void => {
    if (stop.reason !== undefined) throw new CatalogError("interrupted", "interrupted");
  };
  requireTime();
  const forwardTo = signalForwarder(context);
  const child = spawn(path, words, { cwd: folder, env: environment, stdio: "pipe" });
  forwardTo(child);
  let state: "running" | "killed" | "ended" = "running";
  const kill = (): void => {
    state = "killed";
    child.kill("SIGKILL");
    // A program that the child has started may keep the streams open.
    for (const stream of child.stdio) stream?.destroy();
  };
  let isSilent = true;
  const watch = (): void => {
    clock.timeout(PATIENCE).addEventListener("abort", () => {
      if (state !== "running") return;
      if (isSilent) return kill();
      isSilent = true;
      watch();
    });
  };
  watch();
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    isSilent = false;
    size += chunk.length;
    if (size > most) kill();
    else chunks.push(chunk);
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    if (errors.length < MAX_ERRORS) errors += chunk.toString();
  });
  // A program that ends early may not read all of its input.
  child.stdin.on("error", () => undefined).end(input);
  try {
    const code = await new Promise<number>((resolve, reject) => {
      // Programs that the child has started may go on and keep the streams open.
      child.once("exit", () => stop.reason !== undefined && kill());
      child.once("error", reject).once("close", (ended) => resolve(ended ?? KILLED));
    });
    requireTime();
    return state === "running" ? { code, output: Buffer.concat(chunks), errors } : undefined;
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    throw cannotRun({ words: [path], name: path, advice: undefined }, cause);
  } finally {
    state = "ended";
  }
}

/** A program is killed if it prints nothing for this many milliseconds, or at most twice as many. */
const PATIENCE = 60_000;
const MAX_ERRORS = 64 * 1024;
const KILLED = 128;

/**
 * Forwards stop signals to a child, except Ctrl-C on a terminal, which the terminal sends to both processes.
 *
 * Call this before the child starts: to ask whether standard input is a terminal makes the input non-blocking, and the
 * start of a child makes it blocking again.
 */
function signalForwarder({ stop, io }: Pick<Needs, "stop" | "io">): (child: ChildProcess) => void {
  const atTerminal = io.in.isTerminal || io.out.isTerminal || io.err.isTerminal;
  return (child) => {
    const forward = (): void => {
      if (stop.reason !== "SIGINT" || !atTerminal) child.kill(stop.reason);
    };
    stop.signal.addEventListener("abort", forward, { once: true });
    child.once("exit", () => stop.signal.removeEventListener("abort", forward));
  };
}

async function exitOf(child: ChildProcess): Promise<number> {
  return await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, name) =>
      resolve(code ?? 128 + (name === null ? 0 : constants.signals[name])),
    );
  });
}

/** The error of a program that cannot be run. @param cause the error of its start; without one, it was not found */
function cannotRun({ words, name, advice }: Omit<Program, "environment">, cause?: unknown) {
  const code = systemCode(cause) ?? String(cause);
  const isMissing = cause === undefined || /^(ENOENT|ERR_INVALID_ARG_VALUE)$/.test(code);
  const noShell = cause !== undefined && words[0] === SHELL && name !== SHELL;
  const missing = noShell ? `cannot find the shell ${SHELL}` : "command not found";
  const message = `cannot run ${name || "an empty command"}: ${isMissing ? missing : code}`;
  return new CatalogError("usage", message, { cause, advice: isMissing ? advice : undefined });
}

/**
 * Runs a program that a variable names, such as the editor, with more arguments, such as a file. @param tool the value
 * of the variable (`code --wait`), and the advice if there is no such program @returns as `runChild` does
 */
export async function runTool(
  { value, advice }: { readonly value: string; readonly advice: string },
  more: readonly string[],
  context: Needs,
): Promise<number> {
  const words = [...toolWords(value, context.platform), ...more];
  const environment = withoutKeys(context.environment);
  const program = { words, name: value, advice, environment };
  const code = await run(program, context);
  if (code === NOT_FOUND) throw cannotRun(program);
  return code;
}

/** The environment without API keys, for programs that do not use the service. */
export function withoutKeys(environment: Environment): Environment {
  const variables = Object.entries(environment);
  return Object.fromEntries(variables.filter(([name]) => !isKeyVariable(name)));
}

const SHELL = "sh";
const NOT_FOUND = 127;

/**
 * The words of a tool: `code --wait` is two. As in git, a shell reads a value with quotes or variables, and gets further
 * words, such as the path of a file, as its arguments. On Windows, which has no such shell, only quotes have a meaning.
 */
function toolWords(value: string, platform: NodeJS.Platform): readonly string[] {
  if (platform === "win32") {
    const words = value.matchAll(/(?<!\S)'([^']*)'(?!\S)|(?:"[^"]*"|[^\s"])+/g);
    return [...words].map(([word, quoted]) => quoted ?? word.replaceAll('"', ""));
  }
  if (/^[\w\s+,./:@-]+$/.test(value)) return value.trim().split(/\s+/);
  return [SHELL, "-c", `${value} "$@"`, value];
}

/** Options of `less`: exit if the text fits the screen (F), show colors (R), leave the text on the screen (X). */
const LESS = "FRX";

/** The pager in `CATALOG_PAGER` or `PAGER`; undefined if that is empty or `cat`. */
export function findPager({ CATALOG_PAGER, PAGER }: Environment): string | undefined {
  const value = (CATALOG_PAGER ?? PAGER ?? "").trim();
  return value === "" || value === "cat" ? undefined : value;
}

/** An output that a pager shows. */
export interface PagedOutput extends Output {
  /** Ends the text and waits until the user closes the pager. @throws CatalogError of kind `usage` without a pager */
  end(): Promise<void>;
}

/** Starts a pager, and defers stop signals until it ends, so that it is not left alone. @returns undefined on failure */
export async function startPager(
  value: string,
  out: Output,
  system: System,
): Promise<PagedOutput | undefined> {
  const { environment, folder, platform, deferShutdown } = system;
  const words = toolWords(value, platform);
  const [name = "", ...rest] = words;
  const program = locate(name, environment, platform);
  if (program === undefined) return undefined;
  const { default: spawn } = await import("cross-spawn");
  const forwardTo = signalForwarder(system);
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...withoutKeys(environment), LESS: environment.LESS ?? LESS },
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = exitOf(child);
  // `end` awaits this promise. Until then, a failure must not count as unhandled.
  ended.catch(() => undefined);
  try {
    await once(child, "spawn");
  } catch {
    return undefined;
  }
  const release = deferShutdown();
  forwardTo(child);
  const input = streamOutput(child.stdin);
  return {
    ...UNGUARDED,
    stream: input.stream,
    isTerminal: true,
    get columns() {
      return out.columns;
    },
    get closed() {
      return input.closed;
    },
    write: (text) => input.write(text),
    end: async () => {
      child.stdin.end();
      // On Windows, only now it is known that there is no such program.
      const code = await ended.catch(() => NOT_FOUND);
      release();
      if (code !== NOT_FOUND) return;
      throw cannotRun({ words, name: value, advice: "Set PAGER to another pager." });
    },
  };
}
