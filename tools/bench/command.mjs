/** Runs and times other programs. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs a program with pipes to its end. A program that fails ends the benchmark, because its time means nothing.
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

/** Whether this machine has a program. */
export function isInstalled(program) {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

/**
 * Runs a program once before the measurement, and checks that it does what the benchmark measures.
 *
 * @param folder where the output is kept during the check
 * @param part a text that must appear in the output a certain number of times
 * @throws Error if the text appears more or less often
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
