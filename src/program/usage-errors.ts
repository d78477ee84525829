/** The errors of a command line: the problem, then what to type instead. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { closest, suggestFrom } from "../base/suggest.ts";
import { ENTRIES } from "./command-tree.ts";

/** What to use here instead of the commands of other programs. */
const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  apply: "courses push",
  export: "courses pull",
  new: "courses init",
  plan: "courses diff",
  show: "courses get",
  validate: "courses check",
  version: "--version",
};

const JQ = "For anything else, pipe the output of --json into jq, which reads JSON.";
const FIELDS = `To choose fields, pass --json --fields id,name. ${JQ}`;
const KEY =
  'Process lists and shell histories would show the key. Run "catalog login", or set CATALOG_API_KEY.';

/** What to use here instead of the flags of other programs. */
const OTHER_FLAGS: Readonly<Record<string, string>> = {
  "--api-key": KEY,
  "--key": KEY,
  "--token": KEY,
  "--jq": FIELDS,
  "--query": FIELDS,
  "--filter": `To filter, use the flags of the command, such as --name of courses ls. ${JQ}`,
};

const FIELD_LIST = /^[a-z_]+(?:,[a-z_]+)+$/;

/** Refuses `--json id,name`, as in `gh`: the fields would be an argument. @throws CatalogError of kind `usage` */
export function refuseJsonFields(words: readonly string[]): void {
  const after = words.indexOf("--json") + 1;
  if (after > 0 && FIELD_LIST.test(words[after] ?? "")) throw refuseValue("--json", words[after]);
}

function refuseValue(flag: string, value = ""): CatalogError {
  const isList = flag === "--json" && FIELD_LIST.test(value);
  const advice = isList
    ? `To choose fields, pass --json --fields ${value}.`
    : `Pass ${flag} alone.`;
  return usageError(`${flag} takes no value`, advice);
}

/** The error of a word such as `--dryrun` or `--yes=no`. @param known the long names of all flags: `--dry-run` */
export function refuseFlag(word: string, known: readonly string[], see: string): CatalogError {
  // The value after the = may be a secret.
  const [name = "", value] = word.split("=");
  if (known.includes(name)) return refuseValue(name, value);
  const advice = OTHER_FLAGS[name] ?? suggestFrom(name, name.startsWith("--") ? known : [], see);
  return usageError(`unknown flag ${name}`, advice);
}

/** The error of a word that should name a command. @param above the words before it: `catalog courses` */
export function refuseCommand(word: string, above: string): CatalogError {
  // Most people who forget the group type the right command.
  const near = ENTRIES.filter(({ path }) => `catalog ${path}`.startsWith(`${above} `));
  const named = [...near, ...ENTRIES].flatMap(({ name, alias = name, path }) => [
    [name, path],
    [alias, path],
  ]);
  const paths = [...named, ...Object.entries(OTHER_COMMANDS)];
  const find = (wanted: string | undefined) => paths.find(([name]) => name === wanted)?.[1];
  const names = paths.flatMap(([name = ""]) => name);
  const path = find(word) ?? find(closest(word, names));
  const suggestion = path === undefined ? "" : `Did you mean "catalog ${path}"? `;
  const list = `Run "${above} --help" for the list of commands.`;
  return usageError(`unknown command ${JSON.stringify(word)}`, suggestion + list);
}
