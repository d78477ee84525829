/** Prints the words that may come next on a command line, for the scripts of `catalog completion`. */
import type { Output } from "../base/io.ts";
import { valueName } from "../cli/arguments.ts";
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
  let entry: Entry | undefined;
  for (const word of before) {
    const below = entriesBelow(entry);
    entry = below.find(({ name, alias }) => name === word || alias === word) ?? entry;
  }
  const command = await entry?.load?.();
  const flags = [...(command?.flags ?? []), ...GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG];
  const last = before.at(-1);
  const flag = flags.find(({ name, short }) => last === `--${name}` || last === `-${short}`);
  if (flag !== undefined && valueName(flag) !== undefined) {
    return (flag.name === "output" ? command?.output?.formats : flag.choices) ?? [];
  }
  if (typed.startsWith("-")) {
    return flags.map(({ name, description }) => `--${name}\t${description}`);
  }
  const names = entriesBelow(entry).map(({ name, summary }) => `${name}\t${summary}`);
  return [...names, ...((entry ? command?.arguments?.[0]?.choices : ["help"]) ?? [])];
}

/** The commands whose names may come after the words of an entry. */
function entriesBelow(above?: Entry): readonly Entry[] {
  return ENTRIES.filter(({ path, name }) => path === (above ? `${above.path} ${name}` : name));
}
