/** The help texts of the program, of a group of commands and of one command. */
import { paragraph } from "../base/paragraph.ts";
import type { Argument, Flag } from "../command-support/arguments.ts";
import type { AnyCommand, Example } from "../command-support/command.ts";
import { EXIT_CODES, type ExitCode } from "../command-support/exit-codes.ts";
import { GLOBAL_FLAGS, OUTPUT_GROUP } from "../command-support/globals.ts";
import { ALL_SETTINGS, CONFIG_CHOICE } from "../settings/table.ts";
import { columnsText } from "./layout.ts";
import { COMMANDS, type Group, type Leaf } from "./registry.ts";
import { TOPICS } from "./topic-names.ts";

/** What the program is. */
export const ABOUT = "Publish courses to a course catalog from YAML and JSON files.";

/** What `catalog --help` shows. */
export const ROOT_EXAMPLES: readonly Example[] = [
  { says: "Try everything without an account", line: "catalog sandbox -- catalog courses ls" },
  { says: "Check course files", line: "catalog courses check courses/" },
  { says: "Make the catalog match them", line: "catalog courses push courses/" },
];

/** The flags of the program itself. */
export const OWN_FLAGS: readonly Flag[] = [
  { name: "help", short: "h", group: OUTPUT_GROUP, description: "print this help" },
  { name: "version", short: "V", group: OUTPUT_GROUP, description: "print the version" },
];

/** The help of the whole program, for a terminal of that width. */
export function rootHelp(columns: number): string {
  const topics = TOPICS.map(({ name, summary }): Row => [`catalog help ${name}`, summary]);
  return text([
    `Usage: catalog <command> [flags]\n\n${paragraph(ABOUT, columns)}`,
    section("Commands", commandRows(COMMANDS), columns),
    ...flagSections(GLOBAL_FLAGS, columns),
    exampleSection(ROOT_EXAMPLES),
    section("More help", [["catalog <command> --help", "a command"], ...topics], columns),
    exitSection(Object.keys(EXIT_CODES).map(Number) as ExitCode[], columns),
    environmentSection(true, columns),
  ]);
}

/** The help of a word that groups commands. */
export function groupHelp(group: Group, columns: number): string {
  return text([
    `Usage: catalog ${group.name} <command> [flags]\n\n${paragraph(sentence(group.summary), columns)}`,
    section("Commands", commandRows(group.commands), columns),
    ...flagSections(GLOBAL_FLAGS, columns),
    exampleSection(group.examples),
    paragraph(`"catalog ${group.name} <command> --help" tells of a command.`, columns),
    environmentSection(true, columns),
  ]);
}

/** A command in its place. */
export interface Placed {
  /** The words that lead to it, without the program's name: `courses ls`. */
  readonly path: string;
  /** The same with other names for it or for its group. */
  readonly aliases: readonly string[];
  readonly leaf: Leaf;
  readonly command: AnyCommand;
}

/** The command of a leaf, which was loaded, in its place. */
export function placed(leaf: Leaf, group: Group | undefined, command: AnyCommand): Placed {
  const within = group === undefined ? "" : `${group.name} `;
  const aliases = [
    ...(leaf.alias === undefined ? [] : [`${within}${leaf.alias}`]),
    ...(group?.alias === undefined ? [] : [`${group.alias} ${leaf.name}`]),
  ];
  return { path: `${within}${leaf.name}`, aliases, leaf, command };
}

/** A command with its arguments and where its flags go. */
export function usageText({ path, command }: Pick<Placed, "path" | "command">): string {
  const texts = (command.arguments ?? []).map(argumentText);
  // What stands behind -- belongs to another command, its flags too.
  const isBehind = (text: string): boolean => text.startsWith("[--");
  return ["catalog", path, ...texts.filter((text) => !isBehind(text)), "[flags]"]
    .concat(texts.filter(isBehind))
    .join(" ");
}

/** The help of a command. */
export function commandHelp({ path, aliases, leaf, command }: Placed, columns: number): string {
  const { arguments: positional = [], flags = [], description, examples, exits } = command;
  const about = [sentence(leaf.summary), ...(description === undefined ? [] : [description])];
  const also = aliases.map((alias) => `catalog ${alias}`).join(", ");
  return text([
    `Usage: ${usageText({ path, command })}${also === "" ? "" : `\nAlso: ${also}`}`,
    ...about.map((part) => paragraph(part, columns)),
    section(
      "Arguments",
      positional.map(({ name, description: means }): Row => [name, means]),
      columns,
    ),
    ...flagSections([...flags, ...GLOBAL_FLAGS], columns),
    exampleSection(examples),
    exitSection([0, ...exits, 2], columns),
    environmentSection(exits.includes(6), columns),
  ]);
}

/** An argument as the usage shows it: `<id...>`, `[file]`. */
export function argumentText({ name, required, variadic }: Argument): string {
  const inner = variadic === true ? `${name}...` : name;
  return required === true ? `<${inner}>` : `[${inner}]`;
}

/** A flag as the help shows it: `-o, --output <format>`. */
export function flagText({ name, short, value }: Flag): string {
  const letter = short === undefined ? "" : `-${short}, `;
  return `${letter}--${name}${value === undefined ? "" : ` ${value}`}`;
}

/** Flags by the headings under which they are listed, in the order of their first ones. */
export function groupedFlags(flags: readonly Flag[]): [string, readonly Flag[]][] {
  const groups = new Map<string, Flag[]>();
  for (const flag of flags) {
    const heading = flag.group ?? "Flags";
    groups.set(heading, [...(groups.get(heading) ?? []), flag]);
  }
  return [...groups];
}

/** A summary as the first sentence of a text. */
export function sentence(summary: string): string {
  const start = summary.charAt(0).toUpperCase() + summary.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

type Row = readonly [string, string];

function text(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function section(heading: string, rows: readonly Row[], columns: number): string {
  return rows.length === 0 ? "" : `${heading}:\n${columnsText(rows, columns)}`;
}

function commandRows(entries: readonly (Leaf | Group)[]): Row[] {
  return entries.map(({ name, alias, summary }) => [
    alias === undefined ? name : `${name}, ${alias}`,
    summary,
  ]);
}

function flagSections(flags: readonly Flag[], columns: number): string[] {
  return groupedFlags([...flags, ...OWN_FLAGS]).map(([heading, grouped]) => {
    // Long names stand below each other, whether or not there is a short one.
    const indent = grouped.some(({ short }) => short !== undefined) ? "    " : "";
    const rows = grouped.map((flag): Row => {
      const label = flagText(flag);
      return [flag.short === undefined ? indent + label : label, flag.description];
    });
    return section(heading, rows, columns);
  });
}

function exampleSection(examples: readonly Example[]): string {
  const lines = examples.map(({ says, line }) => `  # ${says}\n  ${line}`);
  return lines.length === 0 ? "" : `Examples:\n${lines.join("\n\n")}`;
}

function exitSection(codes: readonly ExitCode[], columns: number): string {
  const sorted = [...new Set(codes)].sort((one, other) => one - other);
  return section(
    "Exit codes",
    sorted.map((code): Row => [String(code), EXIT_CODES[code]]),
    columns,
  );
}

function environmentSection(talks: boolean, columns: number): string {
  const names = [...ALL_SETTINGS, CONFIG_CHOICE].map(({ variable }) => variable);
  const all = '"catalog help environment" tells of every variable.';
  const words = talks ? `${names.join(", ")}; ${all}` : all;
  return `Environment:\n${paragraph(words, columns, "  ")}`;
}
