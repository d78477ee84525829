/** Enforces the architecture: the import direction between layers, no cycles, no dead exports. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SOURCE = fileURLToPath(new URL("../src", import.meta.url));

/** The layer of each module: a folder of `src`, or a file directly in it. */
const LAYERS: Readonly<Record<string, number>> = {
  base: 1,
  course: 2,
  service: 3,
  files: 4,
  settings: 4,
  sandbox: 4,
  core: 5,
  import: 6,
  output: 6,
  cli: 7,
  commands: 8,
  program: 9,
  "main.ts": 10,
  "index.ts": 10,
};

/** Files that the build or Node.js loads; nothing in `src` imports them. */
const ENTRY_POINTS = ["main.ts", "index.ts"];

const FILES = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
  .map((file) => file.replaceAll("\\", "/"));

function readSource(file: string): string {
  return readFileSync(join(SOURCE, file), "utf8");
}

function moduleOf(file: string): string {
  return file.split("/")[0] ?? file;
}

/** What a file imports, dynamically or only for a type included. */
function importsOf(file: string): string[] {
  const found = readSource(file).matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g);
  return [...found].flatMap((match) => match[1] ?? []);
}

/** The files of `src` that a file imports, as paths below `src`. */
function importedFiles(file: string): string[] {
  return importsOf(file)
    .filter((target) => target.startsWith(".") && !target.endsWith("?raw"))
    .map((target) =>
      relative(SOURCE, resolve(SOURCE, dirname(file), target)).replaceAll("\\", "/"),
    );
}

test("every module of src has a layer", () => {
  expect(FILES.filter((file) => LAYERS[moduleOf(file)] === undefined)).toEqual([]);
});

test("a file of src imports only from its own module or from a lower layer", () => {
  const violations = FILES.flatMap((file) =>
    importedFiles(file)
      .filter((target) => {
        const [own, other] = [moduleOf(file), moduleOf(target)];
        return own !== other && (LAYERS[other] ?? 10) >= (LAYERS[own] ?? 0);
      })
      .map((target) => `${file} → ${target}`),
  );
  expect(violations).toEqual([]);
});

test("no file of src imports itself through other files, not even for a type", () => {
  const imports = new Map(FILES.map((file) => [file, importedFiles(file)]));
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start !== -1) cycles.push([...trail.slice(start), file].join(" → "));
    if (start !== -1 || finished.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...trail, file]);
    finished.add(file);
  };
  for (const file of FILES) visit(file, []);
  expect(cycles).toEqual([]);
});

test("only program/ imports commander, and only the entry points read process", () => {
  const users = FILES.filter((file) => importsOf(file).includes("commander"));
  expect(users).toEqual(["program/program.ts"]);
  const readers = FILES.filter((file) =>
    /(^|[^.\w"/])process\./m.test(readSource(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")),
  );
  expect(readers.filter((file) => !ENTRY_POINTS.includes(file))).toEqual([]);
});

test("every exported value of src is used by another file", () => {
  const users = ["test", "tools/documents"].flatMap((name) => {
    const folder = fileURLToPath(new URL(`../${name}`, import.meta.url));
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => ({ file: `${name}/${file}`, text: readFileSync(join(folder, file), "utf8") }));
  });
  const texts = [...FILES.map((file) => ({ file, text: readSource(file) })), ...users];
  const words = texts.map(({ file, text }) => ({ file, known: new Set(text.match(/\w+/g)) }));
  const unused = FILES.filter((file) => !ENTRY_POINTS.includes(file)).flatMap((file) => {
    const exported = readSource(file).matchAll(
      /^export (?:async )?(?:function\*?|const|class) (\w+)/gm,
    );
    const others = words.filter((other) => other.file !== file);
    return [...exported]
      .map((match) => match[1] ?? "")
      .filter((name) => !others.some(({ known }) => known.has(name)))
      .map((name) => `${file}: ${name}`);
  });
  expect(unused).toEqual([]);
});

/** The files that run with a file, those that are imported later included; types are erased. */
function reachedFrom(
  file: string,
  { isLate = true } = {},
  reached = new Set<string>(),
): ReadonlySet<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  const found = readSource(file).matchAll(
    /^import (?!type )[^;]*?"(\.[^"]+\.ts)"|import\("(\.[^"]+\.ts)"\)/gm,
  );
  for (const [, early, late] of found) {
    if (early === undefined && !isLate) continue;
    const target = resolve(SOURCE, dirname(file), early ?? late ?? "");
    reachedFrom(relative(SOURCE, target).replaceAll("\\", "/"), { isLate }, reached);
  }
  return reached;
}

// A twentieth more than there are, for what comes next.
test.each([
  ["ls", 25],
  ["create", 77],
  ["push", 85],
])("courses %s reaches at most %i files", (command, most) => {
  expect(reachedFrom(`commands/courses/${command}.ts`).size).toBeLessThanOrEqual(most);
});

test("the start of the program loads neither the schema of a course nor what reads a record", () => {
  const start = reachedFrom("program/run.ts", { isLate: false });
  expect([...start].filter((file) => /^(?:course\/shape|core\/)/.test(file))).toEqual([]);
});

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

test("only a few modules of src open files, or read and write their content", () => {
  const others = FILES.filter((file) => !OPENERS.includes(file));
  const found = others.flatMap((file) => {
    const text = readSource(file);
    const lists = [
      ...text.matchAll(/import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"(?:node:)?fs(?:\/promises)?"/g),
    ];
    const names = lists.flatMap(([, list = ""]) =>
      [...list.matchAll(/(?:^|,)\s*(?:type\s+)?(\w+)/g)].map(([, name = ""]) => name),
    );
    // Every other way to the module, such as `import * as fs`, `await import(…)` or `getBuiltinModule(…)`.
    const mentions = text.match(/["'`](?:node:)?fs(?:\/promises)?["'`]/g) ?? [];
    return [
      ...names.filter((name) => !HARMLESS.has(name)),
      ...(mentions.length > lists.length ? ["the module as a whole"] : []),
    ].map((name) => `${file}: ${name}`);
  });
  expect(found).toEqual([]);
});

test("one module of src starts other programs", () => {
  const starter = /["'`](?:node:)?(?:child_process|cross-spawn)["'`]/;
  const found = FILES.filter((file) => starter.test(readSource(file)));
  expect(found).toEqual(["cli/programs.ts"]);
});
