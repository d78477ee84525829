/** Compares states of a catalog, and of the folder of its course files. */
import type { StoredCourse } from "../../src/sandbox/store.ts";

/** The texts of the course files by path. */
export type Files = ReadonlyMap<string, string>;
/** The courses of a catalog by id. */
export type Catalog = ReadonlyMap<string, StoredCourse>;

/** How two states differ. */
export interface Changes {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** The changed fields of courses, or the changed lines of files: each name with its count. */
  readonly details: Readonly<Record<string, number>>;
}

/** The changes from one catalog to another, without the slug and the time that the service chooses. */
export function compareCatalogs(before: Catalog, after: Catalog): Changes {
  return compare(before, after, (old, now) =>
    Object.keys(now).filter(
      (name) =>
        name !== "last_fetched_at" && JSON.stringify(old[name]) !== JSON.stringify(now[name]),
    ),
  );
}

/** The changes from one state of the folder to another, with the lines that appeared and disappeared. */
export function compareFiles(before: Files, after: Files): Changes {
  return compare(before, after, (old, now) => {
    const [oldLines, newLines] = [old.split("\n"), now.split("\n")];
    return [...without(newLines, oldLines).fill("+"), ...without(oldLines, newLines).fill("-")];
  });
}

/** How many lines of a file have a comment. */
export function countComments(text: string): number {
  return text.split("\n").filter((line) => /(?:^|\s)#/.test(line)).length;
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  return lines.filter((line) => !others.includes(line));
}

function compare<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  find: (old: T, now: T) => string[],
): Changes {
  const details: Record<string, number> = {};
  const changed: string[] = [];
  for (const [key, now] of after) {
    const old = before.get(key);
    const found = old === undefined || old === now ? [] : find(old, now);
    for (const name of found) details[name] = (details[name] ?? 0) + 1;
    if (old !== undefined && (found.length > 0 || (typeof old === "string" && old !== now))) {
      changed.push(key);
    }
  }
  const added = [...after.keys()].filter((key) => !before.has(key));
  const removed = [...before.keys()].filter((key) => !after.has(key));
  return { added, changed, removed, details };
}
