/** The JSON output of every command, in success and in failure, is described in docs/json.md. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_KINDS } from "../../src/base/errors.ts";
import { RESULT_COLUMNS } from "../../src/cli/results.ts";
import { FIELDS } from "../../src/course/fields.ts";
import { loadAllCommands } from "../../tools/documents/commands.ts";
import type { Rig } from "../rig.ts";
import { ABSENT, id, jsonMessages, lines, numberedCourse, rigWith } from "./helpers.ts";
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

const ID = id(1);

/** Command lines of every command that prints a shape, by their exit code; with code 4, the API key is wrong. */
const LINES: Readonly<Record<number, readonly string[]>> = {
  0: [
    "courses ls",
    `courses get ${ID} ${id(2)}`,
    `courses get ${ID}`,
    "courses check new.yaml warned.json",
    "courses check fixable.yaml --fix",
    "courses diff new.yaml changed.json",
    "courses diff changed.json --prune",
    "courses push new.yaml changed.json",
    "courses push changed.json --prune --yes",
    "courses push new.yaml --dry-run",
    "courses create new.yaml",
    `courses update ${ID} --name New`,
    "courses import new.yaml --out imported",
    "courses pull out",
    `courses publish ${ID} ${id(2)}`,
    `courses unpublish ${ID}`,
    `courses rm ${ID} --yes`,
    `courses rm ${id(3)} --dry-run`,
    "undo --yes",
    "history",
    "providers ls",
    "status",
  ],
  1: ["courses create changed.json"],
  2: ["courses check", "courses push new.yaml --nonsense", "undo", "history missing"],
  3: [
    "courses check invalid.yaml missing.yaml",
    "courses diff invalid.yaml",
    "courses push invalid.yaml",
    "courses create invalid.yaml",
    "courses import invalid.yaml --out imported",
  ],
  4: ["courses ls", "courses check --online new.yaml", "courses push new.yaml", "courses pull out"],
  5: [
    `courses get ${ABSENT} ${ID}`,
    `courses update ${ABSENT} --name New`,
    `courses publish ${ABSENT} ${ID}`,
    `courses rm ${ABSENT} ${ID} --yes`,
    `sandbox approve ${ABSENT} ${ID}`,
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
  for (const { path } of await loadAllCommands()) {
    const hasReason = path in WITHOUT_SHAPE;
    const hasLine = CASES.some(([line]) => `${line} `.startsWith(`${path} `));
    const hasShape = sectionOf(path) !== undefined;
    expect({ path, isHere: hasReason || hasLine, hasShape }).toEqual({
      path,
      isHere: true,
      hasShape: !hasReason,
    });
  }
});

test.each(CASES)("catalog %s --json prints valid JSON, and exits with %i", async (line, code) => {
  const shape = sectionOf(line);
  const r = await newRig();
  if (/^(undo|history)/.test(line)) await r.run(`courses update ${ID} --name Other`);
  const environment = code === 4 ? { CATALOG_API_KEY: "wrong.key" } : {};
  const ran = await r.run(`${line} --json`, { environment });
  expect(ran.code).toBe(code);
  if (ran.stdout !== "") expectDocumented(shape ?? "errors", JSON.parse(ran.stdout));
  else expect(code).not.toBe(0);
  for (const message of jsonMessages(ran)) expectDocumented("errors", message);
  if (code !== 0 && shape !== "check") expect(ran.stderr).toContain('{"error":');
  else if (shape === "results" || shape === "diff") expect(ran.stderr).toContain('"counts":{');
});

test("plans and records have only the fields that docs/json.md lists", async () => {
  const r = await newRig();
  const all = "changed.json new.yaml --prune";
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
