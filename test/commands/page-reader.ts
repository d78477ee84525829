/** Follows a page as a reader does who pastes every command: writes the files that it shows, and runs its lines. */
import { execFileSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { expect } from "vitest";
import { DEFAULT_PROVIDER, parseSeeds } from "../../src/sandbox/seed.ts";
import { isInstalled } from "../executable.ts";
import { type Rig, rig, testClock } from "../rig.ts";
import { PageShell } from "./page-shell.ts";
import { SCHOOL } from "./push-files.ts";

/** What a page expects. */
export interface Guide {
  /** The content of the sandbox; by default, one user with Example Academy and Example School. */
  readonly seed?: unknown;
  /** What is in the folder of the reader. */
  readonly files?: Readonly<Record<string, string>>;
  /** A folder whose files the reader has copied. */
  readonly copied?: string;
  /** What the reader did before, as lines of a shell. */
  readonly earlier?: string;
  /** What happens elsewhere before a line: in an editor, in a spreadsheet, by a colleague. */
  readonly before?: Readonly<Record<string, string>>;
  /** Lines that a test runs in another form, because they need a terminal or a service on the internet. */
  readonly instead?: Readonly<Record<string, string>>;
  /** What the reader types when a line asks; other lines have no terminal. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** A fenced block of a page. */
export interface Block {
  readonly kind: string;
  readonly text: string;
}

/** The fenced blocks of a page, without their indentation. */
export function blocksOf(page: string): Block[] {
  const blocks = page.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm);
  return Array.from(blocks, ([, indent = "", kind = "", text = ""]) => ({
    kind,
    text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

/** Splits a snippet into the parts that a shell runs at once: lines, and loops of several lines. */
function commandsOf(snippet: string): string[] {
  const commands: string[] = [];
  let open: string[] = [];
  for (const line of snippet.trimEnd().split("\n")) {
    open.push(line);
    const text = open.join("\n");
    if (line.endsWith("\\") || !isComplete(text)) continue;
    commands.push(text);
    open = [];
  }
  expect(open).toEqual([]);
  return commands.filter((command) => !command.startsWith("#"));
}

function isComplete(text: string): boolean {
  try {
    execFileSync("sh", ["-n"], { input: text, stdio: ["pipe", "ignore", "ignore"] });
    return true;
  } catch {
    return false;
  }
}

/** The file that a block shows, from its first line, such as `# courses/a.yaml`. */
function fileOf({ text }: Block): string | undefined {
  return /^# ([\w./-]+)$/m.exec(text.split("\n", 1)[0] ?? "")?.[1];
}

/** Lines that are not run, and why. `set -eu …` stands for the block that begins with `set -eu`. */
export type NotRun = Readonly<Record<string, string>>;

/**
 * Follows a page from the top to the bottom, and expects of every line the exit code 0 or, with a comment such as
 * `# exits with 3`, that code.
 */
export async function followPage(page: string, guide: Guide, notRun: NotRun = {}): Promise<void> {
  const reader = await Reader.start(guide, notRun);
  await reader.follow(page);
  const { before, instead, answers } = guide;
  const named = [before, instead, answers].flatMap((lines) => Object.keys(lines ?? {}));
  expect(named.filter((line) => !reader.lines.includes(line))).toEqual([]);
}

class Reader {
  readonly #guide: Guide;
  readonly #notRun: NotRun;
  readonly #rig: Rig;
  readonly #shell: PageShell;
  /** The lines that were read, also lines that were not run. */
  readonly lines: string[] = [];

  private constructor(guide: Guide, notRun: NotRun, r: Rig, shell: PageShell) {
    this.#guide = guide;
    this.#notRun = notRun;
    this.#rig = r;
    this.#shell = shell;
  }

  /** Prepares what a page expects. */
  static async start(guide: Guide, notRun: NotRun): Promise<Reader> {
    const { seed = [DEFAULT_PROVIDER, SCHOOL], files = {}, copied, earlier } = guide;
    const r = await rig({ seed: parseSeeds([seed], testClock()) });
    for (const [path, text] of Object.entries(files)) await r.write(path, text);
    if (copied !== undefined) await cp(copied, r.folder, { recursive: true });
    const reader = new Reader(guide, notRun, r, await PageShell.start(r, guide.answers));
    if (earlier !== undefined) await reader.#run(earlier, 0);
    return reader;
  }

  /** Reads a page: writes the files that it shows, and runs its commands. */
  async follow(page: string): Promise<void> {
    for (const block of blocksOf(page)) {
      const file = fileOf(block);
      if (file !== undefined) await this.#rig.write(file, block.text);
      else expect(["sh", "yaml", "json", "jsonata", "text"]).toContain(block.kind);
      if (file !== undefined || block.kind !== "sh") continue;
      const script = `${block.text.split("\n", 1)[0]} …`;
      if (script in this.#notRun) this.lines.push(script);
      else for (const command of commandsOf(block.text)) await this.#follow(command);
    }
  }

  /** Runs a command, after what happens before it. */
  async #follow(command: string): Promise<void> {
    const { before = {}, instead = {} } = this.#guide;
    const [, code] = /# exits with (\d+)/.exec(command) ?? [];
    // Two lines may differ only in how they end.
    const line = command.replace(code === undefined ? / +# .*/ : / +(?=#)/, code ? " " : "");
    this.lines.push(line);
    if (line in this.#notRun || (/ jq /.test(line) && !isInstalled("jq"))) return;
    const first = before[line];
    if (first !== undefined) await this.#run(first, 0);
    await this.#run(instead[line] ?? command, Number(code ?? 0));
  }

  async #run(command: string, code: number): Promise<void> {
    const ran = await this.#shell.run(command);
    // If a line fails, its messages say why.
    const stderr =
      code === 0 ? expect.not.stringMatching(/^((\S+ )?error:|\{"error":)/m) : expect.any(String);
    expect({ command, ...ran, stdout: "" }).toEqual({ command, code, stdout: "", stderr });
  }
}
