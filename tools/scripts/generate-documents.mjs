/**
 * Generates documents from the sources: docs/rules.md, docs/commands.md, and the parts of
 * README.md between marks such as <!-- commands --> and <!-- /commands -->.
 * With --check it writes nothing and exits 1 if one of them is not what it would write.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withSources } from "./sources.mjs";

const stale = [];
await withSources(
  {
    "course/rule-guide.ts": ["RULE_GUIDE"],
    "output/rule-page.ts": ["rulePageMarkdown"],
    "cli/command-tree.ts": ["loadAllCommands"],
    "cli/markdown.ts": ["commandsPage", "readmeParts", "replaceParts"],
  },
  async (sources) => {
    const commands = await sources.loadAllCommands();
    settle("docs/rules.md", () => sources.rulePageMarkdown(sources.RULE_GUIDE));
    settle("docs/commands.md", () => sources.commandsPage(commands));
    settle("README.md", (readme) => sources.replaceParts(readme, sources.readmeParts(commands)));
  },
);

if (stale.length > 0) {
  process.stderr.write(`${stale.join(", ")}: stale; run npm run documents\n`);
  process.exitCode = 1;
}

function settle(name, write) {
  const path = fileURLToPath(new URL(`../../${name}`, import.meta.url));
  const before = textOf(path);
  const after = write(before);
  if (after === before) return;
  if (process.argv.includes("--check")) stale.push(name);
  else writeFileSync(path, after);
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
