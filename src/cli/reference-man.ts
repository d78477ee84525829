/** Writes what is told of the program as a manual page (man(7) macros). */

import type { Flag } from "../command-support/arguments.ts";
import { EXIT_CODES } from "../command-support/exit-codes.ts";
import { GLOBAL_FLAGS } from "../command-support/globals.ts";
import { CONFIG_FILES } from "../settings/project.ts";
import {
  ABOUT,
  flagText,
  OWN_FLAGS,
  type Placed,
  ROOT_EXAMPLES,
  sentence,
  usageText,
} from "./help.ts";
import { type Part, TOPIC_PARTS } from "./topics.ts";
import { VARIABLES } from "./variables.ts";

/** The page of section 1. @param version of the program */
export function manPage(entries: readonly Placed[], version: string): string {
  return [
    `.TH CATALOG 1 "" "catalog ${version}" "User Commands"`,
    ".SH NAME",
    "catalog \\- publish courses to a course catalog from YAML and JSON files",
    ".SH SYNOPSIS",
    ".B catalog",
    ".I command",
    "[\\fIflags\\fR]",
    ".SH DESCRIPTION",
    plain(ABOUT),
    plain(
      "Courses are kept as files, checked before anything is sent, and pushed so that a dropped connection never makes a course twice. A local sandbox serves the whole API, to try and to test without an account.",
    ),
    ".SH COMMANDS",
    ...entries.flatMap(commandLines),
    ".SH FLAGS OF EVERY COMMAND",
    ...[...GLOBAL_FLAGS, ...OWN_FLAGS].flatMap(flagLines),
    ".SH EXIT STATUS",
    ...Object.entries(EXIT_CODES).flatMap(([code, meaning]) => tagged(bold(code), meaning)),
    ".SH ENVIRONMENT",
    ...VARIABLES.flatMap(({ name, means }) => tagged(bold(name), means)),
    ".SH SETTINGS",
    ...TOPIC_PARTS.config.flatMap(partLines),
    ".SH COURSE FILES",
    ...TOPIC_PARTS.files.flatMap(partLines),
    ".SH FILES",
    ...tagged(
      bold(CONFIG_FILES.join(", ")),
      "The project's config, looked for from the current folder upward.",
    ),
    ...tagged(
      bold("$XDG_CONFIG_HOME/catalog/config.json"),
      "Your own config, which catalog login writes; by default below ~/.config.",
    ),
    ...tagged(
      bold("$XDG_STATE_HOME/catalog/deleted/"),
      "Courses as they were before they were deleted; by default below ~/.local/state.",
    ),
    ".SH EXAMPLES",
    ...ROOT_EXAMPLES.flatMap(({ says, line }) => example(says, line)),
    "",
  ].join("\n");
}

function commandLines(entry: Placed): string[] {
  const { aliases, leaf, command } = entry;
  const { arguments: positional = [], flags = [], description, examples, exits } = command;
  const also = aliases.map((alias) => `catalog ${alias}`).join(", ");
  const codes = [...new Set([0, 2, ...exits])].sort((one, other) => one - other);
  return [
    `.SS "${quoted(usageText(entry))}"`,
    plain(sentence(leaf.summary)),
    ...(description === undefined ? [] : [".PP", plain(description)]),
    ...(also === "" ? [] : [".PP", plain(`Also: ${also}.`)]),
    ...positional.flatMap((argument) =>
      tagged(`\\fI${roff(argument.name)}\\fR`, argument.description),
    ),
    ...flags.flatMap(flagLines),
    ".PP",
    plain(`Exit codes: ${codes.join(", ")}.`),
    ...examples.flatMap(({ says, line }) => example(says, line)),
  ];
}

function partLines(part: Part): string[] {
  if (typeof part === "string") return [".PP", plain(part)];
  if ("rows" in part) return part.rows.flatMap(([term, meaning]) => tagged(bold(term), meaning));
  return [".PP", ".RS 4", ".nf", ...part.lines.map(plain), ".fi", ".RE"];
}

function flagLines(flag: Flag): string[] {
  return tagged(bold(flagText(flag)), flag.description);
}

function tagged(label: string, text: string): string[] {
  return [".TP", label, plain(text)];
}

function example(says: string, line: string): string[] {
  return [".PP", plain(`${says}:`), ".PP", ".RS 4", ".nf", plain(line), ".fi", ".RE"];
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** A line of text; a point or an apostrophe at its start would make it a macro. */
function plain(text: string): string {
  return roff(text).replace(/^(?=[.'])/, "\\&");
}

function quoted(text: string): string {
  return roff(text).replaceAll('"', "\\(dq");
}

/** Text with what roff would read as its own written out. */
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
