/** Writes the counts of a report to the outputs of a step of GitHub Actions. */
import { appendFileSync, readFileSync } from "node:fs";

const [, , file] = process.argv;
const { errors = 0, warnings = 0, results = [] } = readReport(file);
const count = (matches) => results.filter(matches).length;
const isMeant = ({ status }) => status === "done" || status === "planned";
const outputs = {
  errors,
  warnings,
  created: count((result) => result.action === "create" && isMeant(result)),
  updated: count((result) => result.action === "update" && isMeant(result)),
  deleted: count((result) => result.action === "delete" && isMeant(result)),
  unchanged: count(({ status }) => status === "unchanged"),
  failed: count(({ status }) => status === "failed"),
};
const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
appendFileSync(process.env.GITHUB_OUTPUT, lines.join(""));

/** The report; an empty report if the command could not write one. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}
