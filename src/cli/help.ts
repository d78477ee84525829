/** Writes the help pages of the program, of a group and of one command. */
import { paragraph } from "../base/text.ts";
import { addTo } from "../base/values.ts";
import { type Argument, type Flag, listedFlags } from "../command-support/arguments.ts";
import type { AnyCommand, Example } from "../command-support/command.ts";
import type { System } from "../command-support/context.ts";
import { colorLevel, stylesFor } from "../output/color.ts";
import { COMMANDS, type Group, type LoadedCommand, namesOf } from "./command-tree.ts";

/** The topics of `catalog help <name>`; `topics.ts` has their texts. */
export const TOPICS = [
  { name: "flags", summary: "flags of every command" },
  { name: "exit-codes", summary: "what each exit code means" },
  { name: "environment", summary: "environment variables" },
  { name: "config", summary: "config files, profiles and the saved key" },
  { name: "files", summary: "course files, and which files of a folder are read" },
] as const;

export const HELP_FLAG: Flag = { name: "help", short: "h", description: "print help" };
export const VERSION_FLAG: Flag = { name: "version", short: "V", description: "print the version" };
export const MANUAL_FLAG: Flag = { name: "man", description: "print the manual: all help pages" };

export type TopicName = (typeof TOPICS)[number]["name"];

/** How a page is laid out. */
export interface PageStyle {
  /** The longest line, in columns. */
  readonly columns: number;
  readonly bold: (text: string) => string;
}

/** Longer lines are hard to read. */
const MAX_COLUMNS = 100;

/** The style of pages on standard output. @param color whether there may be color */
export async function loadPageStyle(
  { io, environment }: System,
  color: boolean,
): Promise<PageStyle> {
  const { bold } = await stylesFor(colorLevel(io.out, environment, color));
  return { columns: Math.min(io.out.columns, MAX_COLUMNS), bold };
}

const ROOT_USAGE = "Usage: catalog <command> [flags], catalog <command> --help";

export const ABOUT = "Publish courses to a course catalog from YAML and JSON files.";

/** The examples of the program's own page. */
export const ROOT_EXAMPLES: readonly Example[] = [
  {
    description: "Try everything without an account",
    line: "catalog sandbox -- catalog courses ls",
  },
  { description: "Make the catalog match course files", line: "catalog courses push courses/" },
];

/** The page of the program, which fits a terminal of 24 lines. */
export function rootPage({ columns, bold }: PageStyle): string {
  const commands = COMMANDS.map((entry): Row => [namesOf(entry).join(", "), entry.summary]);
  const examples = ROOT_EXAMPLES.map(({ description, line }): Row => [line, description]);
  const topics = [...TOPICS.map(({ name }) => name), `--${MANUAL_FLAG.name}`].join(" | ");
  const sections = [
    paragraph(ROOT_USAGE, columns).replace("Usage:", bold),
    paragraph(ABOUT, columns),
    `${bold("Commands:")}\n${columnsText(commands, columns)}`,
    `${bold("Examples:")}\n${columnsText(examples, columns)}`,
    paragraph(`Topics: catalog help ${topics}`, columns),
  ];
  return `${sections.join("\n\n")}\n`;
}

/** What the page of a group shows below its commands. */
export function groupDetails({ name, examples }: Group, style: PageStyle): string {
  const see = `Run "catalog ${name} <command> --help" for details.`;
  return `${exampleSection(examples, style)}\n\n${paragraph(see, style.columns)}\n\n${seeAlso(style)}`;
}

/** What the page of a command shows below its flags. */
export function commandDetails({ examples }: AnyCommand, style: PageStyle): string {
  return `${exampleSection(examples, style)}\n\n${seeAlso(style)}`;
}

function exampleSection(examples: readonly Example[], { columns, bold }: PageStyle): string {
  // A command stays on one line, to be copied.
  const lines = examples.map(
    ({ description, line }) => `${paragraph(description, columns, "  # ")}\n  ${line}`,
  );
  return `\n${bold("Examples:")}\n${lines.join("\n\n")}`;
}

function seeAlso({ columns }: PageStyle): string {
  const text =
    "Global flags, exit codes and environment: catalog help flags | exit-codes | environment";
  return paragraph(text, columns);
}

/** A command with its arguments and the place of its flags. */
export function usageText({ path, command }: LoadedCommand): string {
  const texts = (command.arguments ?? []).map(argumentText);
  // What follows -- belongs to another command, its flags too.
  const isPassthrough = (text: string): boolean => text.startsWith("[--");
  return ["catalog", path, ...texts.filter((text) => !isPassthrough(text)), "[flags]"]
    .concat(texts.filter(isPassthrough))
    .join(" ");
}

/** The same with the other names of the command. */
export function usageWithAliases(loaded: LoadedCommand): string {
  const also = loaded.aliases.map((alias) => `catalog ${alias}`).join(", ");
  return also === "" ? usageText(loaded) : `${usageText(loaded)}\nAlso: ${also}`;
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

/** Flags by their headings, in the order of the first flag of each. */
export function groupFlags(flags: readonly Flag[]): [string, readonly Flag[]][] {
  const groups = new Map<string, Flag[]>();
  for (const flag of listedFlags(flags)) addTo(groups, flag.group ?? "Flags", flag);
  return [...groups];
}

/** A summary with a capital and a full stop. */
export function asSentence(summary: string): string {
  const start = summary.charAt(0).toUpperCase() + summary.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

export type Row = readonly [string, string];

const GAP = 2;
/** The indentation of meanings below their terms; deeper than any term. */
const BELOW = 8;
/** Where the second column would be narrower, the meanings are below their terms. */
const LEAST_WIDTH = 30;

/** Rows in two columns, indented by two. */
export function columnsText(rows: readonly Row[], columns: number): string {
  const terms = rows.map(([term]) => term);
  const width = columnWidth(terms, columns);
  return rows.map((row) => rowText(row, width, columns)).join("\n");
}

/** The width of the first column: that of the longest term that leaves space for a second one. */
export function columnWidth(terms: readonly string[], columns: number): number {
  const lengths = terms.map((term) => term.length);
  return Math.max(0, ...lengths.filter((length) => length <= columns / 2));
}

/** A row whose second column starts after the width of the first one. */
export function rowText([term, meaning]: Row, width: number, columns: number): string {
  const start = GAP + width + GAP;
  const isNarrow = columns - start < LEAST_WIDTH;
  const lines = paragraph(meaning, columns, " ".repeat(isNarrow ? BELOW : start));
  const label = `${" ".repeat(GAP)}${term}`;
  const isOneLine = !isNarrow && term.length <= width;
  return isOneLine ? label.padEnd(start) + lines.slice(start) : `${label}\n${lines}`;
}
