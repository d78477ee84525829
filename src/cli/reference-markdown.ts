/** Writes what is told of commands, flags, settings and exit codes as Markdown. */

import type { Flag } from "../command-support/arguments.ts";
import { EXIT_CODES } from "../command-support/exit-codes.ts";
import { GLOBAL_FLAGS } from "../command-support/globals.ts";
import { ALL_SETTINGS, CONFIG_CHOICE, describedSetting, type Setting } from "../settings/table.ts";
import {
  argumentText,
  flagText,
  groupedFlags,
  OWN_FLAGS,
  type Placed,
  sentence,
  usageText,
} from "./help.ts";
import { VARIABLES } from "./variables.ts";

/** The parts of the README that are written from the tables, by the names of their marks. */
export function readmeParts(entries: readonly Placed[]): Readonly<Record<string, string>> {
  return {
    commands: table(
      ["command", "does", "its flags"],
      entries.map((entry) => [
        `[\`${usageText(entry).replace(" [flags]", "")}\`](docs/commands.md#${anchor(entry)})`,
        entry.leaf.summary,
        (entry.command.flags ?? []).map(({ name }) => `\`--${name}\``).join(" "),
      ]),
    ),
    flags: table(["flag", "means"], [...GLOBAL_FLAGS, ...OWN_FLAGS].map(flagRow)),
    "exit-codes": exitTable(),
    settings: table(
      ["setting", "flag", "environment", "config key"],
      [
        ...ALL_SETTINGS.map(settingRow),
        [
          CONFIG_CHOICE.description,
          `\`--${CONFIG_CHOICE.flag}\``,
          `\`${CONFIG_CHOICE.variable}\``,
          "–",
        ],
      ],
    ),
  };
}

/**
 * A text with its parts between `<!-- name -->` and `<!-- /name -->` written anew.
 *
 * @throws Error when a part has no marks
 */
export function withParts(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((before, [name, part]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [before.indexOf(open), before.indexOf(close)];
    if (start < 0 || end < start) throw new Error(`there are no marks ${open} and ${close}`);
    return `${before.slice(0, start + open.length)}\n\n${part}\n\n${before.slice(end)}`;
  }, text);
}

/** Every command with its arguments, flags, examples and exit codes, as a page. */
export function commandsPage(entries: readonly Placed[]): string {
  const parts = [
    "<!-- Written by tools/scripts/generate-documents.mjs from the commands themselves. -->",
    "# Commands",
    "`catalog <command> --help` prints the same on a terminal.",
    entries
      .map(
        (entry) =>
          `- [\`${usageText(entry).replace(" [flags]", "")}\`](#${anchor(entry)}): ${escaped(entry.leaf.summary)}`,
      )
      .join("\n"),
    ...entries.flatMap(commandParts),
    "## Flags of every command",
    ...groupedFlags([...GLOBAL_FLAGS, ...OWN_FLAGS]).flatMap(([heading, flags]) => [
      `${heading}:`,
      table(["flag", "means"], flags.map(flagRow)),
    ]),
    "## Exit codes",
    exitTable(),
    "## Environment",
    table(
      ["variable", "means"],
      VARIABLES.map(({ name, means }) => [`\`${name}\``, escaped(means)]),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

function commandParts(entry: Placed): string[] {
  const { arguments: positional = [], flags = [], description, examples, exits } = entry.command;
  const also = entry.aliases.map((alias) => `\`catalog ${alias}\``).join(", ");
  return [
    `## catalog ${entry.path}`,
    `\`\`\`\n${usageText(entry)}\n\`\`\``,
    escaped(sentence(entry.leaf.summary)),
    ...(description === undefined ? [] : [escaped(description)]),
    ...(also === "" ? [] : [`Also: ${also}.`]),
    ...(positional.length === 0
      ? []
      : [
          table(
            ["argument", "means"],
            positional.map((argument) => [
              `\`${argumentText(argument)}\``,
              escaped(argument.description),
            ]),
          ),
        ]),
    ...groupedFlags(flags).flatMap(([heading, grouped]) => [
      ...(heading === "Flags" ? [] : [`${heading}:`]),
      table(["flag", "means"], grouped.map(flagRow)),
    ]),
    `\`\`\`sh\n${examples.map(({ says, line }) => `# ${says}\n${line}`).join("\n\n")}\n\`\`\``,
    `Exit codes beside 0 and 2: ${exits.length === 0 ? "none" : [...exits].sort().join(", ")}.`,
  ];
}

function anchor({ path }: Placed): string {
  return `catalog-${path.replaceAll(" ", "-")}`;
}

function flagRow(flag: Flag): string[] {
  return [`\`${flagText(flag)}\``, escaped(flag.description)];
}

function exitTable(): string {
  return table(
    ["code", "means"],
    Object.entries(EXIT_CODES).map(([code, meaning]) => [code, escaped(meaning)]),
  );
}

function settingRow(setting: Setting<string | number>): string[] {
  const { flag, variable, configKey } = setting;
  return [
    describedSetting(setting),
    flag === undefined ? "–" : `\`--${flag}\``,
    `\`${variable}\``,
    configKey === undefined ? "–" : `\`${configKey}\``,
  ];
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Plain text as Markdown shows it unchanged. */
function escaped(text: string): string {
  return text.replace(/[\\`*<[\]]/g, "\\$&");
}
