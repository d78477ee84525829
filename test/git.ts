/** Real git repositories in temporary folders, and the courses that are read from their commits. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { PlainObject } from "../src/base/values.ts";
import { readCommitCourses } from "../src/command-support/commit-courses.ts";
import { type Context, StopRequest } from "../src/command-support/context.ts";
import { MemoryOutput, type TestClock, testClock } from "./rig.ts";

const IDENTITY = ["-c", "user.name=Tester", "-c", "user.email=tester@academy.example"];

/** A temporary folder, removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "catalog-git-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs git as a user without configuration. @returns what it prints */
export function git(folder: string, ...words: readonly string[]): string {
  const own = {
    ...{ PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
    ...{ GIT_ALLOW_PROTOCOL: "file" },
  };
  const options = { cwd: folder, env: own, stdio: "pipe", encoding: "utf8" } as const;
  return execFileSync(
    "git",
    [...IDENTITY, "-c", "init.defaultBranch=main", ...words],
    options,
  ).trim();
}

/** Writes files; null removes one. */
export async function writeAll(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array | null>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    if (content === null) await rm(path, { recursive: true });
    else await writeFile(path, content);
  }
}

/** Writes files and commits everything; the first time, this makes the folder a repository. @returns the commit's id */
export async function commit(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array | null>>,
): Promise<string> {
  git(folder, "init", "--quiet");
  await writeAll(folder, files);
  git(folder, "add", "--all", "--force");
  git(folder, "commit", "--quiet", "--allow-empty", "--message", "Change");
  return git(folder, "rev-parse", "HEAD");
}

/** How the courses of a commit are read. */
export interface Reading {
  /** The current folder. */
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly isEnough?: (courses: readonly PlainObject[]) => boolean;
  readonly stop?: StopRequest;
  readonly clock?: TestClock;
}

/** Reads the courses of a commit, as a user without configuration. */
export async function readCourses(
  ref: string,
  paths: readonly string[],
  { folder, environment, isEnough = ({ length }) => length > 0, ...system }: Reading,
): Promise<{ courses: readonly PlainObject[]; warnings: readonly string[] }> {
  const warnings: string[] = [];
  const context = {
    io: { in: { isTerminal: false }, err: new MemoryOutput(), out: new MemoryOutput() },
    environment: { PATH: process.env.PATH, HOME: folder, ...environment },
    ...{ folder, platform: process.platform, stop: new StopRequest(), clock: testClock() },
    options: {},
    retries: { total: 0, watch: () => () => undefined },
    messages: {
      warn: async (text: string) => void warnings.push(text),
      progress: { start: () => ({ update: () => undefined, stop: () => undefined }) },
    },
    ...system,
  } as unknown as Context;
  return { courses: await readCommitCourses(ref, { paths }, context, isEnough), warnings };
}
