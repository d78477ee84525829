/** Measures the peak memory of a run. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timeCommand } from "./command.mjs";

/**
 * Records the peak memory at the end of a run. The system's own figure is preferred, because on Linux the figure of
 * `resourceUsage` includes the memory of the parent process.
 */
const HOOK = `const { readFileSync, writeFileSync } = require("node:fs");
process.on("exit", () => {
  let kilobytes = process.resourceUsage().maxRSS;
  try {
    kilobytes = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))[1];
  } catch {}
  writeFileSync(OUTPUT_FILE, String(kilobytes));
});
`;

/**
 * Runs Node.js to its end.
 *
 * @param folder for two small files
 * @param words the arguments of `node`
 * @returns megabytes
 */
export function measurePeakMemory(folder, words, options) {
  const hook = join(folder, "peak.cjs");
  const outputFile = join(folder, "peak.txt");
  writeFileSync(
    hook,
    HOOK.replace("OUTPUT_FILE", () => JSON.stringify(outputFile)),
  );
  timeCommand(process.execPath, ["--require", hook, ...words], options);
  return Number(readFileSync(outputFile, "utf8")) / 1024;
}
