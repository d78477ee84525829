/** The program on a full disk: existing files stay complete, and no partial file remains. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { IS_LONG } from "../long.ts";
import { course } from "../rig.ts";
import { type FullFolder, readFiles, WRITE_LIMITS } from "./disk.ts";
import {
  example,
  newFile,
  numberedCourses,
  readRecords,
  runScript,
  STACK,
  serve,
  storedIds,
} from "./rig.ts";

const BIG = "A long text. ".repeat(10_000);
const id = (number: number): string =>
  `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`;

/** Four courses with small files, and a third one with a large file. */
const COURSES = [1, 2, 3, 4, 5].map((number) =>
  course({
    id: id(number),
    slug: `course-${number}`,
    url: `https://academy.example/${number}`,
    long_description: number === 3 ? BIG : "Short.",
  }),
);

async function put({ folder }: FullFolder, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** A full disk if this machine allows a test to have one, or else a limit; both in long runs. */
const AVAILABLE = WRITE_LIMITS.filter(({ isAvailable }) => isAvailable);
const LIMITS = IS_LONG ? AVAILABLE : AVAILABLE.slice(0, 1);

describe.each(LIMITS)("$name", ({ code, make }) => {
  const reason = code === "EFBIG" ? "file too large" : "no space left on device";
  /** Expects a failed run with the reason, and exactly these files in the folder. */
  const expectFailed = async (
    cramped: FullFolder,
    ended: { code: number | null; stderr: string },
    after: Readonly<Record<string, string>>,
    exit = 1,
  ): Promise<void> => {
    expect(ended.stderr).not.toMatch(STACK);
    expect(ended.stderr).toMatch(new RegExp(`^(error: |\\{"error").*(${code}|${reason})`, "m"));
    expect(ended.code).toBe(exit);
    expect(await readFiles(cramped.folder)).toEqual(after);
  };

  test("pull at a write limit writes the files that fit and names the others", async () => {
    const cramped = await make();
    const { environment } = await serve(COURSES);
    cramped.fill(100);
    const ended = await cramped.run(["courses", "pull", "out"], { environment });
    const files = await readFiles(cramped.folder);
    const [, big = ""] = /cannot write (out\/\S+): /.exec(ended.stderr) ?? [];
    await expectFailed(cramped, ended, files);
    expect(Object.keys(files)).toHaveLength(4);
    expect(files[big]).toBeUndefined();
    for (const text of Object.values(files)) expect(text).toMatch(/\nassignments: false\n$/);
    expect(ended.stderr).toContain("Wrote 4 files. 1 course failed.");
  });

  test.runIf(IS_LONG)("pull --force at a write limit keeps a file it cannot replace", async () => {
    const cramped = await make();
    const { environment } = await serve(COURSES);
    await cramped.run(["courses", "pull", "out"], { environment });
    const before = await readFiles(cramped.folder);
    const edited = (text: string): string =>
      text.replace(/^name: .*/m, "name: Mine").replace(BIG.trim(), "Short.");
    const mine = Object.fromEntries(
      Object.entries(before).map(([name, text]) => [name, edited(text)]),
    );
    await put(cramped, mine);
    cramped.fill(100);
    const ended = await cramped.run(["courses", "pull", "out", "--force"], { environment });
    const [, big = ""] = /cannot write (out\/\S+): /.exec(ended.stderr) ?? [];
    expect(mine[big]).toContain("Short.");
    await expectFailed(cramped, ended, { ...before, [big]: mine[big] ?? "" });
  });

  test.runIf(IS_LONG)("login at a write limit keeps the saved config or saves none", async () => {
    const { environment } = await serve();
    const words = ["login", "--with-key", "--base-url", environment.CATALOG_BASE_URL];
    const saved = '{"baseUrl": "http://127.0.0.1:1", "apiKey": "one.of-before-this"}\n';
    for (const before of [{}, { ".config/catalog/config.json": saved }]) {
      const cramped = await make();
      await put(cramped, before);
      cramped.fill();
      const ended = await cramped.run(words, { input: DEFAULT_KEY });
      await expectFailed(cramped, ended, before);
    }
  });

  test("push --write-ids at a write limit leaves the files unchanged and says what lists the ids", async () => {
    const cramped = await make();
    const served = await serve();
    const [one, two] = numberedCourses(2);
    const yaml = `# mine\n${JSON.stringify(one)}\n`;
    await put(cramped, { "one.yaml": yaml, "two.json": JSON.stringify(two) });
    const before = await readFiles(cramped.folder);
    cramped.fill();
    const words = ["courses", "push", ".", "--write-ids", "--no-record"];
    const ended = await cramped.run(words, served);
    await expectFailed(cramped, ended, before);
    expect(await storedIds(served)).toHaveLength(2);
    expect(ended.stderr).toContain('"catalog courses ls" lists them');
  });

  test("check at a write limit leaves an existing report and the summary of a step unchanged", async () => {
    const cramped = await make();
    const text = JSON.stringify(COURSES[0]);
    // A few bytes fit on the disk, and must be removed.
    const almostAPage = "# Before\n".padEnd(4090, "x");
    await put(cramped, { "a.json": text, "old.xml": "<old/>", "summary.md": almostAPage });
    const before = await readFiles(cramped.folder);
    cramped.fill();
    const reports = ["sarif=new.json", "junit=old.xml", "markdown=summary.md"];
    const words = [
      "courses",
      "check",
      "a.json",
      ...reports.flatMap((report) => ["--report", report]),
    ];
    const environment = { GITHUB_STEP_SUMMARY: join(cramped.folder, "summary.md") };
    const ended = await cramped.run(words, { environment });
    await expectFailed(cramped, ended, before);
    for (const report of ["new.json", "old.xml", "summary.md"]) {
      expect(ended.stderr).toContain(`cannot write ${report}: ${reason}`);
    }
  });

  test("rm and push --prune at a write limit delete and create nothing without an undo record", async () => {
    const cramped = await make();
    const served = await serve(COURSES);
    await put(cramped, { "new.json": JSON.stringify(numberedCourses(1)) });
    const before = await readFiles(cramped.folder);
    cramped.fill();
    for (const words of [
      ["rm", "--yes", id(1), id(2)],
      ["push", "new.json", "--prune", "--yes"],
    ]) {
      const ended = await cramped.run(["courses", ...words], served);
      await expectFailed(cramped, ended, before, 2);
    }
    expect(await storedIds(served)).toEqual([1, 2, 3, 4, 5].map(id));
  });

  test("a push whose record cannot be continued ends there with exit 2, and undo reverses what it did", async () => {
    const cramped = await make();
    const served = await serve();
    await put(cramped, { "new.json": JSON.stringify(numberedCourses(60)) });
    cramped.fill(16);
    const ended = await cramped.run(["courses", "push", "new.json"], served);
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining("cannot write the record"),
    ]);
    const created = await storedIds(served);
    expect(created.length).toBeGreaterThan(0);
    expect(ended.stderr).toContain(
      `Created ${created.length} courses. ${60 - created.length} were not sent`,
    );
    // Nothing was appended after the failure, and every line is complete.
    const [record] = await readRecords(cramped.folder);
    expect(record?.lines.filter(({ action }) => action === "create").length).toBe(created.length);
    cramped.empty();
    expect(await cramped.run(["undo", "--yes"], served)).toMatchObject({ code: 0 });
    expect(await storedIds(served)).toEqual([]);
  });

  test.runIf(code === "ENOSPC")("pull of many courses on a full disk is one error", async () => {
    const cramped = await make();
    const { environment } = await serve(COURSES);
    cramped.fill();
    const ended = await cramped.run(["courses", "pull", "out"], { environment });
    expect([ended.code, ended.stderr.match(/^error: /gm)?.length]).toEqual([1, 1]);
    expect(ended.stderr).toContain("5 courses failed.");
  });

  test.runIf(IS_LONG)("init at a write limit leaves no partial file", async () => {
    const cramped = await make();
    cramped.fill();
    await expectFailed(cramped, await cramped.run(["courses", "init", "a.yaml"]), {});
  });
});

describe.skipIf(!existsSync("/dev/full"))("a full standard output", () => {
  test.runIf(IS_LONG)(
    "a full standard output is an error with a message for every command, and the work is done",
    async () => {
      const served = await serve(COURSES);
      const file = await newFile(
        "new.json",
        JSON.stringify([...COURSES.slice(1), ...numberedCourses(1)]),
      );
      const reading = [
        `courses get ${id(1)}`,
        "status --json",
        `courses check ${example("one.yaml")} --json`,
      ];
      const writing = [
        "courses pull out --json",
        `courses push ${file} --json`,
        `courses rm ${id(1)} --yes --json`,
      ];
      const run = async (words: string): Promise<void> => {
        const ended = await runScript("catalog $1 > /dev/full", [words], served);
        expect(ended.stderr).not.toMatch(STACK);
        expect({
          words,
          code: ended.code,
          isReported: /error.*no space left/.test(ended.stderr),
        }).toEqual({
          words,
          code: 1,
          isReported: true,
        });
      };
      await Promise.all(reading.map(run));
      for (const words of writing) await run(words);
      const ids = await storedIds(served);
      expect([ids.length, ids.includes(id(1))]).toEqual([5, false]);
    },
  );
});
