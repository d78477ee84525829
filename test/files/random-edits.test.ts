/** The problems of randomly damaged course files are inside the files. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scaleRuns } from "../long.ts";
import { type Rig, rig } from "../rig.ts";
import { damaged, type SourceFile } from "./damage.ts";

/** A position as in reports. */
interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

interface Finding extends Place {
  readonly rule: string;
  readonly message: string;
}

/** The lengths of the lines of each file. */
type LineLengths = ReadonlyMap<string, readonly number[]>;

function lengthsOf(bytes: Buffer): number[] {
  const text = new TextDecoder().decode(bytes);
  return text.split(/\r\n|\n|\r/).map((line) => line.length);
}

/** Whether a position is inside its file; the end of a line counts as inside. */
function isInside(place: Place, lengths: LineLengths): boolean {
  const lines = lengths.get(place.file);
  const { line, column, endLine = line, endColumn = column } = place;
  const exists = (row: number, at: number): boolean =>
    row >= 1 && at >= 1 && at <= (lines?.[row - 1] ?? -1) + 1;
  const mapInOrder = endLine > line || (endLine === line && endColumn >= column);
  return exists(line, column) && exists(endLine, endColumn) && mapInOrder;
}

/** The position in the message of a finding. */
function namedPlaces({ message }: Finding): Place[] {
  const [, file, line] = / the course at (.+):(\d+)$/.exec(message) ?? [];
  return file === undefined ? [] : [{ file, line: Number(line), column: 1 }];
}

async function checkDamaged(front: Rig, files: readonly SourceFile[]): Promise<void> {
  const lengths = new Map<string, number[]>();
  for (const [index, { extension, bytes }] of files.entries()) {
    const name = await front.write(`${index}${extension}`, bytes);
    lengths.set(name, lengthsOf(bytes));
  }
  const { code, stdout, stderr } = await front.run([
    "courses",
    "check",
    ...lengths.keys(),
    "--json",
  ]);
  expect([0, 2, 3]).toContain(code);
  for (const line of stderr.split("\n").filter((text) => text !== "")) {
    const { error, notice } = JSON.parse(line);
    if (notice === undefined) expect(["usage", "file"]).toContain(error?.kind);
  }
  // Without any course in any file, nothing is reported.
  const findings: readonly Finding[] = stdout === "" ? [] : JSON.parse(stdout).problems;
  const outside = findings.filter((finding) =>
    [finding, ...namedPlaces(finding)].some((place) => !isInside(place, lengths)),
  );
  expect(outside).toEqual([]);
}

describe("randomly damaged files", () => {
  test("check reports problems inside randomly damaged files, and never an internal error", async () => {
    const front = await rig();
    await fc.assert(
      fc.asyncProperty(fc.array(damaged, { minLength: 1, maxLength: 80, size: "max" }), (files) =>
        checkDamaged(front, files),
      ),
      { numRuns: scaleRuns(4) },
    );
  }, 300_000);
});
