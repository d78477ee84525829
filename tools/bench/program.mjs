/** Runs programs with a clean environment, and measures them. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The file that the package installs as `catalog`. */
export const PROGRAM = fileURLToPath(new URL("../../bin/catalog.js", import.meta.url));

/** Records CPU time in milliseconds and peak memory in kB at the end of a process. */
const HOOK = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  let memory = process.resourceUsage().maxRSS;
  try {
    // On Linux, the figure above includes the memory of the parent process.
    const status = require("node:fs").readFileSync("/proc/self/status", "utf8");
    memory = Number(/^VmHWM:\\s+(\\d+) kB$/m.exec(status)[1]);
  } catch {}
  const measured = JSON.stringify({ cpu: (user + system) / 1000, memory });
  require("node:fs").writeFileSync(process.env.MEASURED_FILE, measured);
});
`;

/**
 * Runs Node.js to its end. Its environment has none of the caller's variables, because some of them, such as
 * `NODE_EXTRA_CA_CERTS`, make every start slower. Its output is a file, as a shell provides: a pipe of Node.js is a
 * socket, for which Node.js loads its network code.
 *
 * @param words the arguments of `node`
 * @param place the folder of the run, further variables, and the Node.js that runs
 * @returns milliseconds from start to exit, and the output
 * @throws Error if it fails: its time would mean nothing
 */
export function runNode(words, { folder, environment = {}, node = process.execPath }) {
  const path = join(folder, "output.txt");
  const output = openSync(path, "w");
  try {
    const env = { PATH: process.env.PATH, HOME: folder, ...environment };
    const options = { cwd: folder, env, stdio: ["ignore", output, "pipe"], encoding: "utf8" };
    const start = performance.now();
    const { status, stderr, error } = spawnSync(node, words, options);
    const time = performance.now() - start;
    if (status === 0) return { time, output: readFileSync(path, "utf8") };
    throw new Error(`node ${words.join(" ")} ended with ${status}: ${error ?? stderr}`);
  } finally {
    closeSync(output);
  }
}

/** Runs Node.js to its end. @returns its CPU time in milliseconds, and its peak memory in kB */
export function measureNode(words, { folder, environment, node }) {
  const [hook, file] = [join(folder, "hook.cjs"), join(folder, "measured.json")];
  writeFileSync(hook, HOOK);
  const measured = { ...environment, MEASURED_FILE: file };
  runNode(["--require", hook, ...words], { folder, environment: measured, node });
  return JSON.parse(readFileSync(file, "utf8"));
}
