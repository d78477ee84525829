/** Holds the rule of the house: a file imports from its own room or from a lower floor. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SOURCE = fileURLToPath(new URL("../src", import.meta.url));

const FLOORS: Readonly<Record<string, number>> = {
  base: 1,
  course: 2,
  files: 3,
  api: 3,
  sync: 3,
  settings: 3,
  sandbox: 3,
  output: 4,
  "command-support": 5,
  commands: 6,
  cli: 7,
  "main.ts": 8,
  "helper.ts": 8,
  // Loads the built main.ts, of which it imports no more than the type.
  start: 9,
  "index.ts": 8,
  // A constant that the build puts in; it imports nothing.
  "version.ts": 0,
};

const FILES = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
  .map((file) => file.replaceAll("\\", "/"));

function roomOf(file: string): string {
  return file.split("/")[0] ?? file;
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), "utf8");
  const found = text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g);
  return [...found].flatMap((match) => match[1] ?? []);
}

test("every room has a floor", () => {
  expect(FILES.filter((file) => FLOORS[roomOf(file)] === undefined)).toEqual([]);
});

test("a file imports only from its own room or from a lower floor", () => {
  const wrong = FILES.flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith("."))
      .map((target) => relative(SOURCE, resolve(SOURCE, dirname(file), target)))
      .filter((target) => {
        const own = roomOf(file);
        const other = roomOf(target.replaceAll("\\", "/"));
        return own !== other && (FLOORS[other] ?? 10) >= (FLOORS[own] ?? 0);
      })
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("only cli/ knows commander, only the doors read process", () => {
  const knowing = FILES.filter((file) => importsOf(file).includes("commander"));
  expect(knowing.filter((file) => roomOf(file) !== "cli")).toEqual([]);
  const reading = FILES.filter((file) =>
    /(^|[^.\w"/])process\./m.test(
      readFileSync(join(SOURCE, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""),
    ),
  );
  expect(reading).toEqual(["main.ts", "start/start.ts"]);
});

test("no value is exported that nobody else takes", () => {
  const tests = fileURLToPath(new URL(".", import.meta.url));
  const read = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");
  const takers = [
    ...FILES.map((file) => ({ file, text: read(SOURCE, file) })),
    ...readdirSync(tests, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => ({ file: `test/${file}`, text: read(tests, file) })),
  ];
  // What the bundle's parts export by name to those that load them.
  const doors = ["main.ts", "index.ts", "helper.ts", "start/start.ts"];
  const dead = FILES.filter((file) => !doors.includes(file)).flatMap((file) => {
    const exported = read(SOURCE, file).matchAll(
      /^export (?:async )?(?:function\*?|const|class) (\w+)/gm,
    );
    return [...exported]
      .map((match) => match[1] ?? "")
      .filter((name) => {
        const word = new RegExp(`\\b${name}\\b`);
        return !takers.some((taker) => taker.file !== file && word.test(taker.text));
      })
      .map((name) => `${file}: ${name}`);
  });
  expect(dead).toEqual([]);
});
