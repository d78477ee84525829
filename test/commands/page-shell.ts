/**
 * Runs the lines of a document in a real shell, in which `catalog` is the program in this process: quotes, pipes,
 * variables and loops mean what they mean to a reader, and no line needs a new Node.js.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { StopRequest } from "../../src/cli/context.ts";
import { main } from "../../src/main.ts";
import { writeExecutable } from "../executable.ts";
import { MemoryOutput, type Rig } from "../rig.ts";

/** An output of which every byte is recorded, also of workbooks. */
class ByteOutput extends MemoryOutput {
  readonly chunks: Buffer[] = [];

  override async write(text: string | Uint8Array): Promise<void> {
    this.chunks.push(Buffer.from(text));
  }
}

/** Variables that a shell may have unset. */
const ABSENT = { CATALOG_BASE_URL: undefined, CATALOG_API_KEY: undefined };

/** The result of a line. */
export interface LineResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The program `catalog` of the shell: writes what it was called with to a folder, names that folder in a pipe, and
 * waits for the exit code. `$CALLER` is the folder of the call that started it, such as a sandbox.
 */
const CLIENT = `#!/bin/sh
call=$(mktemp -d "$CALLS/XXXXXX") && mkfifo "$call/done" || exit 99
pwd > "$call/folder"
env -0 > "$call/environment"
for word; do printf '%s\\0' "$word"; done > "$call/words"
cat > "$call/stdin"
printf '%s\\n' "$call" > "$CALLS/pipe"
read -r code < "$call/done"
cat "$call/stdout"
if [ -n "$CALLER" ]; then cat "$call/stderr" >> "$CALLER/stderr"; else cat "$call/stderr" >&2; fi
exit "$code"
`;

/** A shell in the folder of a rig. It ends with the test. */
export class PageShell {
  readonly #rig: Rig;
  readonly #shell: ChildProcess;
  readonly #calls: string;
  /** What is typed into a terminal, by the command line that asks. */
  readonly #answers: Readonly<Record<string, string>>;
  readonly #codes: AsyncIterator<string>;

  private constructor(
    rig: Rig,
    shell: ChildProcess,
    calls: string,
    answers: Readonly<Record<string, string>>,
  ) {
    this.#rig = rig;
    this.#shell = shell;
    this.#calls = calls;
    this.#answers = answers;
    this.#codes = linesFrom(shell, 3)[Symbol.asyncIterator]();
    linesFrom(shell, 4).on("line", (call) => void this.#answer(call));
  }

  /**
   * Starts the shell.
   *
   * @param answers what is typed when a command line, such as `catalog undo`, asks; others have no terminal
   */
  static async start(r: Rig, answers: Readonly<Record<string, string>> = {}): Promise<PageShell> {
    const calls = await mkdtemp(join(tmpdir(), "catalog-calls-"));
    writeExecutable(join(calls, "catalog"), CLIENT);
    execFileSync("mkfifo", [join(calls, "pipe")]);
    const env = {
      CALLS: calls,
      PATH: [calls, process.env.PATH].join(delimiter),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Tester",
      GIT_AUTHOR_EMAIL: "a@b.example",
      GIT_COMMITTER_NAME: "Tester",
      GIT_COMMITTER_EMAIL: "a@b.example",
      ...r.system({ out: new MemoryOutput(), err: new MemoryOutput() }).environment,
      HOME: join(r.folder, ".home"),
    };
    const stdio = ["pipe", "ignore", "inherit", "pipe", "pipe"] as const;
    const shell = spawn("sh", [], { cwd: r.folder, env, stdio: [...stdio], detached: true });
    onTestFinished(async () => {
      if (shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL");
      await rm(calls, { recursive: true, force: true });
    });
    // The pipe is opened for both directions, so that it does not end with the first writer.
    shell.stdin?.write('cat <> "$CALLS/pipe" >&4 3>&- &\n');
    return new PageShell(r, shell, calls, answers);
  }

  /** Runs lines that belong together, such as a loop. A line that is not complete fails. */
  async run(lines: string): Promise<LineResult> {
    const [out, err] = [join(this.#calls, "stdout"), join(this.#calls, "stderr")];
    const input = `{\n${lines}\n} < /dev/null > '${out}' 2> '${err}'\necho $? >&3\n`;
    this.#shell.stdin?.write(input);
    const { value, done } = await this.#codes.next();
    if (done === true) throw new Error(`the shell ended: ${lines}`);
    const [stdout, stderr] = await Promise.all([readFile(out, "utf8"), readFile(err, "utf8")]);
    return { code: Number(value), stdout, stderr };
  }

  /** Runs the command line of a call, and ends the call with its exit code; with 99 if the test itself fails. */
  async #answer(call: string): Promise<void> {
    const print = async (name: string, text: string | Uint8Array) =>
      await writeFile(join(call, name), text, { flag: "a" });
    const code = await this.#runMain(call, print).catch(async (error: unknown) => {
      await print("stderr", `error: ${error}\n`);
      return 99;
    });
    await writeFile(join(call, "done"), `${code}\n`);
  }

  async #runMain(
    call: string,
    print: (name: string, text: string | Uint8Array) => Promise<void>,
  ): Promise<number> {
    const read = async (name: string) => await readFile(join(call, name), "utf8");
    const words = (await read("words")).split("\0").slice(0, -1);
    const entries = (await read("environment")).split("\0").slice(0, -1);
    const environment = Object.fromEntries(
      entries.map((entry) => entry.split(/=(.*)/s, 2) as [string, string]),
    );
    const input = this.#answers[["catalog", ...words].join(" ")];
    const terminal = input !== undefined;
    const [out, err] = [new ByteOutput(terminal, 200), new ByteOutput(terminal, 200)];
    const system = this.#rig.system({
      out,
      err,
      terminal,
      input: input ?? (await read("stdin")),
      environment: { ...ABSENT, ...environment, CALLER: call },
    });
    const folder = (await read("folder")).trimEnd();
    const code = await main(words, { ...system, folder, stop: new StopRequest() });
    const [stdout, stderr] = [Buffer.concat(out.chunks), Buffer.concat(err.chunks)];
    const outputs = [stdout.toString(), stderr.toString()];
    this.#rig.requireKeyless({ words, keys: [environment.CATALOG_API_KEY], outputs });
    await print("stdout", stdout);
    await print("stderr", stderr);
    return code;
  }
}

/** The lines that a process writes to one of its file descriptors. */
function linesFrom(child: ChildProcess, fd: number): Interface {
  return createInterface({ input: child.stdio[fd] as Readable });
}
