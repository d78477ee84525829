/** The errors of a command line: the problem, then what to type instead. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { closest, requireChoice, suggestFrom } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { Argument, Flag } from "../cli/arguments.ts";
import type { Example } from "../cli/command.ts";
import { COMMANDS, type Group, type Leaf, namesOf, pathTo } from "./command-tree.ts";
import { argumentText, TOPICS } from "./help.ts";

const PROGRAM = "catalog";

/** @param what the help shows: `details` */
export function helpAdvice(path: string | undefined, what: string): string {
  const words = path === undefined ? PROGRAM : `${PROGRAM} ${path}`;
  return `Run "${words} --help" for ${what}.`;
}

/** The error of a command without a required argument. */
export function refuseMissing(
  argument: Argument | undefined,
  example: Example | undefined,
): CatalogError {
  const name = argument === undefined ? "argument" : argumentText(argument);
  return usageError(`missing ${name}`, example && `For example: ${example.line}`);
}

/** The error of too many arguments. @param word the first of them @param words all words of the command line */
export function refuseExcess(
  word: string,
  path: string | undefined,
  words: readonly string[],
): CatalogError {
  const fields = fieldsAfterJson(words);
  if (fields !== undefined) return refuseFields(fields);
  return usageError(`unexpected argument ${JSON.stringify(word)}`, helpAdvice(path, "the usage"));
}

/** The value of a flag with few choices. @throws CatalogError of kind `usage` for another value */
export function parseChoice(text: string, flag: string, choices: readonly string[]): string {
  const problem = `--${flag} must be ${joinList(choices)}, not ${JSON.stringify(text)}`;
  return requireChoice(text, choices, problem);
}

const JQ = "For anything else, pipe the output of --json into jq, which reads JSON.";

const FIELDS = `To choose fields, pass --json --fields id,name. ${JQ}`;
const KEY =
  'Process lists and shell histories would show the key. Run "catalog login", or set CATALOG_API_KEY.';
const OTHER_FLAGS: ReadonlyMap<string, string> = new Map([
  ...["--api-key", "--apikey", "--key", "--token"].map((name) => [name, KEY] as const),
  ...["--jq", "--query", "--template", "--jsonpath"].map((name) => [name, FIELDS] as const),
  ["--filter", `To filter, use the flags of the command, such as --name of courses ls. ${JQ}`],
  ["--count", "To count courses, run: catalog courses ls --all -o id | wc -l"],
]);

/** The word after `--json` if it may be a list of fields, as in `gh … --json id,name`; otherwise undefined. */
function fieldsAfterJson(words: readonly string[]): string | undefined {
  const typed = words.slice(0, words.includes("--") ? words.indexOf("--") : undefined);
  const word = typed.includes("--json") ? typed[typed.indexOf("--json") + 1] : undefined;
  // --json=true means the flag itself.
  return /^(?!(?:true|false)$)[a-z_]+(,[a-z_]+)*$/.test(word ?? "") ? word : undefined;
}

function refuseFields(fields: string): CatalogError {
  return usageError("--json takes no value", `To choose fields, pass --json --fields ${fields}.`);
}

/** The error of a word such as `--dryrun` or `--yes=no`. @param known the long names of all flags: `--dry-run` */
export function refuseFlag(
  word: string,
  known: readonly string[],
  path: string | undefined,
): CatalogError {
  // The value after the = may be a secret.
  const name = word.replace(/=.*/s, "");
  const see = helpAdvice(path, "details");
  const fields = fieldsAfterJson(word.split("="));
  if (known.includes(name)) {
    return fields === undefined ? usageError(`${name} takes no value`, see) : refuseFields(fields);
  }
  const advice = OTHER_FLAGS.get(name);
  if (advice !== undefined) return usageError(`unknown flag ${name}`, advice);
  return usageError(
    `unknown flag ${name}`,
    suggestFrom(name, name.startsWith("--") ? known : [], see),
  );
}

/**
 * Requires that a flag is given with the flag that it needs. Refuses `--json id,name`, the syntax of `gh`, because the
 * fields would be arguments. @throws CatalogError of kind `usage`
 */
export function requireNeeds(
  flags: readonly Flag[],
  isGiven: (name: string) => boolean,
  words: readonly string[],
): void {
  const fields = fieldsAfterJson(words);
  // A single word may be the key of a course, so only lists are refused.
  if (fields?.includes(",")) throw refuseFields(fields);
  for (const { name, needs } of flags) {
    if (needs === undefined || !isGiven(name) || isGiven(needs)) continue;
    throw usageError(`--${name} needs --${needs}`, `Add --${needs}, or omit --${name}.`);
  }
}

/** The error of a word that should name a command. @param group the group before it, if any */
export function refuseCommand(word: string, group: Group | undefined): CatalogError {
  const path = findCommand(word, group);
  const suggestion = path === undefined ? "" : `Did you mean "${PROGRAM} ${path}"? `;
  const list = helpAdvice(group?.name, "the list of commands");
  return usageError(`unknown command ${JSON.stringify(word)}`, suggestion + list);
}

/** The words that lead to the nearest command: in this group, or else anywhere. */
function findCommand(word: string, group: Group | undefined): string | undefined {
  const namesFor = (entry: Leaf | Group, above?: Group): { name: string; path: string }[] => {
    const isLeaf = "load" in entry;
    const names = [...namesOf(entry), ...((isLeaf && entry.synonyms) || [])];
    const path = pathTo(entry, above);
    const inner = isLeaf ? [] : entry.commands.flatMap((leaf) => namesFor(leaf, entry));
    return [...names.map((name) => ({ name, path })), ...inner];
  };
  const all = [
    ...(group === undefined ? [] : namesFor(group)),
    ...TOPICS.map(({ name }) => ({ name, path: `help ${name}` })),
    { name: "version", path: "--version" },
    // Most people who forget the group type the right command.
    ...COMMANDS.flatMap((entry) => namesFor(entry)),
  ];
  const find = (name: string | undefined) => all.find((each) => each.name === name)?.path;
  const names = all.map(({ name }) => name);
  return find(word) ?? find(closest(word, names));
}
