/**
 * `npm run quick`: what takes seconds and finds most mistakes: types, lint, the guards of the architecture and the language,
 * and the tests next to what differs from the last commit, or from another, as in `npm run quick main`. `src/core/plan.ts`
 * runs test/core, and `src/commands/courses/push.ts` runs test/program and the tests of commands whose names begin with
 * "push".
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";

const list = (...words) =>
  execFileSync("git", words, { encoding: "utf8" }).split("\n").filter(Boolean);
const changed = [
  ...list("diff", "--name-only", process.argv[2] ?? "HEAD"),
  ...list("ls-files", "--others", "--exclude-standard"),
];
const tests = changed.flatMap((file) => {
  if (file.endsWith(".test.ts")) return existsSync(file) ? [file] : [];
  const [, folder] = /^(?:src|test)\/(\w+)\//.exec(file) ?? [];
  if (folder === "commands") return [`test/commands/${basename(file, ".ts")}`, "test/program/"];
  return folder !== undefined && existsSync(`test/${folder}`) ? [`test/${folder}/`] : [];
});
const guards = ["layers", "words", "contract"].map((name) => `test/${name}.test.ts`);
const steps = [
  ["tsc", "--noEmit"],
  ["biome", "ci", "."],
  ["vitest", "run", ...guards, ...new Set(tests)],
];
for (const [program, ...words] of steps) {
  const { status } = spawnSync(program, words, {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
}
