/** Writes the help pages of the program, of a group and of one command. */
import { paragraph } from "../base/text.ts";
import { addTo } from "../base/values.ts";
import type { Argument, Flag } from "../command-support/arguments.ts";
import type { Example } from "../command-support/command.ts";
import type { System } from "../command-support/context.ts";
import { colorLevel, stylesFor } from "../output/color.ts";
import { COMMANDS, type Group, type Leaf, type LoadedCommand } from "./command-tree.ts";

/** The topics of `catalog help <name>`; `topics.ts` has their texts. */
export const TOPICS = [
  { name: "flags", summary: "flags of every command" },
  { name: "exit-codes", summary: "what each exit code means" },
  { name: "environment", summary: "environment variables" },
  { name: "config", summary: "config files, profiles and the saved key" },
  { name: "files", summary: "course files, and which files of a folder are read" },
] as const;

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
  { io, environment }: Pick<System, "io" | "environment">,
  color: boolean,
): Promise<PageStyle> {
  const { bold } = await stylesFor(colorLevel(io.out, environment, color));
  return { columns: Math.min(io.out.columns, MAX_COLUMNS), bold };
}

export const ABOUT = "Publish courses to a course catalog from YAML and JSON files.";

/** The examples of the program's own page. */
export const ROOT_EXAMPLES: readonly Example[] = [
  {
    description: "Try everything without an account",
    line: "catalog sandbox -- catalog courses ls",
  },
  { description: "Make the catalog match course files", line: "catalog courses push courses/" },
];

const ROOT_USAGE = "Usage: catalog <command> [flags], catalog <command> --help";

/** The page of the program, which fits a terminal of 24 lines. */
export function rootHelp(style: PageStyle): string {
  const topics = [...TOPICS.map(({ name }) => name), `--${MANUAL_FLAG.name}`].join(" | ");
  return joinSections([
    paragraph(ROOT_USAGE, style.columns).replace("Usage:", style.bold),
    paragraph(ABOUT, style.columns),
    section("Commands", commandRows(COMMANDS), style),
    section(
      "Examples",
      ROOT_EXAMPLES.map(({ description, line }): Row => [line, description]),
      style,
    ),
    paragraph(`Topics: catalog help ${topics}`, style.columns),
  ]);
}

export function groupHelp({ name, summary, commands, examples }: Group, style: PageStyle): string {
  return joinSections([
    `${style.bold("Usage:")} catalog ${name} <command> [flags]`,
    paragraph(asSentence(summary), style.columns),
    section("Commands", commandRows(commands), style),
    exampleSection(examples, style),
    paragraph(`Run "catalog ${name} <command> --help" for details.`, style.columns),
    seeAlso(style),
  ]);
}

export function commandHelp(loaded: LoadedCommand, style: PageStyle): string {
  return joinSections([...commandSections(loaded, style), seeAlso(style)]);
}

/** The page of a command without its reference to other pages. */
export function commandSections(loaded: LoadedCommand, style: PageStyle): string[] {
  const { aliases, summary, command } = loaded;
  const { arguments: positional = [], flags = [], description, examples } = command;
  const also = aliases.map((alias) => `catalog ${alias}`).join(", ");
  const usage = `${style.bold("Usage:")} ${usageText(loaded)}`;
  return [
    also === "" ? usage : `${usage}\n${style.bold("Also:")} ${also}`,
    paragraph(asSentence(summary), style.columns),
    paragraph(description ?? "", style.columns),
    section(
      "Arguments",
      positional.map((argument): Row => [argument.name, argument.description]),
      style,
    ),
    ...flagSections(flags, style),
    exampleSection(examples, style),
  ];
}

/** The flags under their headings. */
function flagSections(flags: readonly Flag[], style: PageStyle): string[] {
  return groupFlags(flags).map(([heading, grouped]) => {
    // Long names are aligned, whether or not there is a short one.
    const indent = grouped.some(({ short }) => short !== undefined) ? "    " : "";
    const rows = grouped.map((flag): Row => {
      const label = flagText(flag);
      return [flag.short === undefined ? indent + label : label, flag.description];
    });
    return section(heading, rows, style);
  });
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
  for (const flag of flags) addTo(groups, flag.group ?? "Flags", flag);
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
  const fitting = rows.map(([term]) => term.length).filter((length) => length <= columns / 2);
  const start = GAP + Math.max(0, ...fitting) + GAP;
  const isNarrow = columns - start < LEAST_WIDTH;
  return rows
    .map(([term, meaning]) => {
      const isOneLine = !isNarrow && GAP + term.length + GAP <= start;
      const lines = paragraph(meaning, columns, " ".repeat(isNarrow ? BELOW : start));
      const label = `${" ".repeat(GAP)}${term}`;
      return isOneLine ? label.padEnd(start) + lines.slice(start) : `${label}\n${lines}`;
    })
    .join("\n");
}

/** Sections with an empty line between them. */
export function joinSections(sections: readonly string[]): string {
  return `${sections.filter((each) => each !== "").join("\n\n")}\n`;
}

function section(heading: string, rows: readonly Row[], { columns, bold }: PageStyle): string {
  return rows.length === 0 ? "" : `${bold(`${heading}:`)}\n${columnsText(rows, columns)}`;
}

function commandRows(entries: readonly (Leaf | Group)[]): Row[] {
  return entries.map(({ name, alias, summary }) => [
    alias === undefined ? name : `${name}, ${alias}`,
    summary,
  ]);
}

function exampleSection(examples: readonly Example[], { bold }: PageStyle): string {
  const lines = examples.map(({ description, line }) => `  # ${description}\n  ${line}`);
  return `${bold("Examples:")}\n${lines.join("\n\n")}`;
}

function seeAlso({ columns }: PageStyle): string {
  const text =
    "Global flags, exit codes and environment: catalog help flags | exit-codes | environment";
  return paragraph(text, columns);
}
