/** The most memory that a run held. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timed } from "./command.mjs";

/**
 * What a run tells at its end. The system's own record of the memory comes first: that which
 * `resourceUsage` gives begins, on Linux, with the memory of the program that started this one.
 */
const HOOK = `const { readFileSync, writeFileSync } = require("node:fs");
process.on("exit", () => {
  let kilobytes = process.resourceUsage().maxRSS;
  try {
    kilobytes = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))[1];
  } catch {}
  writeFileSync(TOLD, String(kilobytes));
});
`;

/**
 * Runs Node.js to its end.
 *
 * @param folder where two small files may be written
 * @param words those behind `node`
 * @returns megabytes that it held at its peak
 */
export function peakOf(folder, words, options) {
  const hook = join(folder, "peak.cjs");
  const told = join(folder, "peak.txt");
  writeFileSync(
    hook,
    HOOK.replace("TOLD", () => JSON.stringify(told)),
  );
  timed(process.execPath, ["--require", hook, ...words], options);
  return Number(readFileSync(told, "utf8")) / 1024;
}
