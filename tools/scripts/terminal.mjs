/** Runs shell lines on a new terminal, and returns what its screen shows. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import headless from "@xterm/headless";

/** The number of rows, enough that no line scrolls away. */
const ROWS = 500;
/** The output of a line and its exit code, between control characters that no program writes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are the separators
const STEP = /\u001e([^\u001f]*)\u001f(\d+)/g;

/**
 * Runs the lines in order in one shell, on a terminal. Needs `script` of util-linux.
 *
 * @param {readonly string[]} lines of `sh`
 * @param {{columns: number, folder: string, environment: Record<string, string>, around?: string}}
 *   options `around`: a command that runs the shell, such as a sandbox
 * @returns {Promise<{code: number, bytes: string}[]>} the exit code and the output (stdout and
 *   stderr) of each line; fewer if the shell itself ended early
 */
export async function runOnTerminal(lines, { columns, folder, environment, around = "" }) {
  const scratch = await mkdtemp(join(tmpdir(), "catalog-terminal-"));
  try {
    const file = join(scratch, "session.sh");
    const steps = lines.map((line) => `printf '\\036'\n${line}\nprintf '\\037%s' "$?"\n`);
    await writeFile(file, steps.join(""));
    const shell = `stty cols ${columns} rows ${ROWS} && exec ${around} sh '${file}'`;
    const child = spawn("script", ["-qfec", shell, "/dev/null"], {
      cwd: folder,
      env: { TERM: "xterm-256color", SHELL: "/bin/sh", ...environment },
    });
    let all = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      all += text;
    });
    await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
    return [...all.matchAll(STEP)].map(([, bytes, code]) => ({ code: Number(code), bytes }));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Returns what a terminal shows after these bytes.
 *
 * @param {string} bytes
 * @param {number} columns
 * @returns {Promise<import("@xterm/headless").IBufferLine[]>} the rows, up to the last row with text
 */
export async function screenOf(bytes, columns) {
  const terminal = new headless.Terminal({ cols: columns, rows: ROWS, allowProposedApi: true });
  await new Promise((resolve) => terminal.write(bytes, resolve));
  const buffer = terminal.buffer.active;
  const rows = Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row));
  const last = rows.findLastIndex((row) => row.translateToString(true) !== "");
  return rows.slice(0, last + 1);
}

/**
 * Returns what a terminal shows after these bytes as text, with wrapped lines joined.
 *
 * @param {string} bytes
 * @param {number} columns
 * @returns {Promise<string[]>}
 */
export async function linesShown(bytes, columns) {
  const lines = [];
  for (const row of await screenOf(bytes, columns)) {
    if (row.isWrapped) lines.push(lines.pop() + row.translateToString(false));
    else lines.push(row.translateToString(false));
  }
  return lines.map((line) => line.trimEnd());
}
