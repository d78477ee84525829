/** Parses command lines: into a command to run, a page to print, or a usage error. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { pluralize } from "../base/text.ts";
import type { CommandWords } from "../command-support/arguments.ts";
import type { AnyCommand } from "../command-support/command.ts";
import { VERSION } from "../version.ts";
import { type CommandLine, hasOptionalValue, readCommandLine } from "./command-line.ts";
import {
  COMMANDS,
  type Group,
  type Leaf,
  loadAllCommands,
  namesOf,
  pathTo,
} from "./command-tree.ts";
import {
  argumentText,
  commandHelp,
  groupHelp,
  MANUAL_FLAG,
  type PageStyle,
  rootHelp,
  TOPICS,
} from "./help.ts";

export type Parsed = { readonly flags: CommandWords["flags"] } & (
  | { readonly command: AnyCommand; readonly path: string; readonly words: CommandWords }
  | { readonly print: (style: PageStyle) => string }
  | { readonly error: CatalogError; readonly path?: string }
);

/** Parses a command line. The flags that were read are returned with a usage error, too. */
export async function parseArguments(argv: readonly string[]): Promise<Parsed> {
  const line = await readCommandLine(argv);
  const { words, loaded, group, topic, unknownCommand } = line;
  const { flags } = words;
  if (flags.version === true) return { flags, print: () => `${VERSION}\n` };
  if (flags[MANUAL_FLAG.name] === true) {
    const { manualText } = await import("./topics.ts");
    const commands = await loadAllCommands();
    return { flags, print: (style) => manualText(commands, style) };
  }
  if (topic !== undefined) {
    const { topicText } = await import("./topics.ts");
    return { flags, print: (style) => topicText(topic, style) };
  }
  if (unknownCommand !== undefined) return { flags, error: refuseCommand(line, unknownCommand) };
  if (!line.isHelp && flags.help !== true) {
    const error = findMistake(line);
    const path = loaded?.path;
    if (error !== undefined) return { flags, error, ...(path === undefined ? {} : { path }) };
    if (loaded !== undefined) return { flags, command: loaded.command, path: loaded.path, words };
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
  const suggested = synonymOf(line, word) ?? nearestCommand(line, word);
  const suggestion = suggested === undefined ? "" : `Did you mean "${PROGRAM} ${suggested}"? `;
  const list = `Run "${pathOf(line)} --help" for the list of commands.`;
  return usageError(`unknown command ${JSON.stringify(word)}`, suggestion + list);
}

/** Every command at or below these entries of a group, with the words that lead to it. */
function leavesOf(entries: CommandLine["entries"], group?: Group): { leaf: Leaf; path: string }[] {
  return entries.flatMap((entry) =>
    "load" in entry
      ? [{ leaf: entry, path: pathTo(entry, group) }]
      : leavesOf(entry.commands, entry),
  );
}

/** The command that other programs call by this word: of this group, or of any. */
function synonymOf({ entries, group }: CommandLine, word: string): string | undefined {
  if (word === "version") return "--version";
  return [...leavesOf(entries, group), ...leavesOf(COMMANDS)].find(
    ({ leaf }) => leaf.synonyms?.includes(word) === true,
  )?.path;
}

/** The command or topic whose name is most like the word. */
function nearestCommand({ entries, group }: CommandLine, word: string): string | undefined {
  const here = entries.flatMap(namesOf).map((name) => ({ name, path: pathTo({ name }, group) }));
  const topics = TOPICS.map(({ name }) => ({ name, path: `help ${name}` }));
  // Users who forget the group mostly type the right command.
  const inner = leavesOf(COMMANDS).flatMap(({ leaf, path }) =>
    namesOf(leaf).map((name) => ({ name, path })),
  );
  const find = (list: typeof inner, name: string | undefined) =>
    list.find((each) => each.name === name)?.path;
  const findClosest = (list: typeof inner) => {
    const names = list.map(({ name }) => name);
    return find(list, closest(word, names));
  };
  if (group !== undefined) return findClosest(here);
  return find(inner, word) ?? findClosest([...here, ...topics]) ?? findClosest(inner);
}

/** What users expect the flag of the key to be called. */
const KEY_FLAGS = new Set(["--api-key", "--apikey", "--key", "--token"]);
const KEY_ADVICE =
  'Process lists and shell histories would show the key. Run "catalog login", or set CATALOG_API_KEY.';

/** What is wrong with the flags and arguments, if anything is. */
function findMistake(line: CommandLine): CatalogError | undefined {
  const { unfinished, unknownFlag, knownFlags, loaded, words } = line;
  const see = `Run "${pathOf(line)} --help" for details.`;
  if (unfinished.flag !== undefined && !hasOptionalValue(unfinished.flag)) {
    const { name, value = "" } = unfinished.flag;
    return usageError(`--${name} needs a value: --${name} ${value}`, see);
  }
  if (unknownFlag !== undefined) {
    // What follows the sign may be a secret.
    const name = unknownFlag.replace(/=.*/s, "");
    if (KEY_FLAGS.has(name)) return usageError(`unknown flag ${JSON.stringify(name)}`, KEY_ADVICE);
    // A switch with a value, such as --yes=false.
    const isKnown = knownFlags.some((flag) => `--${flag.name}` === name);
    if (isKnown) return usageError(`${name} takes no value`, see);
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
