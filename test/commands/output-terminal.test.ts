/** The output of commands on terminals of several widths and in pipes. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { RunOptions } from "../rig.ts";
import { id, lines, numberedCourse, ownLines, rigWith } from "./helpers.ts";
import {
  COURSES,
  expectBlocks,
  expectColors,
  expectLines,
  expectTable,
  GET,
  LIST,
  runOnTerminal,
  visibleLines,
} from "./terminal-output.ts";

const BROKEN = fileURLToPath(new URL("../../examples/broken.yaml", import.meta.url));

const VARIABLES: readonly NonNullable<RunOptions["environment"]>[] = [
  {},
  { NO_COLOR: "1" },
  { FORCE_COLOR: "1" },
];

describe("on a terminal", () => {
  const CASES = [40, 80, 200].flatMap((columns) =>
    VARIABLES.map((variables) => [columns, variables] as const),
  );

  test.each(CASES)("ls and get fit a terminal of %i columns (%j)", async (columns, variables) => {
    const r = await rigWith(...COURSES);
    const table = await runOnTerminal(r, LIST, columns, variables);
    const blocks = await runOnTerminal(r, GET, columns, variables);
    expectTable(table, columns);
    expectBlocks(blocks, columns);
    for (const { stdout } of [table, blocks]) {
      expectColors(stdout, variables.NO_COLOR === undefined);
    }
  });

  test("push ends with the number of errors on a terminal and in a log if it refuses the files", async () => {
    const r = await rigWith();
    const words = ["courses", "push", BROKEN];
    const shown = await r.run(words, { terminal: true });
    expect(shown.code).toBe(3);
    const end = "6 errors in 1 file; nothing was sent.";
    expect(shown.stderr).toMatch(new RegExp(`\\n\\n${end}\\n$`));
    const logged = await r.run(words);
    expect(lines(logged.stderr)).toHaveLength(7);
    expect(lines(logged.stderr).at(-1)).toBe(end);
  });

  test("commands print nothing if there are no results, and a row and a message for a failure", async () => {
    const r = await rigWith(...COURSES);
    const plain = { NO_COLOR: "1" };
    const none = await runOnTerminal(r, ["courses", "ls", "--name", "nowhere"], 80, plain);
    expect(none).toEqual({ code: 0, stdout: "", stderr: "No course matches --name.\n" });
    await r.write("two.json", JSON.stringify([numberedCourse(1), numberedCourse(9)]));
    const failed = await runOnTerminal(
      r,
      ["courses", "create", "two.json", "-o", "table"],
      160,
      plain,
    );
    expect(failed.code).toBe(1);
    expect(visibleLines(failed.stdout, 160).map((line) => line.split(/ {2,}/))).toEqual([
      ["NAME", "FILE", "ACTION", "STATUS", "ERROR", "ID"],
      [
        ...["Course 1", "two.json", "create", "failed"],
        expect.stringMatching(/^a course with this id exists/),
        id(1),
      ],
      ["Course 9", "two.json", "create", "done", "–", id(9)],
    ]);
    expect(ownLines(failed.stderr)).toEqual([
      expect.stringMatching(/^two\.json:1:\d+: error: a course with this id exists/),
      "Created 1 course. 1 failed.",
    ]);
  });
});

describe("in a pipe", () => {
  test.each(VARIABLES)("ls and get color a pipe only if forced: %j", async (environment) => {
    const r = await rigWith(...COURSES);
    const lines = await r.run(LIST, { environment });
    expectLines(lines);

    const table = await r.run([...LIST, "-o", "table"], { environment });
    expect(visibleLines(table.stdout, Number.POSITIVE_INFINITY)[3]).toContain(COURSES[2]?.name);
    expectColors(table.stdout, environment.FORCE_COLOR !== undefined);
    expect(table.stderr).toBe(lines.stderr);

    const json = await r.run(["courses", "get", id(2)], { environment });
    expectColors(json.stdout, false);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ...COURSES[1],
      last_fetched_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(json.stderr).toBe("");
  });
});
