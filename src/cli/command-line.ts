/** Reads command lines with commander, which no other file imports. */
import { Command as Commander, Option } from "commander";
import { type CatalogError, usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { pluralize } from "../base/text.ts";
import type { Flag, ParsedArguments } from "../command-support/arguments.ts";
import type { AnyCommand } from "../command-support/command.ts";
import { GLOBAL_FLAGS, PROGRAM_FLAGS } from "../command-support/globals.ts";
import { VERSION } from "../version.ts";
import {
  COMMANDS,
  type Group,
  type Leaf,
  type LoadedCommand,
  loadCommand,
  TOPICS,
  type TopicName,
} from "./command-tree.ts";
import {
  argumentText,
  commandHelp,
  flagText,
  groupHelp,
  type PageStyle,
  rootHelp,
} from "./help.ts";

/** What a command line asks the program to do. */
export type Parsed = { readonly flags: ParsedArguments["flags"] } & (
  | { readonly command: AnyCommand; readonly words: ParsedArguments }
  | { readonly print: (style: PageStyle) => string }
  | { readonly error: CatalogError }
);

/**
 * Parses a command line.
 *
 * @returns the command to run, what to print, or a usage error; and the flags that were read
 */
export async function parseArguments(argv: readonly string[]): Promise<Parsed> {
  const line = await readLine(argv);
  const { words, loaded, group, topic, unknownCommand } = line;
  const { flags } = words;
  if (flags.version === true) return { flags, print: () => `${VERSION}\n` };
  if (topic !== undefined) {
    const { topicText } = await import("./topics.ts");
    return { flags, print: (style) => topicText(topic, style) };
  }
  if (unknownCommand !== undefined) return { flags, error: refuseCommand(line, unknownCommand) };
  if (!line.isHelp && flags.help !== true) {
    const error = findMistake(line);
    if (error !== undefined) return { flags, error };
    if (loaded !== undefined) return { flags, command: loaded.command, words };
  }
  if (loaded !== undefined) return { flags, print: (style) => commandHelp(loaded, style) };
  if (group !== undefined) return { flags, print: (style) => groupHelp(group, style) };
  return { flags, print: rootHelp };
}

/** A command line, as far as it can be read. */
export interface CommandLine {
  readonly words: ParsedArguments;
  readonly group: Group | undefined;
  readonly loaded: LoadedCommand | undefined;
  /** The commands and groups that the next word may name; none after a command. */
  readonly entries: readonly (Leaf | Group)[];
  /** Whether the word `help` is among those that lead to the command. */
  readonly isHelp: boolean;
  readonly topic: TopicName | undefined;
  /** The first word that should name a command and does not. */
  readonly unknownCommand: string | undefined;
  readonly unknownFlag: string | undefined;
  /** The flags that may be given here, the command's own first. */
  readonly knownFlags: readonly Flag[];
  readonly unfinished: Unfinished;
}

/** What the word is that is being typed; `text` is without the flag that it may be the value of. */
export interface Unfinished {
  readonly kind: "argument" | "flag" | "value";
  readonly text: string;
  /** The flag of a value. */
  readonly flag?: Flag;
}

/**
 * Marks the unfinished word, which ends the line. Where it turns up says what the word is: in the
 * value of a flag, as an argument, or among the unknown flags. No argument of a process contains it.
 */
const MARK = "\0";
const HELP = "help";

/**
 * Reads a command line, right or wrong. Only the command that it names is loaded.
 *
 * @param argv the finished words
 * @param unfinished the word that is being typed, if one is
 */
export async function readLine(argv: readonly string[], unfinished = ""): Promise<CommandLine> {
  let words = [...argv, unfinished + MARK];
  let entries: readonly (Leaf | Group)[] = COMMANDS;
  let group: Group | undefined;
  let loaded: LoadedCommand | undefined;
  let isHelp = false;
  const flags: Record<string, FlagValue> = {};
  for (;;) {
    const knownFlags = [...(loaded?.command.flags ?? []), ...GLOBAL_FLAGS, ...PROGRAM_FLAGS];
    const names = loaded === undefined ? [HELP, ...entries.flatMap(namesOf)] : [];
    const level = createParser(knownFlags, names);
    const { operands, unknown } = level.parseOptions(words);
    // A flag after the command overrides the same flag before it.
    Object.assign(flags, readFlags(level));
    const [word] = operands;
    if (word !== undefined && names.includes(word)) {
      words = [...operands.slice(1), ...unknown];
      const entry = entries.find((each) => namesOf(each).includes(word));
      if (entry === undefined) isHelp = true;
      else if ("load" in entry) loaded = await loadCommand(entry, group);
      else group = entry;
      if (entry !== undefined) entries = "load" in entry ? [] : entry.commands;
      continue;
    }
    const last = takeUnfinished(flags, operands, unknown, knownFlags);
    const given = [...operands, ...unknown.filter((each) => !each.startsWith("-"))];
    const dashes = argv.indexOf("--");
    const passthrough = dashes === -1 ? undefined : argv.slice(dashes + 1);
    const isTopLevel = loaded === undefined && group === undefined;
    const topic = isHelp && isTopLevel ? TOPICS.find(({ name }) => name === given[0]) : undefined;
    return {
      words: { arguments: given, flags, passthrough },
      group,
      loaded,
      entries,
      isHelp,
      topic: topic?.name,
      unknownCommand: loaded === undefined ? operands[0] : undefined,
      unknownFlag: unknown.find((each) => each.startsWith("-")),
      knownFlags,
      unfinished: last,
    };
  }
}

type FlagValue = string | boolean | readonly string[];

/** Finds the marked word, and removes it from where it is. */
function takeUnfinished(
  flags: Record<string, FlagValue>,
  operands: string[],
  unknown: string[],
  knownFlags: readonly Flag[],
): Unfinished {
  for (const flag of knownFlags) {
    const value = flags[flag.name];
    const text = Array.isArray(value) ? value.at(-1) : value;
    if (typeof text !== "string" || !text.endsWith(MARK)) continue;
    if (Array.isArray(value)) flags[flag.name] = value.slice(0, -1);
    else delete flags[flag.name];
    return { kind: "value", text: unmarked(text), flag };
  }
  const list = operands.at(-1)?.endsWith(MARK) === true ? operands : unknown;
  const text = unmarked(list.pop() ?? "");
  return { kind: list === unknown && text.startsWith("-") ? "flag" : "argument", text };
}

function unmarked(text: string): string {
  return text.slice(0, -MARK.length);
}

/** A parser of these flags, which stops at one of the names. */
function createParser(flags: readonly Flag[], names: readonly string[]): Commander {
  const parser = new Commander().enablePositionalOptions();
  for (const name of names) parser.addCommand(new Commander(name));
  for (const flag of flags) {
    const option = new Option(flagText(flag));
    if (flag.repeatable) {
      option.argParser((text: string, before: readonly string[] = []) => [...before, text]);
    }
    parser.addOption(option);
  }
  return parser;
}

function readFlags(parser: Commander): Record<string, FlagValue> {
  const given = parser.options.filter(
    (option) => parser.getOptionValueSource(option.attributeName()) === "cli",
  );
  return Object.fromEntries(
    given.map((option) => [
      option.name(),
      // Commander stores `--no-color` as `color: false`.
      option.negate ? true : parser.getOptionValue(option.attributeName()),
    ]),
  );
}

function namesOf({ name, alias }: Leaf | Group): string[] {
  return alias === undefined ? [name] : [name, alias];
}

const PROGRAM = "catalog";

function pathOf({ loaded, group }: CommandLine): string {
  const path = loaded?.path ?? group?.name;
  return path === undefined ? PROGRAM : `${PROGRAM} ${path}`;
}

function refuseCommand(line: CommandLine, word: string): CatalogError {
  const { entries, group } = line;
  const names = entries.flatMap(namesOf);
  const topics = group === undefined ? TOPICS.map(({ name }) => name) : [];
  // Users who forget the group mostly type the right command.
  const inner = group === undefined ? innerNames() : [];
  const near =
    inner.find((each) => each.name === word)?.path ??
    closest(word, [...names, ...topics]) ??
    inner.find(
      (each) =>
        each.name ===
        closest(
          word,
          inner.map(({ name }) => name),
        ),
    )?.path;
  const isTopic = topics.some((name) => name === near);
  const path = isTopic ? `${PROGRAM} help` : pathOf(line);
  const suggestion = near === undefined ? "" : `Did you mean "${path} ${near}"? `;
  const list = `Run "${pathOf(line)} --help" for the list of commands.`;
  return usageError(`unknown command ${JSON.stringify(word)}`, suggestion + list);
}

/** The names of the commands in groups, with the words that lead to them. */
function innerNames(): { name: string; path: string }[] {
  return COMMANDS.flatMap((group) =>
    "load" in group
      ? []
      : group.commands.flatMap((leaf) =>
          namesOf(leaf).map((name) => ({ name, path: `${group.name} ${leaf.name}` })),
        ),
  );
}

/** What is wrong with the flags and arguments, if anything is. */
function findMistake(line: CommandLine): CatalogError | undefined {
  const { unfinished, unknownFlag, knownFlags, loaded, words } = line;
  const see = `Run "${pathOf(line)} --help" for details.`;
  if (unfinished.flag !== undefined) {
    const { name, value = "" } = unfinished.flag;
    return usageError(`--${name} needs a value: --${name} ${value}`, see);
  }
  if (unknownFlag !== undefined) {
    // What follows the sign may be a secret.
    const name = unknownFlag.replace(/=.*/s, "");
    const near = closest(
      name.replace(/^-+/, ""),
      knownFlags.map((flag) => flag.name),
    );
    const suggestion =
      near === undefined || !name.startsWith("--") ? "" : `Did you mean --${near}? `;
    return usageError(`unknown flag ${JSON.stringify(name)}`, suggestion + see);
  }
  if (loaded === undefined) return undefined;
  const { arguments: positional = [] } = loaded.command;
  const given = words.arguments.length;
  const missing = positional.find(({ required }, index) => required === true && index >= given);
  if (missing !== undefined) return usageError(`missing argument ${argumentText(missing)}`, see);
  if (given <= positional.length || positional.at(-1)?.variadic === true) return undefined;
  const most =
    positional.length === 0
      ? "no arguments"
      : `at most ${pluralize(positional.length, "argument")}`;
  return usageError(`expected ${most}, got ${given}`, see);
}
