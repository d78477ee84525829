/** Runs and times other programs. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs a program in pipes, to its end. A program that fails measures nothing: that ends it all.
 *
 * @returns milliseconds from start to exit
 */
export function timeCommand(program, words, options) {
  const start = performance.now();
  const { status, stderr, error } = spawnSync(program, words, { ...options, encoding: "utf8" });
  const time = performance.now() - start;
  if (status === 0) return time;
  throw new Error(`${[program, ...words].join(" ")} ended with ${status}: ${error ?? stderr}`);
}

/** Whether this machine has a program, which may not be everywhere. */
export function isInstalled(program) {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

/**
 * Runs a program once, before it is measured, and looks whether it does what is to be measured.
 *
 * @param folder where its output is kept for that long
 * @param part a text that shows once for each thing in its output
 * @throws Error when it does not show as often as it must
 */
export function requireOutput(count, part, folder, program, words, options) {
  const path = join(folder, "output.txt");
  const file = openSync(path, "w");
  try {
    timeCommand(program, words, { ...options, stdio: ["ignore", file, "pipe"] });
    const output = readFileSync(path);
    let found = 0;
    for (let at = output.indexOf(part); at >= 0; at = output.indexOf(part, at + 1)) found++;
    if (found === count) return;
    throw new Error(`${[program, ...words].join(" ")} showed ${found}, not ${count}, of: ${part}`);
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
