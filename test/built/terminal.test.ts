/** Tables and confirmations on a terminal of a known width. */
import stringWidth from "string-width";
import { beforeEach, describe, expect, test } from "vitest";
import { someOf } from "../long.ts";
import { course } from "../rig.ts";
import {
  HAS_TERMINAL,
  linesOf,
  newFolder,
  numberedCourses,
  readRecords,
  type ServedSandbox,
  STACK,
  serve,
  startOnTerminal,
  storedIds,
} from "./rig.ts";

const NAMES = [
  "Knitting for Beginners",
  "编程入门：从零开始学习 Python 与数据分析",
  "データ構造とアルゴリズム",
  "자료구조와 알고리즘 입문",
  "👩‍👩‍👧‍👦 Family finance 🏳️‍🌈 for everyone 🇧🇷 and all the others",
  "การเขียนโปรแกรมภาษาซีพลัสพลัสเบื้องต้น",
  "מבוא לתכנות בפייתון",
  "Cafe\u0301 et pa\u0302tisserie",
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
const COLORS = /\u001b\[[\d;]*m/g;
const segmenter = new Intl.Segmenter();

/** The text in each column of a terminal's line; the second column of a wide character is empty. */
function cellsOf(line: string): string[] {
  return [...segmenter.segment(line)].flatMap(({ segment }) => {
    const width = stringWidth(segment);
    return [segment, ...Array<string>(Math.max(0, width - 1)).fill("")].slice(0, width);
  });
}

/** The columns in which the words of a header begin. */
function startsOf(header: string): number[] {
  return [...header.matchAll(/\S+/g)].map(({ index }) => index);
}

describe.skipIf(!HAS_TERMINAL)("a table on a terminal", () => {
  const courses = NAMES.map((name, index) =>
    course({
      name,
      url: `https://academy.example/${index}`,
      published: index % 2 === 0,
      approval_status: ["pending", "approved", "rejected"][index % 3],
    }),
  );

  test.each(someOf([60, 200], 1))(
    "a table with all scripts is aligned in %i columns, and complete if it fits",
    async (columns) => {
      const service = await serve(courses);
      const running = await startOnTerminal(["courses", "ls"], columns, {
        ...service,
        // On a busy machine the progress line may be drawn before the table.
        redirection: "2>/dev/null",
      });
      const { code, stdout } = await running.ended;
      expect(code).toBe(0);
      const all = linesOf(stdout.replace(COLORS, ""));
      const [header = "", ...lines] = all;
      expect(lines).toHaveLength(NAMES.length);

      for (const line of all) {
        expect(stringWidth(line)).toBeLessThanOrEqual(columns);
        expect(cellsOf(line)).toHaveLength(stringWidth(line));
      }
      const starts = startsOf(header);
      // On narrow terminals, the ids are left out.
      expect(starts).toHaveLength(columns < 80 ? 3 : 4);
      for (const line of lines) {
        const cells = cellsOf(line);
        for (const start of starts) {
          expect(cells[start], `column ${start} of ${line}`).toMatch(/\S/);
          expect(
            cells
              .slice(Math.max(0, start - 2), start)
              .join("")
              .trim(),
          ).toBe("");
        }
      }
      expect(stdout.includes("…")).toBe(columns === 60);
      if (columns === 60) return;
      for (const id of await storedIds(service)) expect(stdout).toContain(id);
      for (const name of NAMES) expect(stdout).toContain(name);
    },
  );
});

describe.skipIf(!HAS_TERMINAL)("the confirmation before courses are deleted", () => {
  let service: ServedSandbox;
  let ids: string[];
  let folder: string;

  beforeEach(async () => {
    service = await serve(numberedCourses(3));
    ids = await storedIds(service);
    folder = await newFolder();
  });

  async function ask(answer: string) {
    const words = ["courses", "rm", ids[0] ?? "", ids[1] ?? ""];
    const running = await startOnTerminal(words, 80, { ...service, folder });
    await running.waitForStdout(/\?.*Delete 2 courses[\s\S]*\(y\/N\)/);
    running.child.stdin?.write(answer);
    return await running.ended;
  }

  test("the confirmation of rm names the courses; yes records and deletes them", async () => {
    const ended = await ask("y\r");
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("Course 1");
    expect(ended.stdout).toContain("Course 2");
    expect(await storedIds(service)).toEqual([ids[2]]);
    const [record, ...others] = await readRecords(folder);
    expect(others).toEqual([]);
    expect(ended.stdout).toContain(`catalog undo ${record?.run}`);
    const deletions = record?.lines.filter(({ action }) => action === "delete") ?? [];
    expect(deletions.map(({ before }) => before)).toMatchObject(
      ids.slice(0, 2).map((id, index) => ({ ...numberedCourses(2)[index], id })),
    );
  });

  const INTERRUPTIONS = [
    ["Ctrl-C after a yes", "y\u0003", 130],
    ["Ctrl-C", "\u0003", 130],
    ["no answer", "\r", 2],
  ] as const;

  test.each(someOf(INTERRUPTIONS, 1))("rm deletes nothing after %s", async (_, answer, code) => {
    const ended = await ask(answer);
    expect(ended.code).toBe(code);
    expect(ended.stdout).not.toMatch(STACK);
    expect(ended.stdout.includes("Cancelled: nothing was changed.")).toBe(code === 2);
    expect(await storedIds(service)).toEqual(ids);
    expect(await readRecords(folder)).toEqual([]);
  });
});
