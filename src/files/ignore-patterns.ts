/**
 * The patterns of a file in the syntax of .gitignore. The package `ignore` matches each name of a path. The rest is here,
 * because the package takes minutes for a pattern with several `**` and a deep path.
 */
import ignore, { type Ignore } from "ignore";

/** What the names of a path must match, from the folder of the file on; undefined stands for any number of folders. */
interface Pattern {
  readonly isExcluded: boolean;
  readonly names: readonly (Ignore | undefined)[];
}

/**
 * Reads the patterns of a file, one per line. Returns whether they exclude an entry, whose path begins at the folder of the
 * file, with slashes, and one at the end of a folder: undefined if no pattern matches it, false if the last one that does
 * includes it again.
 */
export function readPatterns(text: string): (path: string) => boolean | undefined {
  const patterns = text.split(/\r?\n/).flatMap(parseLine);
  return (path) => {
    const names = path.split(/(?<=\/)/);
    return patterns.findLast((pattern) => matches(pattern, names))?.isExcluded;
  };
}

function parseLine(line: string): Pattern | [] {
  if (/^(?:#|\s*$)/.test(line)) return [];
  const isExcluded = !line.startsWith("!");
  const words = (isExcluded ? line : line.slice(1)).split(/\\?\//);
  // A slash at the end, which means only folders, stays with the last name.
  const isFolder = words.length > 1 && words.at(-1)?.trim() === "";
  const last = words.splice(isFolder ? -2 : -1).join("/");
  // Without a slash at the start or in the middle, a pattern applies at any depth.
  const folders = words.length === 0 ? ["**"] : words.slice(words[0] === "" ? 1 : 0);
  if (/^\*{2,}\/? *$/.test(last)) folders.push("**");
  const names = folders.map((word) => {
    return /^\*{2,}$/.test(word) ? undefined : matchName(word.replaceAll(/(?<!\\) /g, "\\ "));
  });
  return { isExcluded, names: [...names, matchName(last)] };
}

function matchName(word: string): Ignore {
  return ignore().add(word.replace(/^[#!]/, "\\$&"));
}

/** Only the last `**` is tried again, so the time does not grow exponentially. */
function matches({ names: wanted }: Pattern, names: readonly string[]): boolean {
  let [next, again, from] = [0, -1, 0];
  for (let index = 0; index < names.length; ) {
    const word = wanted[next];
    if (word === undefined && next < wanted.length) {
      again = ++next;
      from = index;
    } else if (word?.ignores(names[index] ?? "") === true) {
      next++;
      index++;
    } else if (again === -1) {
      return false;
    } else {
      next = again;
      index = ++from;
    }
  }
  return next === wanted.length;
}
