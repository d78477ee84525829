/** The built program with closed pipes and streams, on full disks, and where no file can grow. */
import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { IS_LONG, someOf } from "../long.ts";
import { course } from "../rig.ts";
import {
  linesOf,
  newFolder,
  numberedCourses,
  type ProcessResult,
  readFiles,
  readRecord,
  runScript,
  type ServedSandbox,
  STACK,
  serve,
  storedIds,
} from "./rig.ts";

/** The end of a file that is complete. */
const COMPLETE = /^id: [\s\S]*\nassignments: false\n$/;

test("a closed pipe ends a long listing quietly and aborts the requests in flight", async () => {
  const service = await serve(numberedCourses(2000));
  const folder = await newFolder();
  const script = "{ catalog courses ls --all -o ndjson --verbose; echo $? >code; } | head -n 1";
  const ended = await runScript(script, [], { ...service, folder });
  expect(ended.code).toBe(0);
  expect(linesOf(ended.stdout)).toHaveLength(1);
  expect(await readFile(join(folder, "code"), "utf8")).toBe("0\n");
  expect(ended.stderr).not.toMatch(/error/);
  expect(service.sandbox.requests()).toBeLessThan(20);
  // Pages in flight are aborted; retries would keep the program running for seconds.
  expect(ended.stderr).not.toMatch(/attempt [2-9]/);
});

describe.runIf(IS_LONG)("closed streams", () => {
  test("push, pull and check work with closed streams, and no file receives the output", async () => {
    const served = await serve();
    const folder = await newFolder();
    await mkdir(join(folder, "courses"));
    await writeFile(join(folder, "courses/new.json"), JSON.stringify(numberedCourses(2)));
    const steps = ["push courses --report sarif=report.json", "pull out -o ndjson", "check out"];
    const script = steps.map((step) => `catalog courses ${step} <&- >&- 2>&- || exit 9`).join("\n");
    const ended = await runScript(script, [], { ...served, folder });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const texts = await readFiles(folder);
    // The course file, the report, the two files that were pulled, and the record of the push.
    expect(Object.keys(texts)).toHaveLength(5);
    const record = await readRecord(folder);
    expect(record.filter(({ status }) => status === "done")).toHaveLength(2);
    expect(JSON.parse(texts["report.json"] ?? "")).toMatchObject({ version: "2.1.0" });
    const pulled = Object.entries(texts).filter(([name]) => name.startsWith("out/"));
    for (const [, text] of pulled) expect(text).toMatch(COMPLETE);
    expect(storedIds(served)).toHaveLength(2);
  });

  test("a closed standard input is read as empty: no API key, no ids, no course", async () => {
    const lines = ["login --with-key", "courses publish -", "courses create -"];
    const script = lines.map((line) => `catalog ${line} <&-; echo $?`).join("\n");
    const { stdout, stderr } = await runScript(script, [], await serve());
    expect(linesOf(stdout)).toEqual(["2", "0", "3"]);
    expect(stderr).toContain("the API key from standard input is empty");
    expect(stderr).not.toMatch(STACK);
  });
});

test.each(
  someOf(
    [
      ["a closed pipe", "| true", ""],
      ["a full disk", "> /dev/full", "no space left"],
    ] as const,
    1,
  ),
)("%s does not stop create, which creates all courses and exits with 1", async (_, out, says) => {
  const service = await serve();
  const folder = await newFolder();
  await writeFile(join(folder, "courses.json"), JSON.stringify(numberedCourses(12)));
  const script = `{ catalog courses create courses.json; echo $? >code; } ${out}`;
  const { stderr } = await runScript(script, [], { ...service, folder });
  // The ids are lost, so the run must fail.
  expect(await readFile(join(folder, "code"), "utf8")).toBe("1\n");
  expect(stderr).toContain(says);
  expect(stderr).not.toMatch(STACK);
  expect(storedIds(service)).toHaveLength(12);
});

const MOUNT = "mount -t tmpfs -o size=64k none out";
const CAN_MOUNT =
  IS_LONG &&
  spawnSync("unshare", ["-rm", "sh", "-c", `cd "$(mktemp -d)"; mkdir out; ${MOUNT}`]).status === 0;

test.runIf(CAN_MOUNT)(
  "pull onto a full disk reports the first course that does not fit, and skips the others",
  async () => {
    const long = { long_description: "A long text. ".repeat(800) };
    const service = await serve(numberedCourses(20).map((course) => ({ ...course, ...long })));
    const script = `mkdir out; unshare -rm sh -c '${MOUNT}; exec catalog courses pull out'`;
    const ended = await runScript(script, [], { ...service, folder: await newFolder() });
    expect(ended.code).toBe(1);
    expect(ended.stderr.match(/no space left on device/g)).toHaveLength(1);
    expect(ended.stderr).toMatch(/^Courses in files: \d+ written, 1 failed, \d+ skipped\.$/m);
  },
);

/** Existing files stay complete, and no partial file remains. */
describe.runIf(IS_LONG)("a folder in which no file can grow beyond a limit", () => {
  const id = (number: number) => `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`;
  /** Four courses with small files, and a third one with a large file. */
  const courses = [1, 2, 3, 4, 5].map((number) =>
    course({
      id: id(number),
      slug: `course-${number}`,
      url: `https://academy.example/${number}`,
      long_description: number === 3 ? "A long text. ".repeat(10_000) : "Short.",
    }),
  );

  /** Runs `catalog` where each file can have that many KiB. */
  async function runWithin(
    size: number,
    line: string,
    options: Partial<ServedSandbox> & { readonly folder: string },
  ): Promise<ProcessResult> {
    const script = `ulimit -f ${size * 2}; exec catalog "$@"`;
    return await runScript(script, line.split(" "), options);
  }

  /** A folder with these files. */
  async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
    const folder = await newFolder();
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return folder;
  }

  function expectFailed({ code, stderr }: ProcessResult, exit: number): void {
    expect(stderr).not.toMatch(STACK);
    expect(stderr).toMatch(/^error: .*(EFBIG|file too large)/m);
    expect(code).toBe(exit);
  }

  test("pull at a write limit writes the files that fit and names the others", async () => {
    const folder = await newFolder();
    const ended = await runWithin(100, "courses pull out", { ...(await serve(courses)), folder });
    expectFailed(ended, 1);
    const files = await readFiles(folder);
    const [, big = ""] = /cannot write (out\/\S+): /.exec(ended.stderr) ?? [];
    expect([Object.keys(files).length, files[big]]).toEqual([4, undefined]);
    for (const text of Object.values(files)) expect(text).toMatch(COMPLETE);
    expect(ended.stderr).toContain("Courses in files: 4 written, 1 failed.");
  });

  test("rm and push --prune at a write limit delete and create nothing without an undo record", async () => {
    const served = await serve(courses);
    const before = { "new.json": JSON.stringify(numberedCourses(1)) };
    const folder = await folderOf(before);
    for (const line of [`rm --yes ${id(1)} ${id(2)}`, "push new.json --prune --yes"]) {
      expectFailed(await runWithin(0, `courses ${line}`, { ...served, folder }), 2);
      expect(await readFiles(folder)).toEqual(before);
    }
    expect(storedIds(served)).toEqual([1, 2, 3, 4, 5].map(id));
  });

  test("a push whose record cannot be continued ends there with exit 2, and undo reverses what it did", async () => {
    const served = await serve();
    const folder = await folderOf({ "new.json": JSON.stringify(numberedCourses(60)) });
    const ended = await runWithin(16, "courses push new.json", { ...served, folder });
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining("cannot write the record"),
    ]);
    const { length } = storedIds(served);
    expect(length).toBeGreaterThan(0);
    expect(ended.stderr).toContain(`Created ${length} courses. ${60 - length} were not sent`);
    // Every line is complete. Some of the recorded steps waited for their turn, and were not sent.
    const record = await readRecord(folder);
    const recorded = record.filter(({ action }) => action === "create").length;
    expect(recorded).toBeGreaterThanOrEqual(length);
    const undone = await runScript("catalog undo --yes", [], { ...served, folder });
    expect(undone).toMatchObject({ code: 0 });
    expect(storedIds(served)).toEqual([]);
  });
});
