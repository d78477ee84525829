/** Undo records are read as the recorder wrote them. */
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { asCatalogError, type CatalogError } from "../../src/base/errors.ts";
import { listRuns, readRecord, readSummary } from "../../src/sync/record-store.ts";
import { Recorder, type RecordTarget } from "../../src/sync/record-writer.ts";
import type { SavedStep } from "../../src/sync/saved-plan.ts";
import { testClock } from "../rig.ts";

const SENT = "00000000-0000-4000-9000-000000000001";
const COURSE = { id: SENT, name: "Knitting", url: "https://academy.example/1/" };
const PLACE = { file: null, line: null };
const CREATION: SavedStep = { ...COURSE, ...PLACE, action: "create", body: COURSE };
const DELETION: SavedStep = { ...COURSE, ...PLACE, action: "delete", before: COURSE };
const NOTHING = { created: 0, updated: 0, deleted: 0, failed: 0, unknown: 0 };

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "catalog-records-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function newRecorder(target: RecordTarget): { recorder: Recorder; failures: CatalogError[] } {
  const failures: CatalogError[] = [];
  const header = { command: "courses push", baseUrl: "https://api.example", providers: [] };
  const recorder = new Recorder(target, {
    header,
    clock: testClock(),
    onFailure: async (error) => {
      failures.push(error);
    },
  });
  return { recorder, failures };
}

test("a run without changes leaves no undo record in the history, but one in a requested file", async () => {
  const folder = newFolder();
  for (const target of [{ history: folder }, { file: "run.ndjson", folder }]) {
    const { recorder } = newRecorder(target);
    expect(recorder.name).toBeUndefined();
    recorder.open();
    await recorder.end(NOTHING);
    recorder.close();
  }
  expect(listRuns(folder)).toEqual([]);
  const { header, writes, end } = readRecord(join(folder, "run.ndjson"), "run.ndjson");
  expect([header.command, writes, end]).toEqual(["courses push", [], NOTHING]);
});

test("the error about an undo record that cannot be written advises another place", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "a"), "");
  const advice = (target: RecordTarget) => {
    const error = attemptError(() => newRecorder(target).recorder.open());
    return error.facts.advice;
  };
  expect(advice({ file: "a/run.ndjson", folder })).toBe("Choose another file for --record.");
  expect(advice({ history: join(folder, "a") })).toMatch("Pass --record with a file, or set XDG");
});

function attemptError(work: () => unknown): CatalogError {
  try {
    work();
  } catch (cause) {
    return asCatalogError(cause);
  }
  throw new Error("nothing was thrown");
}

test("the undo record of a killed run has each change with its result", async () => {
  const folder = newFolder();
  const { recorder } = newRecorder({ history: folder });
  const number = await recorder.before(CREATION);
  await recorder.after(number, { status: "done" });
  await recorder.before(DELETION);
  recorder.close();
  const [run] = listRuns(folder);
  const { writes, end } = readRecord(run?.path ?? "", "x");
  expect([recorder.name, end]).toEqual([run?.run, undefined]);
  expect(writes).toEqual([
    { ...CREATION, status: "done" },
    { ...DELETION, status: "unknown" },
  ]);
});

test("the summary of a killed run counts its changes, and the summary of an ended run is its last line", async () => {
  const folder = newFolder();
  const { recorder } = newRecorder({ history: folder });
  await recorder.after(await recorder.before(CREATION), { status: "done" });
  await recorder.before(DELETION);
  const path = listRuns(folder)[0]?.path ?? "";
  expect(readSummary(path).end).toEqual({ ...NOTHING, created: 1, unknown: 1 });
  await recorder.end({ ...NOTHING, created: 1, left: 3 });
  recorder.close();
  expect(readSummary(path).end).toEqual({ ...NOTHING, created: 1, left: 3 });
});

test("a summary reads only the ends of an undo record, with any content of any size between them", () => {
  const path = join(newFolder(), "run.ndjson");
  const header = {
    formatVersion: 1,
    run: "r",
    time: "t",
    command: "c",
    baseUrl: "b",
    providers: [],
  };
  const providers = Array.from({ length: 2000 }, (_, index) => `provider ${index}`);
  for (const wide of [header, { ...header, providers }]) {
    writeFileSync(path, `${JSON.stringify(wide)}\n`);
    // More than one string can have.
    truncateSync(path, 3 * 1024 ** 3);
    writeFileSync(path, `\n${JSON.stringify({ end: NOTHING })}\n`, { flag: "a" });
    expect(readSummary(path)).toEqual({ header: wide, end: NOTHING });
  }
});

test("an undo record that another run has begun stays unchanged, and nothing is deleted", async () => {
  const folder = newFolder();
  const { recorder, failures } = newRecorder({ file: "run.ndjson", folder });
  writeFileSync(join(folder, "run.ndjson"), "other");
  expect(() => recorder.open()).toThrow(expect.objectContaining({ kind: "output" }));
  await expect(recorder.before(DELETION)).rejects.toMatchObject({ kind: "output" });
  expect(await recorder.before(CREATION)).toBeGreaterThan(0);
  recorder.close();
  expect([readFileSync(join(folder, "run.ndjson"), "utf8"), failures.length]).toEqual(["other", 0]);
});

test.skipIf(!existsSync("/dev/full"))(
  "a full disk is reported once and prevents only deletions",
  async () => {
    const { recorder, failures } = newRecorder({ file: "/dev/full", folder: "/" });
    const number = await recorder.before(CREATION);
    await recorder.after(number, { status: "done" });
    await recorder.end({ ...NOTHING, created: 1 });
    recorder.close();
    expect(failures.map(({ kind }) => kind)).toEqual(["output"]);
    await expect(recorder.before(DELETION)).rejects.toMatchObject({ kind: "output" });
  },
);
