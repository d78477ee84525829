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
 * @param error of commander, with a message such as `error: missing required argument 'path'`
 * @param path the words that lead to the command
 * @param words all words of the command line
 */
export function sentenceOf(
  { code, message }: { readonly code: string; readonly message: string },
  path: string | undefined,
  words: readonly string[],
): CatalogError {
  const fields = fieldsAfterJson(words);
  if (fields !== undefined && code === "commander.excessArguments") return refuseFields(fields);
  const [problem = "", choices] = message
    .replace(/^error: |\.$/g, "")
    .replace(/^option '(.*)' argument missing$/, "the flag $1 needs a value")
    .replace(/\boption (?=')/g, "flag ")
    .replace(". Expected", ": expected")
    .split(/(?<= is invalid)\. (?=Allowed choices)/);
  if (choices === undefined) return usageError(problem, helpAdvice(path, "details"));
  const isOther = words.some((word) => OTHER_FORMAT.test(word));
  const more = isOther ? ` To choose fields, pass --fields id,name. ${JQ}` : "";
  return usageError(problem, `${choices}.${more}`);
}

const JQ = "For anything else, pipe the output of --json into jq.";
/** A format of other programs as typed, with or without its flag. */
const OTHER_FORMAT = /^(?:-o|--output=)?(?:jsonpath|go-template|template|custom-columns|jq)\b/;

const FIELDS = `To choose fields, pass --json --fields id,name. ${JQ}`;
const KEY =
  'Process lists and shell histories would show the key. Run "catalog login", or set CATALOG_API_KEY.';
/** What to do instead of a flag of other programs. */
const OTHER_FLAGS: ReadonlyMap<string, string> = new Map([
  ...["--api-key", "--apikey", "--key", "--token"].map((name) => [name, KEY] as const),
  ...["--jq", "--query", "--template", "--jsonpath"].map((name) => [name, FIELDS] as const),
  ["--filter", `To filter, use the flags of the command, such as --name of courses ls. ${JQ}`],
  ["--count", "To count courses, run: catalog courses ls --all -o id | wc -l"],
]);

/** What may be fields after `--json`; undefined for anything else. */
function fieldsAfterJson(words: readonly string[]): string | undefined {
  const typed = words.slice(0, words.includes("--") ? words.indexOf("--") : undefined);
  const word = typed.includes("--json") ? typed[typed.indexOf("--json") + 1] : undefined;
  return /^[a-z_]+(,[a-z_]+)*$/.test(word ?? "") ? word : undefined;
}

function refuseFields(fields: string): CatalogError {
  return usageError("--json takes no value", `To choose fields, pass --json --fields ${fields}.`);
}

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
  const see = helpAdvice(path, "details");
  const fields = fieldsAfterJson(word.split("="));
  if (known.includes(name)) {
    return fields === undefined ? usageError(`${name} takes no value`, see) : refuseFields(fields);
  }
  const advice = OTHER_FLAGS.get(name);
  if (advice !== undefined) return usageError(`unknown flag ${JSON.stringify(name)}`, advice);
  const near = name.startsWith("--") ? closest(name, known) : undefined;
  const suggestion = near === undefined ? "" : `Did you mean ${near}? `;
  return usageError(`unknown flag ${JSON.stringify(name)}`, suggestion + see);
}

/**
 * No flag is accepted without an effect, and `--json` with fields, as that of `gh` takes them, for no course.
 *
 * @param words all words of the command line
 * @throws CatalogError of kind `usage`
 */
export function requireNeeds(
  flags: readonly Flag[],
  isGiven: (name: string) => boolean,
  words: readonly string[],
): void {
  const fields = fieldsAfterJson(words);
  // One word may be the key of a course.
  if (fields?.includes(",")) throw refuseFields(fields);
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
