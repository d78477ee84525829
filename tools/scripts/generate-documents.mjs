/**
 * Generates documents from the sources: docs/fields.md, docs/json.md, docs/commands.md, and the parts of
 * README.md and docs/rules.md between marks such as <!-- commands --> and <!-- /commands -->.
 * With --check it writes nothing, and exits with 1 if a document is out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withSources } from "./sources.mjs";

const stale = [];
await withSources(
  {
    "course/fields.ts": ["COURSE_SHAPE"],
    "course/guide.ts": ["guideOf", "RULE_GUIDE"],
    "cli/command-tree.ts": ["loadAllCommands"],
    "../tools/documents/json-page.ts": ["jsonPage"],
    "../tools/documents/markdown.ts": [
      "commandsPage",
      "fieldPageMarkdown",
      "readmeParts",
      "replaceParts",
      "rulesParts",
    ],
  },
  async (sources) => {
    const commands = await sources.loadAllCommands();
    const guides = sources.COURSE_SHAPE.keys.map((key) => sources.guideOf(key, [key.name]));
    update("docs/fields.md", () => sources.fieldPageMarkdown(guides));
    update("docs/rules.md", (page) =>
      sources.replaceParts(page, sources.rulesParts(sources.RULE_GUIDE)),
    );
    update("docs/json.md", () => sources.jsonPage());
    update("docs/commands.md", () => sources.commandsPage(commands));
    update("README.md", (readme) => sources.replaceParts(readme, sources.readmeParts(commands)));
  },
);

if (stale.length > 0) {
  process.stderr.write(`${stale.join(", ")}: out of date; run npm run documents\n`);
  process.exitCode = 1;
}

function update(name, write) {
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
