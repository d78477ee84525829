/** Parses command lines: into a command to run, a page to print, or a usage error. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { pluralize } from "../base/text.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import type { AnyCommand } from "../command-support/command.ts";
import { VERSION } from "../version.ts";
import { type CommandLine, readCommandLine } from "./command-line.ts";
import { COMMANDS, namesOf, TOPICS } from "./command-tree.ts";
import { argumentText, commandHelp, groupHelp, type PageStyle, rootHelp } from "./help.ts";

/** What to do for a command line. */
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
  const line = await readCommandLine(argv);
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
  const findInner = (name: string | undefined) => inner.find((each) => each.name === name)?.path;
  const innerName = closest(
    word,
    inner.map(({ name }) => name),
  );
  const near = findInner(word) ?? closest(word, [...names, ...topics]) ?? findInner(innerName);
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
