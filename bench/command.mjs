/** Runs other programs and takes their time. */
import { spawnSync } from "node:child_process";

/**
 * Runs a program in pipes, to its end. A program that fails measures nothing: that ends it all.
 *
 * @returns milliseconds from start to exit
 */
export function timed(program, words, options) {
  const start = performance.now();
  const { status, stderr, error } = spawnSync(program, words, { ...options, encoding: "utf8" });
  const time = performance.now() - start;
  if (status === 0) return time;
  throw new Error(`${[program, ...words].join(" ")} ended with ${status}: ${error ?? stderr}`);
}
