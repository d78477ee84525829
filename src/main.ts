/** The door: hands the process's parts to the program, and its exit code back. */
import { systemCode } from "./base/errors.ts";
import { standardOutput } from "./base/standard-output.ts";
import { systemClock } from "./base/system-clock.ts";
import { STOP_CODES } from "./command-support/exit-codes.ts";
import type { StopSignal, System } from "./command-support/system.ts";
import { VERSION } from "./version.ts";

/**
 * Runs one command line.
 *
 * @param argv the words after the program's name
 * @returns the exit code (cli.md section 4)
 */
export async function main(argv: readonly string[], world: System): Promise<number> {
  const [word, ...more] = argv;
  // The most common question of scripts is answered without loading anything.
  if (more.length === 0 && (word === "--version" || word === "-V")) {
    await world.io.out.write(`${VERSION}\n`);
    return 0;
  }
  if (word === COMPLETE) {
    const { complete } = await import("./cli/completion/complete.ts");
    await complete(more, world);
    return 0;
  }
  const { run } = await import("./cli/run.ts");
  return await run(argv, world);
}

/** The hidden command that shells ask while a line is typed. */
const COMPLETE = "__complete";

/** What the process was started with beside its words. */
export interface Started {
  /** Sets a flag of V8 for the rest of the process. */
  readonly setFlag: (flag: string) => void;
}

/** Runs the process's own command line, and sets its exit code. */
export async function start(started: Started): Promise<void> {
  const out = standardOutput(1, process.platform, () => process.stdout);
  const err = standardOutput(2, process.platform, () => process.stderr);
  const argv = process.argv.slice(2);
  const completes = argv[0] === COMPLETE;
  const world = { ...systemWorld(started, { out, err }), endsWithCommand: !completes };
  try {
    const code = await main(argv, world);
    process.exitCode = code;
    if (completes) {
      endSoon();
      return;
    }
    await out.settled();
    await err.settled();
    // An end in order would first tidy up all that the system takes back anyway.
    process.exit(code);
  } catch (error) {
    process.exitCode = 1;
    const message = `error: ${error instanceof Error ? error.message : error}\n`;
    await world.io.err.write(message).catch(() => undefined);
    await err.settled();
    // What is left open, such as a connection, is not to keep the process alive.
    process.exit(1);
  }
}

/** Milliseconds for an end in order after a completion. */
const LONGEST_END = 250;

/**
 * Ends a completion that has answered, even while the system still looks up a name or opens a file:
 * an ordinary end would wait for that, and the shell with it.
 */
function endSoon(): void {
  setTimeout(() => process.kill(process.pid, "SIGKILL"), LONGEST_END).unref();
}

function systemWorld(
  { setFlag }: Started,
  { out, err }: Pick<System["io"], "out" | "err">,
): System {
  const controller = new AbortController();
  let holds = 0;
  const stop = (signal: StopSignal): void => {
    const again = controller.signal.aborted;
    controller.abort(signal);
    // Nobody waits, or nobody any more: files are written atomically, so this breaks none.
    if (holds > 0 && !again) return;
    // A progress line may stand there unfinished, or a question with its cursor hidden.
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K\u001b[?25h");
    process.exit(STOP_CODES[signal]);
  };
  process.on("SIGINT", () => stop("SIGINT"));
  process.on("SIGTERM", () => stop("SIGTERM"));
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
      out,
      err,
    },
    environment: process.env,
    folder: process.cwd(),
    platform: process.platform,
    clock: systemClock,
    processes: { own: process.pid, isRunning },
    signal: controller.signal,
    // V8 would go on to optimise undici's parser, which is WebAssembly, in the background, and the
    // process cannot end before that is done: a tenth of a second for nothing in most runs.
    beforeConnecting: () => setFlag("--liftoff-only"),
    deferShutdown: () => {
      holds++;
      return () => {
        holds--;
      };
    },
  };
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // Somebody else's process is one all the same.
    return systemCode(error) === "EPERM";
  }
}
