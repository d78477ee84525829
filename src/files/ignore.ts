/** Files that apply to all courses of a folder: whether one may be used, and what `.catalogignore` excludes. */
import { lstatSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Ignore } from "ignore";
import { CatalogError } from "../base/errors.ts";
import { distrust, type TrustSources } from "../base/trust.ts";
import { decode, readBytes } from "./decode.ts";
import { MAX_ASTERISKS } from "./limits.ts";

/** The file with patterns, in the syntax of .gitignore, for what is below its folder. */
export const IGNORE_FILE = ".catalogignore";

/** Who reads files. */
export interface Reader extends TrustSources {
  /** The folder that relative paths start from. */
  readonly folder: string;
  /**
   * The content of a file that applies to a folder, as another version of the project has it; null for one that
   * it lacks, undefined for one that is not part of it.
   */
  readonly contentOf?: (path: string) => Buffer | null | undefined;
}

/** The patterns of a folder. */
interface FolderRules {
  readonly folder: string;
  readonly patterns: Ignore;
}

/** The patterns that apply to a folder: its own, then those of the folders above it. */
export type IgnoreRules = readonly FolderRules[];

/**
 * The patterns of the folders above one that is searched, without those that exclude it: whoever
 * names it wants its files.
 */
export async function rulesAbove(path: string, sources: RuleSources): Promise<IgnoreRules> {
  const above: FolderRules[] = [];
  for (let folder = dirname(path), last = path; folder !== last; folder = dirname(folder)) {
    above.push(...(await addRules(folder, join(folder, IGNORE_FILE), [], sources)));
    last = folder;
  }
  return above.filter((rules) => !isIgnored(path, true, [rules]));
}

/** Where patterns come from. */
export interface RuleSources extends Reader {
  /** Called with a file of patterns that is not read, and why. */
  readonly onUnread: (entry: { readonly name: string; readonly reason: string }) => void;
}

/** Adds the patterns of a folder, unless it has none. @param name how messages name the folder's file of patterns */
export async function addRules(
  folder: string,
  name: string,
  above: IgnoreRules,
  sources: RuleSources,
): Promise<IgnoreRules> {
  const path = join(folder, IGNORE_FILE);
  const found = findFolderFile(path, sources);
  if (found === undefined) return above;
  if (found.reason !== undefined) {
    sources.onUnread({ name, reason: found.reason });
    return above;
  }
  const { text, problem } = decode(sources.contentOf?.(path) ?? readBytes({ name, path }));
  const isSlow = text.split("\n").some((line) => line.split("*").length > MAX_ASTERISKS + 1);
  if (problem !== undefined || isSlow) {
    const reason = problem?.message ?? `a pattern has more than ${MAX_ASTERISKS} asterisks`;
    throw new CatalogError("file", `${name} cannot be used: ${reason}`, { file: name });
  }
  const { default: ignore } = await import("ignore");
  return [{ folder, patterns: ignore().add(text) }, ...above];
}

/** Whether the nearest patterns that match an entry exclude it. @param path absolute */
export function isIgnored(path: string, isFolder: boolean, rules: IgnoreRules): boolean {
  for (const { folder, patterns } of rules) {
    const below = relative(folder, path).split(sep).join("/");
    const { ignored, unignored } = patterns.test(isFolder ? `${below}/` : below);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/**
 * A file that applies to a folder, and why it is not read, as a clause that follows "it", unless it belongs to
 * the courses of the folder: a link leads to another place, and in a shared folder such as /tmp anyone
 * could put a file. Outside of the current folder, it must belong to the user, as a config file.
 */
export function findFolderFile(
  path: string,
  reader: Reader,
): { readonly reason?: string } | undefined {
  const content = reader.contentOf?.(path);
  if (content !== undefined) return content === null ? undefined : {};
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined) return undefined;
    if (entry.isSymbolicLink()) return { reason: "is a link" };
    const way = relative(reader.folder, path);
    const reason = way.startsWith("..") || isAbsolute(way) ? distrust(path, reader) : undefined;
    if (reason !== undefined) return { reason };
    const { uid, mode } = statSync(dirname(path));
    if (entry.uid !== uid) return { reason: "does not belong to the owner of its folder" };
    const isShared = (mode & OTHERS_CREATE) === OTHERS_CREATE;
    return isShared ? { reason: "is in a folder where every user can create files" } : {};
  } catch {
    // The same failure is reported when the file is read.
    return {};
  }
}

/**
 * What users who are neither the owner nor in the group need to create a file: to write and to search.
 * On Windows every folder has only the first.
 */
const OTHERS_CREATE = 0o003;
