/** What each command loads: no more than it uses, or every script would wait for it. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { example, newFolder, numbered, ROOT, runCatalog, serve, type Variables } from "./rig.ts";

/** A text that each library keeps when it is made small, and nobody else has. */
const MARKS = {
  commander: "commander.unknownOption",
  undici: "undici.error.UND_ERR",
  "js-yaml": "YAMLException",
  zod: "invalid_type",
  "cli-table3": "rowSpan",
  "csv-stringify": "CSV_INVALID_OPTION_HEADER",
  chalk: "strikethrough",
  confirm: "CancelPromptError",
} as const;

type Library = keyof typeof MARKS;

/** What a run loaded. */
interface Loaded {
  /** The program's own files, by their paths in the package. */
  readonly files: readonly string[];
  readonly libraries: readonly Library[];
  readonly bytes: number;
}

/** Runs a command and reads from the engine's own record which files it ran. */
async function loadedBy(words: readonly string[], environment: Variables = {}): Promise<Loaded> {
  const record = await newFolder();
  const ended = await runCatalog(words, {
    environment: { ...environment, NODE_V8_COVERAGE: record, NODE_DISABLE_COMPILE_CACHE: "1" },
  });
  expect(ended).toMatchObject({ code: 0 });
  const [name = ""] = await readdir(record);
  const { result } = JSON.parse(await readFile(join(record, name), "utf8")) as {
    result: { url: string }[];
  };
  const paths = result
    .map(({ url }) => (url.startsWith("file:") ? fileURLToPath(url) : url))
    .filter((path) => path.startsWith(ROOT));
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  return {
    files: paths.map((path) => relative(ROOT, path)),
    libraries: librariesIn(texts.join("\n")),
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  };
}

function librariesIn(text: string): Library[] {
  return (Object.keys(MARKS) as Library[]).filter((library) => text.includes(MARKS[library]));
}

test("every mark is found in what was built", async () => {
  const parts = await readdir(join(ROOT, "dist/parts"));
  const texts = await Promise.all(
    parts.map((part) => readFile(join(ROOT, "dist/parts", part), "utf8")),
  );
  expect(librariesIn(texts.join("\n"))).toEqual(Object.keys(MARKS));
});

test.each(["--version", "-V"])("%s loads the door and next to nothing", async (word) => {
  const { files, libraries, bytes } = await loadedBy([word]);
  expect(files).toContain(join("bin", "catalog.js"));
  expect(files).toContain(join("dist", "parts", "main.cjs"));
  expect(libraries).toEqual([]);
  expect(bytes).toBeLessThan(13_000);
});

test("--help loads the words and nothing that does anything", async () => {
  const { libraries } = await loadedBy(["--help"]);
  expect(libraries).toEqual([]);
});

test("a completion loads the command that it is about, and nothing that does anything", async () => {
  const { libraries } = await loadedBy(["__complete", "--", "courses", "ls", "--pub"]);
  expect(libraries).toEqual([]);
});

test("a completion of ids loads what connects, and no way to print", async () => {
  const { environment } = await serve(numbered(2));
  const { libraries } = await loadedBy(["__complete", "--", "courses", "get", ""], environment);
  expect(libraries).toContain("undici");
  for (const other of ["zod", "cli-table3", "csv-stringify", "chalk", "confirm"]) {
    expect(libraries).not.toContain(other);
  }
});

test("courses check loads what reads files, and nothing that connects", async () => {
  const { libraries } = await loadedBy(["courses", "check", example("one.yaml")]);
  expect(libraries).toEqual(["commander", "js-yaml"]);
});

test("courses ls off a terminal loads what connects, and no way to print that it does not use", async () => {
  const { environment } = await serve(numbered(2));
  const { libraries } = await loadedBy(["courses", "ls"], environment);
  expect(libraries).toEqual(["commander", "undici"]);
});

test.each([
  ["csv", "csv-stringify"],
  ["yaml", "js-yaml"],
  ["table", "cli-table3"],
] as const)("courses ls -o %s loads %s", async (format, library) => {
  const { environment } = await serve(numbered(2));
  const { libraries } = await loadedBy(["courses", "ls", "-o", format], environment);
  expect(libraries).toContain(library);
  const others = (["csv-stringify", "js-yaml", "cli-table3"] as const).filter(
    (other) => other !== library,
  );
  for (const other of others) expect(libraries).not.toContain(other);
});
