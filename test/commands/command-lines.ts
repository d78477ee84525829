/** Command lines of every command, with the formats that they print, and a rig in which each of them succeeds. */
import type { Rig } from "../rig.ts";
import { id, numberedCourse, rigWith } from "./helpers.ts";

const COURSES = ["table", "tsv", "json", "ndjson", "yaml", "csv", "xlsx", "id"];
const RESULTS = ["table", "tsv", "json", "ndjson", "csv", "id"];
const DIFFERENCES = ["human", "json", "ndjson", "id"];
const RECORDS = ["table", "tsv", "json", "ndjson", "csv"];

/** A command line, the formats that it prints, and its number of rows. */
export type PrintedLine = readonly [line: string, formats: readonly string[], rows: number];

export const WITH_ROWS: readonly PrintedLine[] = [
  ["providers ls", COURSES, 1],
  ["courses ls", COURSES, 2],
  [`courses get ${id(1)} ${id(2)}`, COURSES, 2],
  ["courses diff a.json", DIFFERENCES, 2],
  ["courses push a.json", RESULTS, 2],
  ["courses push a.json --dry-run", RESULTS, 2],
  ["courses pull out", RESULTS, 2],
  ["courses import new.json --out out", RESULTS, 1],
  ["courses create new.json", RESULTS, 1],
  [`courses update ${id(1)} --name Other`, RESULTS, 1],
  [`courses publish ${id(1)} ${id(2)}`, RESULTS, 2],
  [`courses unpublish ${id(1)}`, RESULTS, 1],
  [`courses rm --yes ${id(1)} ${id(2)}`, RESULTS, 2],
  ["undo --yes", RESULTS, 1],
  [`sandbox approve ${id(1)}`, RESULTS, 1],
  ["history", RECORDS, 1],
];

export const WITHOUT_ROWS: readonly PrintedLine[] = [
  ["status", RECORDS, 0],
  ["courses check a.json", ["human", "json", "github"], 0],
  ...[
    ...["courses init", "courses import new.json", "courses preview new.json --out page.html"],
    ...["explain name", "schema", "completion bash", "api GET developer/v1/providers"],
    ...["login", "logout", "sandbox"],
  ].map((line): PrintedLine => [line, [], 0]),
];

/** A catalog with two courses and a run, a file that changes the first and adds a third, and other files. */
export async function rigForLines(): Promise<Rig> {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("a.json", [numberedCourse(1, { name: "New name" }), numberedCourse(3)]);
  await r.write("new.json", numberedCourse(4));
  await r.write("fixable.json", numberedCourse(5, { pace: "self-paced" }));
  await r.write("invalid.json", numberedCourse(6, { pace: "slow", approval_status: "pending" }));
  await r.run(`courses update ${id(2)} --pace instructor_paced`);
  return r;
}
