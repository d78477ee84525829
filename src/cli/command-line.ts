/** Reads command lines with commander, which no other file imports. */
import { Command as Commander, Option } from "commander";
import type { CommandWords, Flag } from "../command-support/arguments.ts";
import { GLOBAL_FLAGS, PROGRAM_FLAGS } from "../command-support/globals.ts";
import {
  COMMANDS,
  type Group,
  type Leaf,
  type LoadedCommand,
  loadCommand,
  namesOf,
} from "./command-tree.ts";
import { flagText, MANUAL_FLAG, TOPICS, type TopicName } from "./help.ts";

/** A command line, as far as it can be read. */
export interface CommandLine {
  readonly words: CommandWords;
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

/** The word that is being typed; `text` is without the flag of `--flag=value`. */
export interface Unfinished {
  readonly kind: "argument" | "flag" | "value";
  readonly text: string;
  readonly flag?: Flag;
}

/**
 * Marks the unfinished word at the end of the line. Where commander puts it shows what the word is:
 * the value of a flag, an argument or a flag. No argument of a process can contain a NUL.
 */
const MARK = "\0";
const HELP = "help";

/** Reads a command line, right or wrong. @param unfinished the word that is being typed */
export async function readCommandLine(
  argv: readonly string[],
  unfinished = "",
): Promise<CommandLine> {
  let words = [...argv, unfinished + MARK];
  let entries: readonly (Leaf | Group)[] = COMMANDS;
  let group: Group | undefined;
  let loaded: LoadedCommand | undefined;
  let isHelp = false;
  const flags: Record<string, FlagValue> = {};
  for (;;) {
    const own = loaded?.command.flags ?? [];
    // A command may define a global flag differently.
    const others = [...GLOBAL_FLAGS, ...PROGRAM_FLAGS].filter(
      ({ name }) => !own.some((flag) => flag.name === name),
    );
    const isOnlyHelp = isHelp && loaded === undefined && group === undefined;
    const knownFlags = [...own, ...others, ...(isOnlyHelp ? [MANUAL_FLAG] : [])];
    const names = loaded === undefined ? [HELP, ...entries.flatMap(namesOf)] : [];
    const level = createParser(words, knownFlags, names);
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
    const dashes = words.indexOf("--");
    const passthrough = dashes === -1 ? undefined : words.slice(dashes + 1, -1);
    const topic = isOnlyHelp ? TOPICS.find(({ name }) => name === given[0]) : undefined;
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
    if (hasOptionalValue(flag) && text === MARK) flags[flag.name] = true;
    return { kind: "value", text: unmarked(text), flag };
  }
  const list = operands.at(-1)?.endsWith(MARK) === true ? operands : unknown;
  const text = unmarked(list.pop() ?? "");
  return { kind: list === unknown && text.startsWith("-") ? "flag" : "argument", text };
}

/** Whether the value of a flag may be left out. */
export function hasOptionalValue({ value }: Flag): boolean {
  return value?.startsWith("[") === true;
}

function unmarked(text: string): string {
  return text.slice(0, -MARK.length);
}

/** A parser of these flags, which stops at one of the names. It supports only what the words may use. */
function createParser(
  words: readonly string[],
  flags: readonly Flag[],
  names: readonly string[],
): Commander {
  const parser = new Commander().enablePositionalOptions();
  for (const name of names) if (words.includes(name)) parser.addCommand(new Commander(name));
  if (!words.some((word) => word.startsWith("-"))) return parser;
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
