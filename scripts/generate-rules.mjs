/**
 * Writes docs/rules.md from what src/course/rule-guide.ts tells about the rules.
 * With --check it writes nothing and exits 1 if that file is not what it would write.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const TARGET = fileURLToPath(new URL("../docs/rules.md", import.meta.url));
const ENTRY = "rules-entry";

const page = await rulesPage();
if (process.argv.includes("--check")) {
  if (current() !== page) {
    process.stderr.write("docs/rules.md is stale: run node scripts/generate-rules.mjs\n");
    process.exitCode = 1;
  }
} else {
  mkdirSync(dirname(TARGET), { recursive: true });
  writeFileSync(TARGET, page);
}

/** The page as the sources make it. They are bundled in memory: Node 20 cannot load TypeScript. */
async function rulesPage() {
  const { output } = await build({
    input: ENTRY,
    platform: "node",
    write: false,
    plugins: [{ name: "entry", resolveId: entryId, load: entrySource }],
    output: { format: "esm", codeSplitting: false },
  });
  const code = Buffer.from(output[0].code).toString("base64");
  const { RULE_GUIDE, rulePageMarkdown } = await import(`data:text/javascript;base64,${code}`);
  return rulePageMarkdown(RULE_GUIDE);
}

function entryId(source) {
  return source === ENTRY ? ENTRY : null;
}

function entrySource(id) {
  if (id !== ENTRY) return null;
  return [
    `export { RULE_GUIDE } from ${source("../src/course/rule-guide.ts")};`,
    `export { rulePageMarkdown } from ${source("../src/output/rule-page.ts")};`,
  ].join("\n");
}

function source(path) {
  return JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));
}

function current() {
  try {
    return readFileSync(TARGET, "utf8");
  } catch {
    return undefined;
  }
}
