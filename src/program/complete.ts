/** Prints the words that may come next on a command line, for the scripts of `catalog completion`. */
import type { Output } from "../base/io.ts";
import { escapeLine } from "../base/text.ts";
import { valueName } from "../cli/arguments.ts";
import { GLOBAL_FLAGS } from "../cli/globals.ts";
import { ENTRIES, type Entry } from "./command-tree.ts";
import { HELP_FLAG, VERSION_FLAG } from "./help.ts";

/** A word that may come next, and its description. */
type Candidate = readonly [value: string, description?: string];

/**
 * Prints one candidate per line, with its description after a tab. If there are none, the shell completes file names.
 *
 * @param argv the words after `__complete`: the unfinished word after a colon, because some shells pass no empty word,
 *   then the words between `catalog` and it
 */
export async function complete(argv: readonly string[], out: Output): Promise<void> {
  const [marked = "", ...words] = argv;
  // bash splits words at the = sign.
  const before = words.filter((word) => word !== "=");
  const typed = marked.slice(1).replace(/^=$/, "");
  const [, prefix = "", rest = ""] = /^((?:--[^=]+=)?)(.*)$/s.exec(typed) ?? [];
  const candidates = await findCandidates(prefix.slice(0, -1) || before.at(-1), rest, before);
  const lines = candidates
    .map(([value, description = ""]) => [prefix + value, description] as const)
    .filter(([value]) => value.startsWith(typed) && escapeLine(value) === value)
    .map(([value, description]) => `${value}${description && `\t${description}`}\n`);
  await out.write(lines.join(""));
}

async function findCandidates(
  last: string | undefined,
  typed: string,
  before: readonly string[],
): Promise<readonly Candidate[]> {
  if (before.includes("--")) return [];
  let entry: Entry | undefined;
  for (const word of before) {
    const below = entriesBelow(entry);
    entry = below.find(({ name, alias }) => name === word || alias === word) ?? entry;
  }
  const command = await entry?.load?.();
  const flags = [...(command?.flags ?? []), ...GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG];
  const flag = flags.find(({ name, short }) => last === `--${name}` || last === `-${short}`);
  if (flag !== undefined && valueName(flag) !== undefined) {
    return pair(flag.name === "output" ? (command?.output?.formats ?? []) : (flag.choices ?? []));
  }
  if (typed.startsWith("-")) {
    return flags.map(({ name, description }) => [`--${name}`, description]);
  }
  const names = entriesBelow(entry).map(({ name, summary }): Candidate => [name, summary]);
  return [
    ...names,
    ...(entry === undefined ? pair(["help"]) : []),
    ...pair(command?.arguments?.[0]?.choices ?? []),
  ];
}

/** The commands whose names may come after the words of an entry. */
function entriesBelow(entry: Entry | undefined): readonly Entry[] {
  return ENTRIES.filter(
    ({ path, name }) => path === (entry === undefined ? name : `${entry.path} ${name}`),
  );
}

function pair(values: readonly string[]): readonly Candidate[] {
  return values.map((value) => [value]);
}
