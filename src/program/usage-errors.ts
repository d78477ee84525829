/** The errors of a command line: the problem, then what to type instead. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { closest, suggest } from "../base/text.ts";
import { ENTRIES } from "./command-tree.ts";

const FIELDS =
  "To choose fields, pass --json --fields id,name. For anything else, pipe the output of --json into jq, which reads JSON.";
const KEY =
  'Process lists and shell histories would show the API key. Run "catalog login", or set CATALOG_API_KEY.';

/** What to use here instead of the commands and flags of other programs. */
const OTHERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["apply", "sync", "upload", "deploy"].map((word) => [word, "courses push"]),
  ),
  ...Object.fromEntries(["export", "download", "dump"].map((word) => [word, "courses pull"])),
  ...Object.fromEntries(["lint", "validate"].map((word) => [word, "courses check"])),
  plan: "courses diff",
  destroy: "courses rm",
  edit: "courses update",
  fmt: "courses check --fix",
  auth: "login",
  version: "--version",
  "--auto-approve": "Pass --yes.",
  "--api-key": KEY,
  "--key": KEY,
  "--token": KEY,
  "--jq": FIELDS,
  "--query": FIELDS,
};

const FIELD_LIST = /^[a-z_]+(?:,[a-z_]+)+$/;

/** Refuses `--json id,name`, as in `gh`: the fields would be an argument. @throws CatalogError of kind `usage` */
export function refuseJsonFields(words: readonly string[]): void {
  const word = words[words.indexOf("--json") + 1] ?? "";
  if (words.includes("--json") && FIELD_LIST.test(word)) throw refuseFlag("--json", ["--json"], "");
}

/** The error of a word such as `--dryrun` or `--yes=no`. @param known the long names of all flags: `--dry-run` */
export function refuseFlag(word: string, known: readonly string[], see: string): CatalogError {
  // The value after the = may be a secret.
  const [name = ""] = word.split("=");
  if (known.includes(name)) {
    const advice = name === "--json" ? FIELDS : `Pass ${name} alone.`;
    return usageError(`${name} takes no value`, advice);
  }
  const advice = OTHERS[name] ?? suggest(name, name.startsWith("--") ? known : [], see);
  return usageError(`unknown flag ${name}`, advice);
}

/** The error of a word that should name a command. @param above the words before it: `catalog courses` */
export function refuseCommand(word: string, above: string): CatalogError {
  const list = `Run "${above} --help" for the list of commands.`;
  const other = word.startsWith("-") ? undefined : OTHERS[word];
  if (other !== undefined) {
    return usageError(`unknown command ${JSON.stringify(word)}`, `Use "catalog ${other}". ${list}`);
  }
  // Most people who forget the group type the right command.
  const near = ENTRIES.filter(({ path }) => `catalog ${path}`.startsWith(`${above} `));
  const paths = new Map<string, string>();
  for (const { name, alias = name, path } of [...ENTRIES.toReversed(), ...near.toReversed()]) {
    paths.set(name, path).set(alias, path);
  }
  const path = paths.get(closest(word, [...paths.keys()]) ?? "");
  const suggestion = path === undefined ? "" : `Did you mean "catalog ${path}"? `;
  return usageError(`unknown command ${JSON.stringify(word)}`, suggestion + list);
}
