/**
 * Writes docs/faults.md from the fault table in test/faults.
 * With --check it writes nothing, and exits with 1 if the page is out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withSources } from "./sources.mjs";

const PAGE = "docs/faults.md";
const path = fileURLToPath(new URL(`../../${PAGE}`, import.meta.url));

await withSources({ "../test/faults/page.ts": ["faultsPage"] }, ({ faultsPage }) => {
  const after = faultsPage();
  if (after === textOf(path)) return;
  if (process.argv.includes("--check")) {
    process.stderr.write(`${PAGE}: stale; run npm run faults\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, after);
  }
});

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
