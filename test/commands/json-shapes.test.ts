/** The JSON output of every command, in success and in failure, is described in docs/json.md. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_KINDS } from "../../src/base/errors.ts";
import { RESULT_COLUMNS } from "../../src/cli/results.ts";
import { FIELDS } from "../../src/course/fields.ts";
import { rigForLines, WITH_ROWS, WITHOUT_ROWS } from "./command-lines.ts";
import { ABSENT, id, jsonMessages, lines } from "./helpers.ts";

const ALL = [...WITH_ROWS, ...WITHOUT_ROWS];

/** Command lines that print a shape, by their exit code; with code 4, the API key is wrong. */
const LINES: Readonly<Record<number, readonly string[]>> = {
  0: [
    ...ALL.flatMap(([line, formats]) => (formats.includes("json") ? line : [])),
    `courses get ${id(1)}`,
    "courses check fixable.json --fix",
    "courses diff a.json --prune",
    "courses push a.json --prune --yes",
    `courses rm ${id(1)} --dry-run`,
  ],
  1: ["courses create a.json"],
  2: ["courses check", "courses push a.json --nonsense", "undo", "history missing"],
  3: [
    "courses check invalid.json missing.json",
    "courses diff invalid.json",
    "courses push invalid.json",
    "courses create invalid.json",
    "courses import invalid.json --out out",
  ],
  4: ["courses ls", "courses check --online a.json", "courses push a.json", "courses pull out"],
  5: [
    `courses get ${ABSENT} ${id(1)}`,
    `courses update ${ABSENT} --name New`,
    `courses publish ${ABSENT} ${id(1)}`,
    `courses rm ${ABSENT} ${id(1)} --yes`,
    `sandbox approve ${ABSENT} ${id(1)}`,
  ],
};
const CASES = Object.entries(LINES).flatMap(([code, lines]) =>
  lines.map((line) => [line, Number(code)] as const),
);

/** The paths of the fields that each section of docs/json.md lists: `prices[].currency`. */
const DOCUMENTED = new Map(
  readFileSync(new URL("../../docs/json.md", import.meta.url), "utf8")
    .split(/^## /m)
    .map((section) => {
      const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = ""]) => cell);
      const paths = cells.flatMap((cell) => cell.match(/[^`?, ]+/g) ?? []);
      return [section.split("\n")[0] ?? "", { text: section, paths: new Set(paths) }] as const;
    }),
);
DOCUMENTED.get("courses")?.paths.clear();
for (const { name } of FIELDS) DOCUMENTED.get("courses")?.paths.add(name);

/** Expects that a section of docs/json.md lists each field of a value. */
function expectDocumented(section: string, value: unknown, path = ""): void {
  const paths = DOCUMENTED.get(section)?.paths ?? new Set();
  const isOpen = ![...paths].some((each) => each.startsWith(path) && each !== path);
  if (Array.isArray(value)) {
    const below = path === "" ? "" : `${path}[]`;
    for (const item of value) expectDocumented(section, item, below);
  } else if (typeof value === "object" && value !== null && !isOpen) {
    for (const [name, inner] of Object.entries(value)) {
      const below = path === "" ? name : `${path}.${name}`;
      expect(paths, `${section}: ${below}`).toContain(below);
      expectDocumented(section, inner, below);
    }
  }
}

/** The section of docs/json.md that says that a command prints it. @param line begins with the command */
function sectionOf(line: string): string | undefined {
  const printedBy = ({ text }: { readonly text: string }) =>
    Array.from((/^Printed by .*$/m.exec(text)?.[0] ?? "").matchAll(/`catalog (.*?)`/g));
  return [...DOCUMENTED].find(([, section]) =>
    printedBy(section).some(([, path]) => `${line} `.startsWith(`${path} `)),
  )?.[0];
}

test("docs/json.md describes the JSON of exactly the commands that print some", () => {
  // What import prints without --out is a course file.
  for (const [line, formats] of ALL.filter(([each]) => each !== "courses import new.json")) {
    expect([line, sectionOf(line) !== undefined]).toEqual([line, formats.includes("json")]);
  }
});

test.each(CASES)("catalog %s --json prints valid JSON, and exits with %i", async (line, code) => {
  const shape = sectionOf(line);
  const r = await rigForLines();
  const environment = code === 4 ? { CATALOG_API_KEY: "wrong.key" } : {};
  const ran = await r.run(`${line} --json`, { environment });
  expect(ran.code).toBe(code);
  if (ran.stdout !== "") expectDocumented(shape ?? "errors", JSON.parse(ran.stdout));
  else expect(code).not.toBe(0);
  for (const message of jsonMessages(ran)) expectDocumented("errors", message);
  if (code !== 0 && shape !== "check") expect(ran.stderr).toContain('{"error":');
});

test("plans and records have only the fields that docs/json.md lists", async () => {
  const r = await rigForLines();
  const all = "a.json new.json --prune";
  await r.run(`courses diff ${all} --out plan.ndjson`);
  await r.run(`courses push ${all} --yes --note Why --record run.ndjson`);
  for (const name of ["plan", "run"]) {
    const text = readFileSync(`${r.folder}/${name}.ndjson`, "utf8");
    for (const line of lines(text)) {
      const { body: _, before: __, ...rest } = JSON.parse(line);
      expectDocumented("plans and records", rest);
    }
  }
});

test("docs/json.md lists every column of results and every kind of error", () => {
  const paths = [...(DOCUMENTED.get("results")?.paths ?? [])];
  expect(paths.filter((path) => !/[.[]/.test(path)).sort()).toEqual([...RESULT_COLUMNS].sort());
  const kinds = /`error\.kind` \| (.*?) \|/.exec(DOCUMENTED.get("errors")?.text ?? "")?.[1];
  expect(kinds).toBe(ERROR_KINDS.map((kind) => `\`${kind}\``).join(", "));
});

test.each([...DOCUMENTED.keys()].slice(1))(
  "the example of %s in docs/json.md has only fields that the page lists",
  (name) => {
    const [, example = ""] = /```json\n(.*?)```/s.exec(DOCUMENTED.get(name)?.text ?? "") ?? [];
    const values = name === "plans and records" ? lines(example) : [example];
    for (const value of values) expectDocumented(name, JSON.parse(value));
  },
);
