/** Types into a shell on a terminal, and reads its screen. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import headless from "@xterm/headless";
import { onTestFinished } from "vitest";
import { HAS_TERMINAL, newFolder, PROGRAM, type Variables } from "./rig.ts";

/** The shells that complete on a terminal. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
/** A shell of those. */
export type ShellName = (typeof SHELLS)[number];

/** How a shell starts with nothing but a prompt, and how it takes the script over. */
const MANNERS: Readonly<Record<ShellName, { start: string; install: string }>> = {
  bash: { start: "bash --noprofile --norc -i", install: 'eval "$(catalog completion bash)"' },
  zsh: { start: "zsh -f -i", install: 'eval "$(catalog completion zsh)"' },
  fish: { start: "fish -i", install: "catalog completion fish | source" },
};

const FISH_CONFIG = "set -g fish_greeting; function fish_prompt; printf '$ '; end\n";

/** Whether a shell can be run on a terminal here. */
export function isInstalled(shell: ShellName): boolean {
  return HAS_TERMINAL === true && spawnSync(shell, ["--version"]).status === 0;
}

/** Wide enough that no line is broken, and high enough that nothing scrolls away. */
const SIZE = { cols: 250, rows: 200 };
/** Milliseconds after which a text does not come any more. */
const LONGEST = 8_000;

/** A shell that has read the completion script. It ends with the test. */
export class Shell {
  readonly #child: ChildProcess;
  readonly #terminal = new headless.Terminal({ ...SIZE, allowProposedApi: true });
  #look: () => void = () => undefined;
  #entered = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdin?.on("error", () => undefined);
    // Some shells ask the terminal what it can do, and wait for what it says.
    this.#terminal.onData((answer) => child.stdin?.write(answer));
    child.stdout?.on("data", (bytes: Buffer) => this.#terminal.write(bytes, () => this.#look()));
  }

  /**
   * Starts a shell in which `catalog` completes as built, but otherwise prints its words.
   *
   * @param folder its home and current folder
   */
  static async start(name: ShellName, folder: string, environment: Variables): Promise<Shell> {
    await mkdir(join(folder, ".config/fish"), { recursive: true });
    // Where this folder is not there, fish begins to read all manual pages.
    await mkdir(join(folder, ".local/share/fish/generated_completions"), { recursive: true });
    await writeFile(join(folder, ".config/fish/config.fish"), FISH_CONFIG);
    const { start, install } = MANNERS[name];
    const size = `stty cols ${SIZE.cols} rows ${SIZE.rows}`;
    const child = spawn("script", ["-qfec", `${size}; exec ${start}`, "/dev/null"], {
      cwd: folder,
      env: {
        PATH: [await folderWithCatalog(), process.env.PATH].join(delimiter),
        HOME: folder,
        SHELL: "/bin/sh",
        TERM: "xterm-256color",
        LC_ALL: "C.UTF-8",
        PS1: "$ ",
        ...environment,
      },
      detached: true,
    });
    const shell = new Shell(child);
    onTestFinished(() => shell.#end());
    await shell.shows(/^\$$/m);
    shell.type(`${install}\r`);
    await shell.shows(/completion[\s\S]*\n\$$/);
    return shell;
  }

  /** Types a text; `\t` is the Tab key. */
  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  /** Types a line with the Enter key behind it. @returns the words that `catalog` was called with */
  async enter(line: string): Promise<string[]> {
    this.type(`${line}\r`);
    this.#entered++;
    const [shown] = await this.shows(new RegExp(`(^<.*>\n[\\s\\S]*){${this.#entered}}^\\$$`, "m"));
    const printed = shown.split("\n").findLast((text) => text.startsWith("<")) ?? "";
    return printed.slice(1, -1).split("><");
  }

  /** Waits until the screen shows a text. @returns the match */
  async shows(text: RegExp): Promise<RegExpExecArray> {
    return await new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        reject(new Error(`${text} is not on the screen:\n${this.#screen()}`));
      }, LONGEST);
      this.#look = () => {
        const found = text.exec(this.#screen());
        if (found === null) return;
        clearTimeout(late);
        this.#look = () => undefined;
        resolve(found);
      };
      this.#look();
    });
  }

  /** Ends the shell in order, as it may have files to write. */
  async #end(): Promise<void> {
    const closed = new Promise((resolve) => this.#child.once("close", resolve));
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.type("\u0015exit\r");
    const late = setTimeout(() => this.#child.kill("SIGKILL"), LONGEST);
    await closed;
    clearTimeout(late);
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

async function folderWithCatalog(): Promise<string> {
  const folder = await newFolder();
  const program = join(folder, "catalog");
  const built = `exec "${process.execPath}" "${PROGRAM}" "$@"`;
  await writeFile(
    program,
    `#!/bin/sh\ncase $1 in __complete | completion) ${built} ;; esac\nprintf '<%s>' "$@"\necho\n`,
  );
  await chmod(program, 0o755);
  return folder;
}
