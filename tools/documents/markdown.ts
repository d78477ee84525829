/** Writes the generated parts of docs/fields.md, docs/rules.md, docs/settings.md and of the skill for agents. */

import { COURSE_SHAPE } from "../../src/course/fields.ts";
import { keysIn, RULE_GUIDE, typeText } from "../../src/course/guide.ts";
import { RULES, type Severity } from "../../src/course/problem.ts";
import type { Key } from "../../src/course/shape.ts";
import { statusText } from "../../src/output/guide-pages.ts";
import { asSentence } from "../../src/program/help.ts";
import { describedSetting, SETTINGS, type Setting } from "../../src/settings/table.ts";
import type { LoadedCommand } from "./commands.ts";

/** The generated part of docs/settings.md, by the name of its marks. */
export function settingsParts(): Record<"settings", string> {
  const rows = Object.entries(SETTINGS).map(settingRow);
  return {
    settings: table(["setting", "flag", "environment variable", "name in a config file"], rows),
  };
}

/**
 * Replaces the parts between `<!-- name -->` and `<!-- /name -->`.
 *
 * @throws Error when a part has no marks
 */
export function replaceParts(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((before, [name, part]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [before.indexOf(open), before.indexOf(close)];
    if (start < 0 || end < start) throw new Error(`the marks ${open} and ${close} are missing`);
    return `${before.slice(0, start + open.length)}\n\n${part}\n\n${before.slice(end)}`;
  }, text);
}

/** Every command with what it does, a line each. */
export function commandList(commands: readonly LoadedCommand[]): string {
  const names = commands.map(({ path }) => path);
  const below = names.filter((path) => path.startsWith("courses "));
  const others = names.filter((path) => !below.includes(path));
  const words = below.map((path) => path.slice("courses ".length));
  return `\`courses\` ${words.join(", ")}; and ${others.join(", ")}.`;
}

function settingRow([name, setting]: [string, Setting]): string[] {
  const { flag, variable } = setting;
  return [
    describedSetting(setting),
    flag === undefined ? "–" : `\`--${flag[0]}\``,
    `\`${variable}\``,
    name === "config" ? "–" : `\`${name}\``,
  ];
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Plain text as Markdown that looks the same. An underscore inside a word needs no escape. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*<[\]]|&(?=#?\w+;)|(?<!\w)_|_(?!\w)/g, "\\$&");
}

/** The generated part of docs/fields.md: every field, with the keys of its objects. */
export function fieldParts(): Record<"fields", string> {
  const rows = COURSE_SHAPE.keys.map((key) => {
    const { readOnly, name, description } = key;
    const status = key.required ? `**${asSentence(statusText(key))}** ` : "";
    const fallback = key.default === undefined ? "" : ` Default: ${JSON.stringify(key.default)}.`;
    return [
      `\`${name}\``,
      readOnly ? statusText(key) : valueText(key),
      status + escapeMarkdown(description) + fallback,
    ];
  });
  return { fields: table(["field", "value", "meaning"], rows) };
}

/** What a value is, and what is in it: ``an object: `name` (required; a string)``. */
function valueText({ shape }: Key): string {
  const inside = keysIn(shape).map((key) => {
    return `\`${key.name}\` (${key.required ? "required; " : ""}${valueText(key)})`;
  });
  return [typeText(shape), inside.join(", ")].filter(Boolean).join(": ");
}

/** The generated parts of docs/rules.md: what each error and each warning is about. */
export function ruleParts(): Record<"errors" | "warnings", string> {
  const list = (severity: Severity): string =>
    RULES.filter((rule) => RULE_GUIDE[rule].severity === severity)
      .map((rule) => `- \`${rule}\`: ${escapeMarkdown(RULE_GUIDE[rule].summary)}`)
      .join("\n");
  return { errors: list("error"), warnings: list("warning") };
}
