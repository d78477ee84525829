/** Types into a shell on a terminal, and reads its screen. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import headless from "@xterm/headless";
import { onTestFinished, vi } from "vitest";
import { isInstalled, writeExecutable } from "../executable.ts";
import { HAS_TERMINAL, newFolder, PROGRAM } from "./rig.ts";

/** The shells that complete on a terminal. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
/** The name of such a shell. */
export type ShellName = (typeof SHELLS)[number];

/** How to start a shell without its own configuration, and how to load the script. */
const COMMAND_LINES: Readonly<Record<ShellName, { start: string; install: string }>> = {
  bash: { start: "bash --noprofile --norc -i", install: 'eval "$(catalog completion bash)"' },
  zsh: { start: "zsh -f -i", install: 'eval "$(catalog completion zsh)"' },
  fish: { start: "fish -i", install: "catalog completion fish | source" },
};

const FISH_CONFIG = "set -g fish_greeting; function fish_prompt; printf '$ '; end\n";

/** Whether a shell can run on a terminal here. Every test also needs bash, for its program. */
export function canRun(shell: ShellName): boolean {
  return HAS_TERMINAL === true && isInstalled(shell) && isInstalled("bash");
}

/** Large enough that no line wraps and nothing scrolls away. */
const SIZE = { cols: 250, rows: 200 };
/** Milliseconds to wait for a text. */
const LONGEST = 18_000;

/** A shell that has loaded the completion script. It ends with the test. */
export class Shell {
  readonly #child: ChildProcess;
  readonly #terminal = new headless.Terminal({ ...SIZE, allowProposedApi: true });
  #entered = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdin?.on("error", () => undefined);
    // Some shells query the terminal and wait for its response.
    this.#terminal.onData((answer) => child.stdin?.write(answer));
    child.stdout?.on("data", (bytes: Buffer) => this.#terminal.write(bytes));
  }

  /**
   * Starts a shell in which `catalog` completes as built, but otherwise prints its arguments.
   *
   * @param folder its home and current folder
   */
  static async start(name: ShellName, folder: string): Promise<Shell> {
    await mkdir(join(folder, ".config/fish"), { recursive: true });
    // Without this folder, fish reads all manual pages.
    await mkdir(join(folder, ".local/share/fish/generated_completions"), { recursive: true });
    await writeFile(join(folder, ".config/fish/config.fish"), FISH_CONFIG);
    const program = join(await newFolder(), "catalog");
    const completing = `exec "${process.execPath}" "${PROGRAM}" "$@"`;
    writeExecutable(
      program,
      `#!/usr/bin/env bash
case $1 in __complete | completion) ${completing} ;; esac
printf '<%s>' "$@"
echo
`,
    );
    const { start, install } = COMMAND_LINES[name];
    const size = `stty cols ${SIZE.cols} rows ${SIZE.rows}`;
    const child = spawn("script", ["-qfec", `${size}; exec ${start}`, "/dev/null"], {
      cwd: folder,
      env: {
        PATH: [dirname(program), process.env.PATH].join(delimiter),
        HOME: folder,
        SHELL: "/bin/sh",
        TERM: "xterm-256color",
        LC_ALL: "C.UTF-8",
        PS1: "$ ",
      },
      detached: true,
    });
    const shell = new Shell(child);
    onTestFinished(() => shell.#end());
    await shell.waitForScreen(/^\$$/m);
    shell.type(`${install}\r`);
    await shell.waitForScreen(/completion[\s\S]*\n\$$/);
    return shell;
  }

  /** Types a text; `\t` is the Tab key. */
  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  /** Types a line and the Enter key. @returns the arguments that `catalog` was called with */
  async enter(line: string): Promise<string[]> {
    this.type(`${line}\r`);
    this.#entered++;
    const [shown] = await this.waitForScreen(
      new RegExp(`(^<.*>\n[\\s\\S]*){${this.#entered}}^\\$$`, "m"),
    );
    const printed = shown.split("\n").findLast((text) => text.startsWith("<")) ?? "";
    return printed.slice(1, -1).split("><");
  }

  /** Waits until the screen shows a text. @returns the match */
  async waitForScreen(text: RegExp): Promise<RegExpExecArray> {
    const look = () => {
      const found = text.exec(this.#screen());
      if (found === null) throw new Error(`${text} is not on the screen:\n${this.#screen()}`);
      return found;
    };
    return await vi.waitFor(look, { timeout: LONGEST, interval: 20 });
  }

  /** Exits the shell, which may have files to write. */
  async #end(): Promise<void> {
    const closed = new Promise((resolve) => this.#child.once("close", resolve));
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.type("\u0015exit\r");
    AbortSignal.timeout(LONGEST).addEventListener("abort", () => this.#child.kill("SIGKILL"));
    await closed;
  }

  #screen(): string {
    const { active } = this.#terminal.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? "",
    );
    return lines.join("\n").trimEnd();
  }
}
