/** Says what is wrong with a command line, and what was probably meant. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { Flag } from "../command-support/arguments.ts";
import { COMMANDS, type Group, type Leaf, namesOf, pathTo } from "./command-tree.ts";
import { TOPICS } from "./help.ts";

const PROGRAM = "catalog";

function helpAdvice(path: string | undefined, what: string): string {
  const words = path === undefined ? PROGRAM : `${PROGRAM} ${path}`;
  return `Run "${words} --help" for ${what}.`;
}

/**
 * The error of what commander refuses.
 *
 * @param message of commander: `error: missing required argument 'path'`
 * @param path the words that lead to the command
 */
export function sentenceOf(message: string, path: string | undefined): CatalogError {
  const [problem = "", choices] = message
    .replace(/^error: |\.$/g, "")
    .replace(/^option '(.*)' argument missing$/, "the flag $1 needs a value")
    .replace(/\boption (?=')/g, "flag ")
    .replace(". Expected", ": expected")
    .split(/(?<= is invalid)\. (?=Allowed choices)/);
  return usageError(problem, choices === undefined ? helpAdvice(path, "details") : `${choices}.`);
}

/** What users expect the flag of the key to be called. */
const KEY_FLAGS = new Set(["--api-key", "--apikey", "--key", "--token"]);
const KEY_ADVICE =
  'Process lists and shell histories would show the key. Run "catalog login", or set CATALOG_API_KEY.';

/**
 * The error of a word that is no flag of the command.
 *
 * @param word as typed: `--dryrun`, `--yes=no`
 * @param known the long names of all flags: `--dry-run`
 * @param path the words that lead to the command
 */
export function refuseFlag(
  word: string,
  known: readonly string[],
  path: string | undefined,
): CatalogError {
  // What follows the sign may be a secret.
  const name = word.replace(/=.*/s, "");
  if (KEY_FLAGS.has(name)) return usageError(`unknown flag ${JSON.stringify(name)}`, KEY_ADVICE);
  const see = helpAdvice(path, "details");
  if (known.includes(name)) return usageError(`${name} takes no value`, see);
  const near = name.startsWith("--") ? closest(name, known) : undefined;
  const suggestion = near === undefined ? "" : `Did you mean ${near}? `;
  return usageError(`unknown flag ${JSON.stringify(name)}`, suggestion + see);
}

/** No flag is accepted without an effect. @throws CatalogError of kind `usage` */
export function requireNeeds(flags: readonly Flag[], isGiven: (name: string) => boolean): void {
  for (const { name, needs = [] } of flags) {
    if (needs.length === 0 || !isGiven(name) || needs.some(isGiven)) continue;
    const known = needs.filter((each) => flags.some((flag) => flag.name === each));
    const others = joinList(
      known.map((each) => `--${each}`),
      "or",
    );
    throw usageError(
      `--${name} has an effect only with ${others}`,
      `Add ${others}, or leave it out.`,
    );
  }
}

/** The error of a word that should name a command. @param group the group before it, if any */
export function refuseCommand(word: string, group: Group | undefined): CatalogError {
  const path = findCommand(word, group);
  const suggestion = path === undefined ? "" : `Did you mean "${PROGRAM} ${path}"? `;
  const list = helpAdvice(group?.name, "the list of commands");
  return usageError(`unknown command ${JSON.stringify(word)}`, suggestion + list);
}

/** The words for the command that was probably meant: of this group, or of any. */
function findCommand(word: string, group: Group | undefined): string | undefined {
  const namesFor = (entry: Leaf | Group, above?: Group): Name[] => {
    const isLeaf = "load" in entry;
    const names = [...namesOf(entry), ...((isLeaf && entry.synonyms) || [])];
    const path = pathTo(entry, above);
    const inner = isLeaf ? [] : entry.commands.flatMap((leaf) => namesFor(leaf, entry));
    return [...names.map((name) => ({ name, path })), ...inner];
  };
  const all: Name[] = [
    ...(group === undefined ? [] : namesFor(group)),
    ...TOPICS.map(({ name }) => ({ name, path: `help ${name}` })),
    { name: "version", path: "--version" },
    // Users who forget the group mostly type the right command.
    ...COMMANDS.flatMap((entry) => namesFor(entry)),
  ];
  const find = (name: string | undefined) => all.find((each) => each.name === name)?.path;
  const names = all.map(({ name }) => name);
  return find(word) ?? find(closest(word, names));
}

/** A name for a command, and the words that lead to it. */
interface Name {
  readonly name: string;
  readonly path: string;
}
