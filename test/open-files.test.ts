/** Enforces that only a few modules open files: they decide about links and never wait for a pipe. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SOURCE = fileURLToPath(new URL("../src", import.meta.url));

/** The modules that may use all of `node:fs`. */
const OPENERS = [
  // Reading and appending, with bounds.
  "base/files.ts",
  // Drafts that take the place of a file; it opens only files that it creates.
  "base/atomic-write.ts",
  // The standard streams and the terminal, which are open or named by the system.
  "base/io.ts",
];

/** What other modules may import: it neither opens a file nor reads or writes its content. */
const HARMLESS = new Set([
  ...["stat", "statSync", "lstat", "lstatSync", "existsSync", "access", "constants"],
  ...["readdirSync", "realpath", "realpathSync", "readlinkSync", "watch"],
  ...["mkdirSync", "mkdtemp", "chmod", "chmodSync", "rm", "rmSync"],
  // Types.
  ...["Dirent", "Stats"],
]);

/** What a source text uses of `node:fs` that others than the openers must not. */
function forbiddenIn(text: string): string[] {
  const lists = [
    ...text.matchAll(/import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"(?:node:)?fs(?:\/promises)?"/g),
  ];
  const names = lists.flatMap((match) => (match[1] ?? "").split(","));
  const imported = names.map((name) => /\w+/.exec(name.replace(/^\s*type\s/, ""))?.[0] ?? "");
  // Every other way to the module, such as `import * as fs`, `await import(…)` or `getBuiltinModule(…)`.
  const mentions = [...text.matchAll(/["'`](?:node:)?fs(?:\/promises)?["'`]/g)].length;
  return [
    ...imported.filter((name) => name !== "" && !HARMLESS.has(name)),
    ...(mentions > lists.length ? ["the module as a whole"] : []),
  ];
}

test("only a few modules of src open files, or read and write their content", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !OPENERS.includes(file));
  const found = files.flatMap((file) =>
    forbiddenIn(readFileSync(join(SOURCE, file), "utf8")).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test("one module of src starts other programs", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
  const found = files.filter((file) => {
    if (!file.endsWith(".ts") || file.endsWith(".d.ts")) return false;
    return /["'`](?:node:)?(?:child_process|cross-spawn)["'`]/.test(
      readFileSync(join(SOURCE, file), "utf8"),
    );
  });
  expect(found.map((file) => file.replaceAll("\\", "/"))).toEqual(["cli/programs.ts"]);
});
