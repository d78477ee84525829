/** Prints the words that may come next on a command line, for the scripts of `catalog completion`. */
import type { Output } from "../base/io.ts";
import { type Flag, valueName } from "../cli/arguments.ts";
import { GLOBAL_FLAGS } from "../cli/global-flags.ts";
import { ENTRIES, type Entry } from "./command-tree.ts";
import { HELP_FLAG, VERSION_FLAG } from "./help.ts";

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
  const candidates = before.includes("--") ? [] : await nextWords(before, typed);
  // After `html=`, a file name comes next.
  const found = candidates.filter(
    (candidate) => candidate.startsWith(typed) && !(candidate === typed && typed.endsWith("=")),
  );
  await out.write(found.map((candidate) => `${candidate}\n`).join(""));
}

async function nextWords(before: readonly string[], typed: string): Promise<readonly string[]> {
  const [, flagWord, start] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  if (flagWord !== undefined && start !== undefined) {
    const values = await nextWords([...before, flagWord], start);
    return values.map((value) => `${flagWord}=${value}`);
  }
  let entry: Entry | undefined;
  for (const word of before) {
    const below = entriesBelow(entry);
    entry = below.find(({ name, alias }) => name === word || alias === word) ?? entry;
  }
  const command = await entry?.load?.();
  const flags = [...(command?.flags ?? []), ...GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG];
  let flag: Flag | undefined;
  let given = -(entry?.path.split(" ").length ?? 0);
  for (const word of before) {
    if (flag !== undefined) flag = undefined;
    else if (/^-./.test(word)) {
      const named = flags.find(({ name, short }) => word === `--${name}` || word === `-${short}`);
      flag = named && valueName(named) !== undefined ? named : undefined;
    } else given++;
  }
  if (flag?.name === "output") return command?.output?.formats ?? [];
  if (flag?.name === "fields") {
    const listed = typed.slice(0, typed.lastIndexOf(",") + 1);
    return (command?.output?.columns ?? []).map((name) => `${listed}${name}`);
  }
  if (flag !== undefined) return flag.choices ?? [];
  if (typed.startsWith("-")) {
    return flags.map(({ name, description }) => `--${name}\t${description}`);
  }
  const names = entriesBelow(entry).map(({ name, summary }) => `${name}\t${summary}`);
  if (entry === undefined) return [...names, "help"];
  const positional = command?.arguments ?? [];
  const next = positional[given] ?? positional.filter(({ variadic }) => variadic).at(-1);
  return [...names, ...(next?.choices ?? [])];
}

/** The commands whose names may come after the words of an entry. */
function entriesBelow(above?: Entry): readonly Entry[] {
  return ENTRIES.filter(({ path, name }) => path === (above ? `${above.path} ${name}` : name));
}
