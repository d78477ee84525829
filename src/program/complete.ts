/** Prints the words that may come next on a command line, for the scripts of `catalog completion`. */
import type { Output } from "../base/io.ts";
import { escapeLine } from "../base/text.ts";
import type { Flag } from "../cli/arguments.ts";
import type { AnyCommand } from "../cli/command.ts";
import { GLOBAL_FLAGS } from "../cli/globals.ts";
import { COMMANDS, type Group, type Leaf, namesOf } from "./command-tree.ts";
import { HELP_FLAG, TOPICS, VERSION_FLAG } from "./help.ts";

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
  let entries: readonly (Leaf | Group)[] = COMMANDS;
  let command: AnyCommand | undefined;
  for (const word of before) {
    const entry = entries.find((each) => namesOf(each).includes(word));
    if (entry === undefined) continue;
    entries = "load" in entry ? [] : entry.commands;
    if ("load" in entry) command = await entry.load();
  }
  const own = command?.flags ?? [];
  const shared = GLOBAL_FLAGS.filter(({ name }) => own.every((flag) => flag.name !== name));
  const flags = [...own, ...shared, HELP_FLAG, VERSION_FLAG];
  const flag = flags.find(({ name, short }) => last === `--${name}` || last === `-${short}`);
  if (flag?.value !== undefined) return valuesOf(flag, typed, command);
  if (typed.startsWith("-")) {
    return flags.map(({ name, description }) => [`--${name}`, description]);
  }
  if (command !== undefined) return pair(command.arguments?.[0]?.choices ?? []);
  const help = { name: "help", summary: "print help for a command or topic" };
  const more = before.includes("help") ? TOPICS : [help];
  return [...entries, ...(entries === COMMANDS ? more : [])].map(({ name, summary }) => [
    name,
    summary,
  ]);
}

function valuesOf(
  { name, choices = [] }: Flag,
  typed: string,
  command: AnyCommand | undefined,
): readonly Candidate[] {
  const { formats = [], columns = [] } = command?.output ?? {};
  if (name === "output") return pair(formats);
  if (name !== "fields") return pair(choices);
  const listed = typed.slice(0, typed.lastIndexOf(",") + 1);
  return pair(columns.map((column) => listed + column));
}

function pair(values: readonly string[]): readonly Candidate[] {
  return values.map((value) => [value]);
}
