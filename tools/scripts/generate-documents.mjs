/**
 * Generates documents from the sources: docs/fields.md, docs/json.md, docs/commands.md, and the parts of
 * docs/rules.md, docs/settings.md and docs/exit-codes.md between marks such as <!-- settings --> and
 * <!-- /settings -->.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withSources } from "./sources.mjs";

await withSources(
  {
    "course/fields.ts": ["COURSE_SHAPE"],
    "course/guide.ts": ["guideOf", "RULE_GUIDE"],
    "cli/command-tree.ts": ["loadAllCommands"],
    "../tools/documents/json-page.ts": ["jsonPage"],
    "../tools/documents/markdown.ts": [
      "commandsPage",
      "exitCodeParts",
      "fieldPageMarkdown",
      "replaceParts",
      "rulesParts",
      "settingsParts",
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
    update("docs/settings.md", (page) => sources.replaceParts(page, sources.settingsParts()));
    update("docs/exit-codes.md", (page) => sources.replaceParts(page, sources.exitCodeParts()));
  },
);

function update(name, write) {
  const path = fileURLToPath(new URL(`../../${name}`, import.meta.url));
  const before = textOf(path);
  const after = write(before);
  if (after !== before) writeFileSync(path, after);
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
