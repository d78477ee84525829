/** Writes docs/commands.md and docs/fields.md, and a part of docs/settings.md. */

import { addTo } from "../../src/base/values.ts";
import type { Flag } from "../../src/cli/arguments.ts";
import { GLOBAL_FLAGS } from "../../src/cli/global-flags.ts";
import type { FieldGuide } from "../../src/course/guide.ts";
import { detailSentences, statusText } from "../../src/output/guide-pages.ts";
import {
  argumentText,
  asSentence,
  flagText,
  HELP_FLAG,
  VERSION_FLAG,
} from "../../src/program/help.ts";
import { describedSetting, SETTINGS, type Setting } from "../../src/settings/table.ts";
import type { LoadedCommand } from "./commands.ts";

/** A term and what it means. */
type Row = readonly [string, string];

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

/** docs/commands.md: every command with its arguments, flags and examples, and the global flags. */
export function commandsPage(commands: readonly LoadedCommand[]): string {
  const links = commands.map(
    (loaded) =>
      `- [\`${usage("", loaded)}\`](#${anchor(loaded)}): ${escapeMarkdown(loaded.summary)}`,
  );
  const globals = [...GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG].map(
    (flag): Row => [flagText(flag), flag.description],
  );
  const sections = [
    "<!-- Written by npm run documents from the commands themselves. -->",
    "# Commands",
    "`catalog <command> --help` prints the same on a terminal. `course` and `provider` are aliases of `courses` and `providers`.",
    links.join("\n"),
    ...commands.flatMap(commandParts),
    "## Global flags",
    "These flags work with every command, before or after its name.",
    rowTable("flag", globals),
  ];
  return `${sections.join("\n\n")}\n`;
}

function commandParts(loaded: LoadedCommand): string[] {
  const { path, alias, summary, command } = loaded;
  const { arguments: positional = [], flags = [], description, examples, output } = command;
  const formats = output?.formats.map((format) => `\`${format}\``).join(", ");
  const argumentRows = positional.map(
    (argument): Row => [argumentText(argument), argument.description],
  );
  const flagRow = (flag: Flag): Row => [flagText(flag), flag.description];
  return [
    `## catalog ${path}`,
    `\`\`\`text\n${usage("[flags]", loaded)}\n\`\`\``,
    escapeMarkdown(asSentence(summary)),
    ...(description === undefined ? [] : [escapeMarkdown(description)]),
    ...(alias === undefined ? [] : [`Alias: \`${alias}\`.`]),
    ...(positional.length === 0 ? [] : [rowTable("argument", argumentRows)]),
    ...groupFlags(flags).flatMap(([heading, grouped]) => [
      ...(heading === "Flags" ? [] : [`${heading}:`]),
      rowTable("flag", grouped.map(flagRow)),
    ]),
    `\`\`\`sh\n${Object.entries(examples)
      .map(([purpose, line]) => `# ${purpose}\n${line}`)
      .join("\n\n")}\n\`\`\``,
    ...(formats === undefined ? [] : [`Formats of \`--output\`: ${formats}.`]),
  ];
}

/** Every command with what it does, a line each. */
export function commandList(commands: readonly LoadedCommand[]): string {
  return commands.map(({ path, summary }) => `- \`${path}\`: ${summary}`).join("\n");
}

/** Flags by their headings, in the order of the first flag of each. */
function groupFlags(flags: readonly Flag[]): [string, readonly Flag[]][] {
  const groups = new Map<string, Flag[]>();
  for (const flag of flags) addTo(groups, flag.group ?? "Flags", flag);
  return [...groups];
}

/** `catalog courses push [path...]`, with a word before the arguments or none. */
function usage(flags: string, { path, command }: LoadedCommand): string {
  return ["catalog", path, flags, ...(command.arguments ?? []).map(argumentText)]
    .filter((word) => word !== "")
    .join(" ");
}

function anchor({ path }: LoadedCommand): string {
  return `catalog-${path.replaceAll(" ", "-")}`;
}

function rowTable(term: string, rows: readonly Row[]): string {
  return table(
    [term, "meaning"],
    rows.map(([name, meaning]) => [`\`${name}\``, escapeMarkdown(meaning)]),
  );
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

const FIELDS_INTRODUCTION = `<!-- Written by npm run documents from src/course/fields.ts. -->

# Fields

\`catalog explain prices\` prints one field on a terminal.`;

/** docs/fields.md: the definition of every field. */
export function fieldPageMarkdown(guides: readonly FieldGuide[]): string {
  const sections = guides.map((guide) => {
    const { field, description, example, keys } = guide;
    const rows = keys.map((key) => {
      const cells = [
        `\`${key.field}\``,
        statusText(key),
        escapeMarkdown([key.description, ...detailSentences(key)].join(" ")),
      ];
      return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
    });
    return [
      `## ${field}`,
      escapeMarkdown(description),
      [asSentence(statusText(guide)), ...detailSentences(guide)]
        .map((line) => `- ${escapeMarkdown(line)}`)
        .join("\n"),
      ...(rows.length === 0
        ? []
        : [["| field | | meaning |", "| --- | --- | --- |", ...rows].join("\n")]),
      `\`\`\`yaml\n${example.trimEnd()}\n\`\`\``,
    ].join("\n\n");
  });
  return `${[FIELDS_INTRODUCTION, ...sections].join("\n\n")}\n`;
}
