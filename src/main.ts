/** The entry point of `catalog`: connects it to the process. No other file reads `process`. */
import { asCatalogError, attempt, VERSION } from "./base/errors.ts";
import { isTerminalGone, standardOutput, systemClock } from "./base/io.ts";
import { STOP_CODES } from "./cli/command.ts";
import { StopRequest, type StopSignal, type System } from "./cli/context.ts";

/** Runs the command line of the process and sets its exit code. Node.js exits when all output is written. */
export async function start(): Promise<void> {
  // If both are set, NO_COLOR takes precedence, and Node.js prints a warning.
  if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
  process.exitCode = await main(process.argv.slice(2), processSystem());
  if (process.exitCode === STOP_CODES.SIGHUP) endWithoutTerminal();
}

/** Runs one command line. @param argv the words after the name of the program @returns the exit code; never rejects */
export async function main(argv: readonly string[], system: System): Promise<number> {
  try {
    const [first, ...rest] = argv;
    // Scripts often ask for the version, so it is printed without loading anything else.
    if (rest.length === 0 && (first === "--version" || first === "-V")) {
      await system.io.out.write(`${VERSION}\n`);
      return 0;
    }
    if (first === "__complete") {
      const { complete } = await import("./program/complete.ts");
      await complete(rest, system.io.out);
      return 0;
    }
    const { run } = await import("./program/run.ts");
    return await run(argv, system);
  } catch (error) {
    await system.io.err.write(`error: ${asCatalogError(error).message}\n`).catch(() => undefined);
    return 1;
  }
}

/** Everything that commands may use of the process. */
function processSystem(): System {
  return {
    io: {
      in: {
        get isTerminal() {
          return process.stdin.isTTY === true;
        },
        get stream() {
          return process.stdin;
        },
      },
      out: standardOutput(1, process.platform, () => process.stdout),
      err: standardOutput(2, process.platform, () => process.stderr),
    },
    environment: process.env,
    folder: attempt(() => process.cwd()),
    platform: process.platform,
    clock: systemClock,
    uid: process.getuid?.(),
    author: () => {
      // Loading the module and the list of users takes time.
      const { hostname, userInfo } = process.getBuiltinModule("node:os");
      const name = attempt(() => userInfo().username);
      return { user: name ?? String(process.getuid?.() ?? "unknown"), host: hostname() };
    },
    ...handleStopSignals(),
    openTransport: async (options) => (await import("./service/http.ts")).openTransport(options),
  };
}

/** Within this time, a second signal counts as the first: `timeout` and shells signal a process and its group. */
const ONE_SIGNAL = 500;

/**
 * Handles stop signals while a command defers them. Otherwise the system ends the process: a handler would not run while
 * the process is busy.
 */
function handleStopSignals(): Pick<System, "stop" | "deferShutdown"> {
  const stop = new StopRequest();
  let deferrals = 0;
  let first: number | undefined;
  const handle = (signal: StopSignal): void => {
    stop.abort(signal);
    first ??= performance.now();
    const isFirst = performance.now() - first < ONE_SIGNAL;
    // A terminal that is closed may send SIGHUP several times: only other signals are from an impatient user.
    if (deferrals > 0 && (isFirst || signal === "SIGHUP")) return;
    // Erases an unfinished progress line.
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
    if (signal === "SIGHUP") endWithoutTerminal();
    // A blocked pipe or a slow name look-up would wait on after the signal.
    process.exit(STOP_CODES[signal]);
  };
  // In a container, the system ends the first process only by signals that it handles.
  const isAlways = process.pid === 1;
  const listen = (change: "on" | "off"): void => {
    for (const signal of STOP_SIGNALS) process[change](signal, handle);
  };
  if (isAlways) listen("on");
  return {
    stop,
    deferShutdown: async (work) => {
      if (++deferrals === 1 && !isAlways) listen("on");
      return await work().finally(() => {
        if (--deferrals === 0 && !isAlways) listen("off");
      });
    },
  };
}

const STOP_SIGNALS: readonly StopSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Ends the process by SIGHUP if its terminal is gone: Node.js 20 would abort when it exits. */
function endWithoutTerminal(): void {
  const { isatty } = process.getBuiltinModule("node:tty");
  if (!process.version.startsWith("v20.") || !isTerminalGone(isatty)) return;
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}
