/** Writes what help pages show besides the flags, which commander lists: what a command does, its examples, and the page of `catalog`. */
import { paragraph } from "../base/text.ts";
import { addTo } from "../base/values.ts";
import type { Argument, Flag } from "../cli/arguments.ts";
import type { AnyCommand } from "../cli/command.ts";
import type { System } from "../cli/context.ts";
import { hasColor, stylesFor } from "../output/color.ts";
import { type Group, type Leaf, type LoadedCommand, namesOf, SECTIONS } from "./command-tree.ts";

/** The topics of `catalog help <name>`. `topics.ts` has their texts. */
export const TOPICS = [
  { name: "flags", summary: "flags of every command" },
  { name: "exit-codes", summary: "what each exit code means" },
  { name: "config", summary: "config files, profiles and the saved key" },
  { name: "environment", summary: "environment variables" },
  { name: "files", summary: "course files, and which files of a folder are read" },
] as const;

export const HELP_FLAG: Flag = { name: "help", short: "h", description: "print help" };
export const VERSION_FLAG: Flag = { name: "version", short: "V", description: "print the version" };

export type TopicName = (typeof TOPICS)[number]["name"];

/** The layout of a page. */
export interface PageStyle {
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
  const { bold } = await stylesFor(hasColor(io.out, environment, color));
  return { columns: Math.min(io.out.columns, MAX_COLUMNS), bold };
}

const ABOUT = "Publish courses from files in your repository.";

/** The page of `catalog` without a command, which fits a terminal of 24 lines of 80 columns. */
export function rootPage(style: PageStyle): string {
  const { columns, bold } = style;
  const sections = SECTIONS.map(({ title, entries }): Section => [title, rowsByGoal(entries)]);
  const topics = TOPICS.map(({ name }) => name).join(", ");
  const parts = [
    `${paragraph(ABOUT, columns)}\n${usageLine("catalog", columns, bold)}`,
    ...sectionTexts(sections, style),
    paragraph(`Help: catalog help ${topics}`, columns),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The page of a group: its commands by their goals. It fits a terminal of 24 lines of 80 columns. */
export function groupPage({ name, commands }: Group, style: PageStyle): string {
  const sections = new Map<string, Row[]>();
  for (const command of commands) {
    const { goal = "commands", summary } = command;
    addTo(sections, capitalize(goal), [namesOf(command).join(", "), summary]);
  }
  const usage = usageLine(`catalog ${name}`, style.columns, style.bold);
  return `${[usage, "", ...sectionTexts([...sections], style)].join("\n")}\n`;
}

function usageLine(words: string, columns: number, bold: PageStyle["bold"]): string {
  const usage = `Usage: ${words} <command> [flags], ${words} <command> --help`;
  return paragraph(usage, columns).replace("Usage:", bold);
}

/** Entries without a goal with their summaries, and entries that share a goal in one row: `ls, get, open`. */
function rowsByGoal(entries: readonly (Leaf | Group)[]): Row[] {
  const names = new Map<string, string[]>();
  for (const { name, goal, summary } of entries) addTo(names, goal ?? summary, name);
  return [...names].map(([goal, sharing]) => [sharing.join(", "), goal]);
}

/** A heading, and rows in two columns below it. */
type Section = readonly [title: string, rows: readonly Row[]];

function sectionTexts(sections: readonly Section[], { columns, bold }: PageStyle): string[] {
  const all = sections.flatMap(([, rows]) => rows);
  return sections.map(
    ([title, rows]) => `${bold(`${title}:`)}\n${columnsText(rows, columns, all)}`,
  );
}

/** What the page of a command shows below its flags. */
export function commandDetails({ examples }: AnyCommand, { columns, bold }: PageStyle): string {
  // A command stays on one line, to be copied.
  const lines = examples.map(
    ({ description, line }) => `${paragraph(description, columns, "  # ")}\n  ${line}`,
  );
  const topics = ["flags", "exit-codes", "environment"].map((name) => `catalog help ${name}`);
  const more = paragraph(`See also: ${topics.join(", ")}`, columns);
  return `\n${bold("Examples:")}\n${lines.join("\n\n")}\n\n${more}`;
}

/** A command with its arguments and the place of its flags. */
export function usageText({ path, command }: LoadedCommand): string {
  const texts = (command.arguments ?? []).map(argumentText);
  // The words after -- are another command with its flags.
  const isPassthrough = (text: string): boolean => text.startsWith("[--");
  return ["catalog", path, ...texts.filter((text) => !isPassthrough(text)), "[flags]"]
    .concat(texts.filter(isPassthrough))
    .join(" ");
}

/** The usage with a second line for the other names of the command: `Also: catalog course ls`. */
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

/** A summary with a capital letter and a period. */
export function asSentence(summary: string): string {
  return /[.!?]$/.test(summary) ? capitalize(summary) : `${capitalize(summary)}.`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A term and what it means. */
export type Row = readonly [string, string];

/** Rows in two columns, indented by two. A longer term is above its meaning. @param of the rows that share the columns */
export function columnsText(rows: readonly Row[], columns: number, of = rows): string {
  const longest = Math.max(...of.map(([term]) => term.length));
  const start = Math.min(longest, Math.floor(columns / 3)) + 4;
  const lines = rows.map(([term, meaning]) => {
    const text = paragraph(meaning, columns, " ".repeat(start));
    if (term.length + 4 <= start) return `  ${term}`.padEnd(start) + text.slice(start);
    return `${paragraph(term, columns, "  ")}\n${text}`;
  });
  return lines.join("\n");
}
