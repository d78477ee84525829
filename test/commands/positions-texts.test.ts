/** `courses check` reports the exact position of each problem in files written by hand. */
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { Diagnostic } from "../../src/files/diagnostic.ts";
import { loadCourses } from "../../src/files/load.ts";
import { type Rig, rig } from "../rig.ts";
import type { PositionCase } from "./position-case.ts";
import { CSV_CASES } from "./position-cases-csv.ts";
import { RULE_CASES } from "./position-cases-rules.ts";
import { SYNTAX_CASES } from "./position-cases-syntax.ts";
import { YAML_CASES } from "./position-cases-yaml.ts";

/** The problems of a file, including those of missing fields: most of these files are too short for a course. */
async function load({ file, text }: PositionCase, r: Rig): Promise<Diagnostic[]> {
  await r.write(file, text);
  const options = {
    folder: r.folder,
    environment: {},
    input: { stream: Readable.from([]) },
    mode: "patch",
  } as const;
  const found: Diagnostic[] = [];
  for await (const { diagnostics } of loadCourses([file], options)) found.push(...diagnostics);
  return found;
}

/** Whether a problem only reports a field that the file omits. */
function isLeftOut({ rule, path }: Diagnostic, { text }: PositionCase): boolean {
  const [field, ...rest] = path;
  return rule === "required" && rest.length === 0 && !String(text).includes(String(field));
}

/** Formats a problem like the expected problem: with its end, without its end, or only by its line. */
function formatFinding({ line, column, endLine, endColumn, rule }: Diagnostic, like = ""): string {
  const [position = ""] = like.split(" ");
  if (/^\d+$/.test(position)) return `${line} ${rule}`;
  const end = /^\d+:\d+$/.test(position) ? "" : `-${endLine}:${endColumn}`;
  return `${line}:${column}${end} ${rule}`;
}

async function findsOf(entry: PositionCase, r: Rig): Promise<string[]> {
  const found = (await load(entry, r)).filter((finding) => !isLeftOut(finding, entry));
  return found.map((finding, index) => formatFinding(finding, entry.finds[index]));
}

test.each([
  ["syntax errors", SYNTAX_CASES],
  ["problems in YAML", YAML_CASES],
  ["problems in CSV, by cell or column", CSV_CASES],
  ["problems of several keys and courses", RULE_CASES],
])("check reports the positions of %s", async (_, cases) => {
  const r = await rig();
  const found: unknown[] = [];
  for (const entry of cases) found.push({ title: entry.title, finds: await findsOf(entry, r) });
  expect(found).toEqual(cases.map(({ title, finds }) => ({ title, finds })));
});
