/** Runs git, for tests of workflows. */
import { execFileSync } from "node:child_process";

const IDENTITY = ["-c", "user.name=Tester", "-c", "user.email=tester@academy.example"];

/** Runs git as a user without configuration. @returns what it prints */
export function git(folder: string, ...words: readonly string[]): string {
  const own = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: "file",
  };
  const options = { cwd: folder, env: own, stdio: "pipe", encoding: "utf8" } as const;
  return execFileSync(
    "git",
    [...IDENTITY, "-c", "init.defaultBranch=main", ...words],
    options,
  ).trim();
}
