/** Writes the counts of a SARIF report to the outputs of a step of GitHub Actions. */
import { appendFileSync, readFileSync } from "node:fs";

const [, , file] = process.argv;
const names = [
  "errors",
  "warnings",
  "created",
  "updated",
  "deleted",
  "unchanged",
  "drifted",
  "failed",
];
const counts = readCounts(file);
const lines = names.map((name) => `${name}=${counts[name] ?? 0}\n`);
appendFileSync(process.env.GITHUB_OUTPUT, lines.join(""));

/** The counts; none if the command could not write its report. */
function readCounts(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).runs[0].properties.counts;
  } catch {
    return {};
  }
}
