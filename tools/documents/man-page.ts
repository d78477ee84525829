/** Writes the manual page (man(7) macros). */
import type { LoadedCommand } from "../../src/cli/command-tree.ts";
import type { TopicName } from "../../src/cli/help.ts";
import { ABOUT, asSentence, flagText, usageText } from "../../src/cli/help.ts";
import { type Part, TOPIC_TEXTS } from "../../src/cli/topics.ts";
import { listedFlags } from "../../src/command-support/arguments.ts";
import type { Example } from "../../src/command-support/command.ts";
import { CONFIG_FILES } from "../../src/settings/project-config.ts";

const EXAMPLES: readonly Example[] = [
  { description: "Try everything without an account", line: "catalog sandbox" },
  { description: "Find the problems in course files", line: "catalog courses check courses/" },
  { description: "Create and update courses from files", line: "catalog courses push courses/" },
];

/** The page of section 1. @param version of `catalog` @param date of the version, or empty */
export function manPage(commands: readonly LoadedCommand[], version: string, date: string): string {
  const lines = [
    `.TH CATALOG 1 "${date}" "catalog ${version}" "User Commands"`,
    ".SH NAME",
    "catalog \\- publish courses from files to a course catalog",
    ".SH SYNOPSIS",
    ".B catalog",
    ".I command",
    "[\\fIflags\\fR]",
    ".SH DESCRIPTION",
    plain(ABOUT),
    plain(
      "Write each course in YAML, JSON or a spreadsheet. catalog checks it, shows what would change, and pushes it to your course catalog. If the connection drops halfway, push again: no course is created twice. Without an account, catalog sandbox runs the API on your machine.",
    ),
    ".SH COMMANDS",
    ...commands.flatMap(commandLines),
    ...topicLines("GLOBAL FLAGS", "flags"),
    ...topicLines("EXIT STATUS", "exit-codes"),
    ...topicLines("ENVIRONMENT", "environment"),
    ...topicLines("SETTINGS", "config"),
    ...topicLines("COURSE FILES", "files"),
    ".SH FILES",
    ...tagged(
      CONFIG_FILES.join(", "),
      "The project config file. catalog searches for it from the current folder upward.",
    ),
    ...tagged(
      "$XDG_CONFIG_HOME/catalog/config.json",
      "The user config file, which catalog login writes. By default, ~/.config/catalog/config.json.",
    ),
    ...tagged(
      "$XDG_STATE_HOME/catalog/history/",
      "The undo records of the newest runs. By default, ~/.local/state/catalog/history/.",
    ),
    ".SH EXAMPLES",
    ...EXAMPLES.flatMap(exampleLines),
    "",
  ];
  // A heading begins a paragraph.
  return lines
    .filter((line, index) => line !== ".PP" || !lines[index - 1]?.startsWith(".SH"))
    .join("\n");
}

function commandLines(loaded: LoadedCommand): string[] {
  const { aliases, summary, command } = loaded;
  const { arguments: positional = [], flags = [], description, examples, exits } = command;
  const also = aliases.map((alias) => `catalog ${alias}`).join(", ");
  const codes = [...new Set([0, 2, ...exits])].sort((one, other) => one - other);
  return [
    `.SS "${roff(usageText(loaded)).replaceAll('"', "\\(dq")}"`,
    plain(asSentence(summary)),
    ...(description === undefined ? [] : [".PP", plain(description)]),
    ...(also === "" ? [] : [".PP", plain(`Also: ${also}.`)]),
    ...positional.flatMap(({ name, description: meaning }) => tagged(name, meaning, "I")),
    ...listedFlags(flags).flatMap((flag) => tagged(flagText(flag), flag.description)),
    ".PP",
    plain(`Exit codes: ${codes.join(", ")}.`),
    ...examples.flatMap(exampleLines),
  ];
}

function topicLines(heading: string, name: TopicName): string[] {
  return [`.SH ${heading}`, ...TOPIC_TEXTS[name].parts.flatMap(partLines)];
}

function partLines(part: Part): string[] {
  if (typeof part === "string") return [".PP", plain(part)];
  if ("rows" in part) return part.rows.flatMap(([term, meaning]) => tagged(term, meaning));
  return literal(part.lines);
}

function tagged(label: string, text: string, font = "B"): string[] {
  return [".TP", `\\f${font}${roff(label)}\\fR`, plain(text)];
}

function exampleLines({ description, line }: Example): string[] {
  return [".PP", plain(`${description}:`), ...literal([line])];
}

function literal(lines: readonly string[]): string[] {
  return [".PP", ".RS 4", ".nf", ...lines.map(plain), ".fi", ".RE"];
}

/** A line of text. roff would read a line that starts with a period or an apostrophe as a macro. */
function plain(text: string): string {
  return roff(text).replace(/^(?=[.'])/, "\\&");
}

/** The text with the special characters of roff escaped. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replaceAll("…", "\\&...")
    .replaceAll("–", "\\(en");
}
