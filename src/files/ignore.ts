/**
 * Files that apply to all courses of a folder: which of them `catalog` trusts, and what `.catalogignore` excludes. With
 * the line `drafts/` in `courses/.catalogignore`, no file in `courses/drafts` is read.
 */
import { lstatSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Ignore } from "ignore";
import { CatalogError } from "../base/errors.ts";
import { distrust, type TrustSources } from "../base/trust.ts";
import { decode, readBytes } from "./decode.ts";
import { MAX_ASTERISKS } from "./limits.ts";

/** The file with patterns, in the syntax of .gitignore, for entries below its folder. */
export const IGNORE_FILE = ".catalogignore";

export interface Reader extends TrustSources {
  /** The folder that relative paths start from. */
  readonly folder: string;
  /** The file in another version of the project, such as a commit; null if it is missing, undefined outside of it. */
  readonly contentOf?: (path: string) => Buffer | null | undefined;
}

interface FolderRules {
  readonly folder: string;
  readonly patterns: Ignore;
}

/** The patterns that apply to a folder: of the folder itself, then of each folder above. */
export type IgnoreRules = readonly FolderRules[];

/** The patterns of the folders above `path`, except patterns that exclude `path`: the user asks for its files. */
export async function rulesAbove(path: string, sources: RuleSources): Promise<IgnoreRules> {
  const above: FolderRules[] = [];
  for (let folder = dirname(path), last = path; folder !== last; folder = dirname(folder)) {
    above.push(...(await addRules(folder, join(folder, IGNORE_FILE), [], sources)));
    last = folder;
  }
  return above.filter((rules) => !isIgnored(path, true, [rules]));
}

export interface RuleSources extends Reader {
  /** Receives a file of patterns that is not read, and why. */
  readonly onUnread: (entry: { readonly name: string; readonly reason: string }) => void;
}

/** Adds the patterns of a folder, if it has any. @param name the name of their file in messages */
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
    const reason =
      problem?.message ??
      `a pattern has more than ${MAX_ASTERISKS} asterisks, which can take very long`;
    throw new CatalogError("file", `${name} cannot be used: ${reason}`, { file: name });
  }
  const { default: ignore } = await import("ignore");
  return [{ folder, patterns: ignore().add(text) }, ...above];
}

/** Whether an entry is excluded; the nearest patterns that match it decide. @param path absolute */
export function isIgnored(path: string, isFolder: boolean, rules: IgnoreRules): boolean {
  for (const { folder, patterns } of rules) {
    const below = relative(folder, path).split(sep).join("/");
    const { ignored, unignored } = patterns.test(isFolder ? `${below}/` : below);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/**
 * Finds a file that applies to a folder. The reason not to trust it is a clause that follows "it": a link leads to
 * another place, and in a shared folder such as /tmp, anyone can create a file. Outside of the current folder, the file
 * must belong to the user, like a config file.
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
    // Reading the file reports the failure.
    return {};
  }
}

/** Other users need both permissions, to write and to search. Node.js reports only the first for folders on Windows. */
const OTHERS_CREATE = 0o003;
