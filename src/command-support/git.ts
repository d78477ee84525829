/**
 * Reads commits of git repositories. A repository may be an attacker's: git gets no variable `GIT_…` of the
 * environment, no API key and no relative path, and runs no program from the repository's configuration.
 */
import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type CatalogError, usageError } from "../base/errors.ts";
import { isInside } from "../base/folders.ts";
import type { Environment } from "../base/process.ts";
import { escapeName, joinList, quoteShell, truncate } from "../base/text.ts";
import { MAX_FILE_SIZE } from "../files/limits.ts";
import { type Captured, capture, withoutKeys } from "./child.ts";
import type { Context } from "./context.ts";
import { absoluteFolders, findProgram } from "./find-program.ts";

/** A clone of a repository. */
export interface Repository {
  readonly root: string;
  /** Whether older commits are missing. */
  readonly isShallow: boolean;
}

/** A regular file of a commit. */
export interface CommitFile {
  /** Below the root, with slashes. */
  readonly path: string;
  readonly id: string;
}

/**
 * The repository that contains all the folders, which are real paths; undefined without a folder. @throws CatalogError
 * of kind `usage` if there is no repository, or more than one
 */
export async function findRepository(
  folders: readonly string[],
  context: Context,
): Promise<Repository | undefined> {
  let found: Repository | undefined;
  for (const folder of new Set(folders)) {
    if (found !== undefined && isIn(folder, found.root)) continue;
    const { output } = await git(folder, ["rev-parse", ...ROOT_AND_DEPTH], context);
    const [, top = "", isShallow] = /^(.*)\n(.+)\n$/s.exec(output.toString()) ?? [];
    const root = resolve(top);
    if (!isInside(folder, root)) {
      throw usageError(
        `the git repository of ${escapeName(folder)} has its files in another folder: ${escapeName(top)}`,
        "Remove that setting: git config --unset core.worktree",
      );
    }
    if (found !== undefined && found.root !== root) {
      const names = [found.root, root].map(escapeName);
      throw usageError(
        `the files are in several git repositories: ${joinList(names, "and")}`,
        "Run catalog once for each repository.",
      );
    }
    found = { root, isShallow: isShallow === "true" };
  }
  return found;
}

const ROOT_AND_DEPTH = ["--show-toplevel", "--is-shallow-repository"];

/** Whether a folder belongs to the repository of a root: no folder on the way has another repository. */
function isIn(folder: string, root: string): boolean {
  if (folder === root) return true;
  return isInside(folder, root) && !existsSync(join(folder, ".git")) && isIn(dirname(folder), root);
}

/**
 * The regular files of a commit, except files whose paths would lead out of the repository.
 *
 * @param ref a branch, a tag, an id or an expression such as `HEAD~2`
 * @throws CatalogError of kind `usage` if there is no such commit
 */
export async function listCommit(
  ref: string,
  { root, isShallow }: Repository,
  context: Context,
): Promise<CommitFile[]> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they separate what git reads.
  if (/^(-|$)|[\0-\x1f\x7f]/.test(ref)) {
    throw usageError(`--base must be a commit, not ${JSON.stringify(ref)}`, NAME_COMMIT);
  }
  // Read from standard input, a name cannot be taken for a flag.
  const [found, remote] = await describeObjects(
    [ref, `origin/${ref}`].map((name) => `${name}^{commit}`),
    root,
    context,
  );
  if (found === undefined) {
    const meant = remote && `Did you mean ${JSON.stringify(escapeName(`origin/${ref}`))}?`;
    const why = isShallow && meant === undefined ? ", in which older commits are missing" : "";
    const advice = meant ?? (isShallow ? FETCH_ALL : NAME_COMMIT);
    throw usageError(`there is no commit ${escapeName(ref)} in this clone${why}`, advice);
  }
  const { output } = await git(root, ["ls-tree", "-r", "-z", "--full-tree", found.id], context);
  const entries = output.toString().split("\0");
  return entries.flatMap((entry) => {
    // Links and submodules have another mode.
    const [, id = "", path = ""] = /^100\d{3} blob ([\da-f]+)\t(.+)$/s.exec(entry) ?? [];
    return isSafePath(path, context.platform) ? [{ id, path }] : [];
  });
}

const NAME_COMMIT = "Pass a branch, a tag or the id of a commit. For example: --base origin/main";
const FETCH_ALL =
  'Run "git fetch --unshallow"; in GitHub Actions, add "fetch-depth: 0" to actions/checkout.';

const LONGEST_PATH = 4096;

function isSafePath(path: string, platform: NodeJS.Platform): boolean {
  if (path.length > LONGEST_PATH || (platform === "win32" && /[\\:]/.test(path))) return false;
  return path.split("/").every((name) => !/^\.{0,2}$/.test(name));
}

/** The most bytes of files that are in memory at once. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Yields the contents of files by their ids, except files that are too large for a course file. */
export async function* readContents(
  ids: readonly string[],
  { root }: Repository,
  context: Context,
): AsyncGenerator<{ readonly id: string; readonly bytes: Buffer }, void> {
  const described = await describeObjects(ids, root, context);
  let group: string[] = [];
  let size = 0;
  for (const object of described) {
    if (object === undefined) throw lacksFiles();
    if (object.size > MAX_FILE_SIZE) continue;
    if (size + object.size > MAX_BYTES) {
      yield* readGroup(group, root, context);
      [group, size] = [[], 0];
    }
    group.push(object.id);
    size += object.size;
  }
  if (group.length > 0) yield* readGroup(group, root, context);
}

async function* readGroup(ids: readonly string[], root: string, context: Context) {
  const { output } = await git(root, ["cat-file", "--batch"], context, `${ids.join("\n")}\n`);
  let at = 0;
  for (const id of ids) {
    const start = output.indexOf("\n", at) + 1;
    const size = Number(output.toString("latin1", at, start).split(" ")[2]);
    yield { id, bytes: output.subarray(start, start + size) };
    at = start + size + 1;
  }
}

/** The id and the size, in bytes, of each named object; undefined for an object that does not exist. */
async function describeObjects(names: readonly string[], root: string, context: Context) {
  const words = ["cat-file", "--batch-check"];
  const { output } = await git(root, words, context, `${names.join("\n")}\n`);
  const lines = output.toString().split("\n").slice(0, names.length);
  return lines.map((line) => {
    const [, id = "", size] = /^([\da-f]+) [a-z]+ (\d+)$/.exec(line) ?? [];
    return size === undefined ? undefined : { id, size: Number(size) };
  });
}

const SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  // A folder of a commit may look like a bare repository, with an attacker's settings.
  "safe.bareRepository=explicit",
].flatMap((setting) => ["-c", setting]);

/** Variables that keep git from starting programs, asking questions, downloading and replacing objects. */
const VARIABLES = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // `gitError` recognizes failures by git's English words, because git has no codes for them.
  LC_ALL: "C",
};

/** The most bytes that git may print: a group of files, or a list of a million files. */
const MAX_OUTPUT = 2 * MAX_BYTES;

/** Runs git in a folder. @throws CatalogError of kind `usage` if it fails */
async function git(
  folder: string,
  words: readonly string[],
  context: Context,
  input = "",
): Promise<Captured> {
  const { environment, platform } = context;
  const path = findProgram("git", environment, platform);
  if (path === undefined) {
    throw usageError("cannot find git", "Install git, or add its folder to PATH.");
  }
  const ended = await capture(
    {
      path,
      words: ["--no-pager", ...SETTINGS, "-C", folder, ...words],
      environment: { ...safeEnvironment(environment, platform), ...VARIABLES },
      input,
      most: MAX_OUTPUT,
    },
    context,
  );
  if (ended === undefined) {
    const most = `${MAX_OUTPUT / 1024 ** 2} MiB`;
    throw gitFailure(folder, `git printed nothing for a minute, or more than ${most}`);
  }
  if (ended.code !== 0) throw gitError(folder, ended);
  return ended;
}

/** Variables with folders in which git looks for its configuration. */
const FOLDERS = /^(HOME|USERPROFILE|XDG_CONFIG_HOME)$/;

/** The environment without API keys, variables of git, and relative folders, which could be in the repository. */
function safeEnvironment(environment: Environment, platform: NodeJS.Platform): Environment {
  return Object.fromEntries(
    Object.entries(withoutKeys(environment)).flatMap(([name, value = ""]) => {
      const upper = name.toUpperCase();
      if (upper === "PATH") return [[name, absoluteFolders(value, platform).join(delimiter)]];
      const isUnsafe = upper.startsWith("GIT_") || (FOLDERS.test(upper) && !isAbsolute(value));
      return isUnsafe ? [] : [[name, value]];
    }),
  );
}

function gitError(folder: string, { code, errors }: Captured): CatalogError {
  const where = escapeName(folder);
  if (/not a git repository/.test(errors)) {
    return usageError(
      `${where} is not in a git repository`,
      "Pass files in a clone of the repository, or omit --base.",
    );
  }
  if (/dubious ownership|unsafe repository/.test(errors)) {
    return usageError(
      `git does not trust the repository of ${where}, which belongs to another user`,
      `If you trust it, run: git config --global --add safe.directory ${quoteShell(folder)}`,
    );
  }
  // Older versions of git try to download the missing files, which GIT_ALLOW_PROTOCOL forbids.
  if (/promisor remote|^fatal: transport '/m.test(errors)) return lacksFiles();
  const lines = errors.split("\n");
  const line = lines.find((each) => /^(fatal|error): /.test(each)) ?? lines[0];
  const reason = escapeName(truncate(line?.replace(/^[a-z]+: /, "") || `exit code ${code}`));
  return gitFailure(folder, reason);
}

function gitFailure(folder: string, reason: string): CatalogError {
  const advice = `To see more, run "git log" in ${escapeName(folder)}.`;
  return usageError(`git failed: ${reason}`, advice);
}

function lacksFiles(): CatalogError {
  return usageError(
    "files of the commit are missing from this clone, and catalog does not download them",
    "Clone the repository again without --filter.",
  );
}

/** A path as commits contain it: relative to the root, with slashes; empty for the root. */
export function pathInRepository(path: string, { root }: Repository): string {
  return relative(root, path).split(sep).join("/");
}
