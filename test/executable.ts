/** Scripts that tests run. */
import { execFileSync, spawnSync } from "node:child_process";

/**
 * Writes a script that can be run at once. A separate process writes it: a process that another worker
 * starts meanwhile would inherit the open file, and Linux runs no file that is open for writing.
 */
export function writeExecutable(path: string, text: string): void {
  execFileSync("/bin/sh", ["-c", 'cat > "$0" && chmod 755 "$0"', path], { input: text });
}

/** Whether this machine has a program. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}
