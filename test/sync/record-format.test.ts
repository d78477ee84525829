/** An undo record that is damaged or has another version is refused with the line and the reason. */
import { expect, test } from "vitest";
import { asCatalogError, type CatalogError } from "../../src/base/errors.ts";
import { parseRecord } from "../../src/sync/record-format.ts";

const ID = "00000000-0000-4000-9000-000000000001";
const OTHER = "00000000-0000-4000-9000-00000000000a";
const HEADER = {
  ...{ formatVersion: 1, run: "r", time: "t", command: "courses push" },
  ...{ baseUrl: "https://api.example", providers: [] },
};
const COURSE = { id: ID, name: "Knitting", url: "https://academy.example/1/" };
const CREATION = { write: 1, ...COURSE, file: null, line: null, action: "create", body: COURSE };
const END = { created: 1, updated: 0, deleted: 0, failed: 0, unknown: 0 };

/** The error of work that must fail. */
function thrownBy(work: () => unknown): CatalogError {
  try {
    work();
  } catch (thrown) {
    return asCatalogError(thrown);
  }
  throw new Error("nothing was thrown");
}

function record(...lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const FOREIGN = "line 1: this is not an undo record";

test.each([
  ["an empty file", "", FOREIGN],
  ["a course", record(COURSE), FOREIGN],
  ["a header that is cut off", '{"formatVersion":1,"run"', FOREIGN],
  [
    "a header with another version",
    record({ ...HEADER, formatVersion: 2 }),
    "line 1: this undo record has format version 2, but this version of catalog reads only 1",
  ],
  [
    "a header with a number as the command",
    record({ ...HEADER, command: 5 }),
    "line 1: the undo record is damaged: the first line is incomplete",
  ],
  ["a line that is a list", record(HEADER, []), "line 2: the undo record is damaged"],
  [
    "a line without a number",
    record(HEADER, { status: "done" }),
    "line 2: .*: write must be a number",
  ],
  [
    "the same change twice",
    record(HEADER, CREATION, CREATION),
    "line 3: .*: write 1 appears twice",
  ],
  [
    "a result without its change",
    record(HEADER, { write: 1, status: "done" }),
    "line 2: .*: this is the result of write 1, which is missing",
  ],
  [
    "a result with another status",
    record(HEADER, CREATION, { write: 1, status: "good" }),
    "line 3: .*: status must be done, failed, unchanged or unknown",
  ],
  [
    "a change with another id than a UUID",
    record(HEADER, { ...CREATION, id: "../x" }),
    "line 2: .*: id must be a lowercase UUID",
  ],
  [
    "a body with the id of another course",
    record(HEADER, { ...CREATION, body: { ...COURSE, id: OTHER } }),
    "line 2: .*: body must have the id of the step",
  ],
  [
    "a field that cannot be sent",
    record(HEADER, { ...CREATION, body: { ...COURSE, approval: "approved" } }),
    'line 2: .*: body contains "approval", which cannot be sent',
  ],
  [
    "an update without the values before it",
    record(HEADER, { ...CREATION, action: "update", body: { name: "A" }, before: {} }),
    "line 2: .*: before must have every field of body",
  ],
  [
    "a line after the end",
    record(HEADER, { end: END }, CREATION),
    "line 3: .*: this line follows the end of the record",
  ],
])("the undo record is refused if its content is %s", (_, text, message) => {
  const error = thrownBy(() => parseRecord(text, "run.ndjson"));
  expect(error).toMatchObject({ kind: "usage", facts: { file: "run.ndjson", column: 1 } });
  expect(`line ${error.facts.line}: ${error.message}`).toMatch(new RegExp(`^${message}`));
});

test("the undo record of a killed run omits and names its cut last line, and changes without a result are unknown", () => {
  const cut = `${record(HEADER, CREATION)}{"write":1,"stat`;
  const { write: _, ...creation } = CREATION;
  expect(parseRecord(cut, "run.ndjson")).toEqual({
    header: HEADER,
    writes: [{ ...creation, status: "unknown" }],
    cutLine: 3,
  });
});

test("an undo record may end without a line break", () => {
  const text = record(HEADER, CREATION, { write: 1, status: "done" }, { end: END });
  const { writes, end } = parseRecord(text.trimEnd(), "run.ndjson");
  expect([writes[0]?.id, writes[0]?.status, end]).toEqual([ID, "done", END]);
});
