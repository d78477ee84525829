/** The JSON output of every command, in success and in failure, is described in docs/json.md. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ERROR_KINDS } from "../../src/base/errors.ts";
import { RESULT_COLUMNS } from "../../src/cli/results.ts";
import { FIELDS } from "../../src/course/fields.ts";
import { loadAllCommands } from "../../tools/documents/commands.ts";
import type { Rig } from "../rig.ts";
import { ABSENT, id, lines, numberedCourse, rigWith } from "./helpers.ts";
import { SEWING } from "./push-files.ts";

/** The commands that print no JSON shape of their own, and why. */
const WITHOUT_SHAPE: Readonly<Record<string, string>> = {
  "courses init": "prints a course file",
  "courses preview": "writes a page",
  explain: "prints the explanation of a field or a rule for people",
  login: "prints messages only",
  logout: "prints messages only",
  api: "prints the service's response",
  schema: "prints a JSON Schema",
  sandbox: "serves until it is stopped",
  completion: "prints a script",
};

/** A command line of a command that prints a shape; `code` is the exit code of a failure. */
interface Case {
  readonly words: readonly string[];
  readonly code?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

const WRONG_KEY = { environment: { CATALOG_API_KEY: "wrong.key" }, code: 4 };
const READING: readonly Case[] = [{ words: [] }, { words: [], ...WRONG_KEY }];
const BY_ID: readonly Case[] = [{ words: [id(1), id(2)] }, { words: [ABSENT, id(1)], code: 5 }];
const FROM_FILES: readonly Case[] = [
  { words: ["new.yaml", "changed.json"] },
  { words: ["invalid.yaml"], code: 3 },
  { words: ["new.yaml"], ...WRONG_KEY },
];

/** Command lines of every command that prints a shape. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  "courses ls": [...READING, { words: ["--limit", "1"] }],
  "courses get": [...BY_ID, { words: [id(1)] }, { words: [ABSENT], code: 5 }],
  "courses check": [
    { words: ["new.yaml", "warned.json"] },
    { words: ["invalid.yaml", "missing.yaml"], code: 3 },
    { words: ["--online", "new.yaml"], ...WRONG_KEY },
    { words: ["fixable.yaml", "--fix"] },
    { words: [], code: 2 },
  ],
  "courses diff": [...FROM_FILES, { words: ["changed.json", "--prune"] }],
  "courses push": [
    ...FROM_FILES,
    { words: ["changed.json", "--prune", "--yes"] },
    { words: ["new.yaml", "--dry-run"] },
    { words: ["new.yaml", "--nonsense"], code: 2 },
  ],
  "courses create": [
    { words: ["new.yaml"] },
    { words: ["invalid.yaml"], code: 3 },
    { words: ["changed.json"], code: 1 },
  ],
  "courses update": [
    { words: [id(1), "--name", "New"] },
    { words: [ABSENT, "--name", "New"], code: 5 },
  ],
  "courses import": [
    { words: ["new.yaml", "--out", "imported"] },
    { words: ["invalid.yaml", "--out", "imported"], code: 3 },
  ],
  "courses pull": [{ words: ["out"] }, { words: ["out"], ...WRONG_KEY }],
  "courses publish": BY_ID,
  "courses unpublish": BY_ID,
  "courses rm": [
    { words: [id(1), "--yes"] },
    { words: [id(2), ABSENT, "--yes"], code: 5 },
    { words: [id(3), "--dry-run"] },
  ],
  "sandbox approve": [{ words: [ABSENT, id(1)], code: 5 }],
  undo: [{ words: ["--yes"] }, { words: [], code: 2 }],
  history: [{ words: [] }, { words: ["missing"], code: 2 }],
  "providers ls": READING,
  status: READING,
};

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

/** The section of docs/json.md that says that a command prints it. */
function sectionOf(path: string): string | undefined {
  const named = `\`catalog ${path}\``;
  return [...DOCUMENTED].find(([, { text }]) =>
    text.match(/^Printed by .*$/m)?.[0].includes(named),
  )?.[0];
}

const APPROVED = numberedCourse(3, { approval_status: "approved" });

async function newRig(): Promise<Rig> {
  const r = await rigWith(numberedCourse(1), numberedCourse(2), APPROVED);
  await r.write("new.yaml", SEWING);
  await r.write("changed.json", [numberedCourse(1), numberedCourse(2, { name: "New" })]);
  await r.write("invalid.yaml", SEWING.replace("self_paced", "slow"));
  await r.write("fixable.yaml", SEWING.replace("self_paced", "self-paced"));
  await r.write("warned.json", numberedCourse(4, { approval_status: "pending" }));
  return r;
}

test("every command has a JSON shape with command lines here, or a reason for having none", async () => {
  const paths = (await loadAllCommands()).map(({ path }) => path).sort();
  expect([...Object.keys(CASES), ...Object.keys(WITHOUT_SHAPE)].sort()).toEqual(paths);
  for (const path of Object.keys(CASES)) expect(sectionOf(path), path).toBeDefined();
  for (const path of Object.keys(WITHOUT_SHAPE)) expect(sectionOf(path), path).toBeUndefined();
});

describe.each(Object.entries(CASES))("JSON of catalog %s", (path, cases) => {
  const shape = sectionOf(path);
  test.each(cases)(
    `catalog ${path} --json with $words prints valid JSON (failure code: $code)`,
    async ({ words, code = 0, environment = {} }) => {
      const r = await newRig();
      const isOfRuns = path === "undo" || path === "history";
      if (isOfRuns) await r.run(`courses update ${id(1)} --name Other`);
      const ran = await r.run([...path.split(" "), ...words, "--json"], { environment });
      expect(ran.code).toBe(code);
      if (ran.stdout !== "") expectDocumented(shape ?? "errors", JSON.parse(ran.stdout));
      else expect(code).not.toBe(0);
      const messages = ran.stderr.split("\n").slice(0, -1);
      for (const line of messages) expectDocumented("errors", JSON.parse(line));
      if (code !== 0 && shape !== "check") expect(ran.stderr).toContain('{"error":');
      else if (shape === "results" || shape === "diff") expect(ran.stderr).toContain('"counts":{');
    },
  );
});

test("plans and records have only the fields that docs/json.md lists", async () => {
  const r = await newRig();
  const all = ["changed.json", "new.yaml", "--prune"];
  await r.run(["courses", "diff", ...all, "--out", "plan.ndjson"]);
  await r.run(["courses", "push", ...all, "--yes", "--note", "Why", "--record", "run.ndjson"]);
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
