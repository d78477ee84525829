/** Writes docs/faults.md from the fault table in test/faults. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withSources } from "./sources.mjs";

const path = fileURLToPath(new URL("../../docs/faults.md", import.meta.url));

await withSources({ "../test/faults/page.ts": ["faultsPage"] }, ({ faultsPage }) => {
  writeFileSync(path, faultsPage());
});
