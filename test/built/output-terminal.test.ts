/** What is printed on terminals of several widths and in pipes, as the environment asks (cli.md section 3). */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import headless from "@xterm/headless";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { course } from "../rig.ts";
import {
  ESCAPE,
  example,
  HAS_TERMINAL,
  linesOf,
  newFolder,
  numbered,
  runCatalog,
  type Served,
  type StartOptions,
  serve,
  startOnTerminal,
  type Variables,
} from "./rig.ts";

/** Text that would move the cursor, recolour, ring, reorder or forge lines, were it shown raw. */
const HOSTILE = "a\u001b[31mb\u001b]0;t\u0007\u009b2J\r\nc\td\u202ee\u2066f\u200eg\u2028h";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COLOURS = /\u001b\[[\d;]*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: hyperlinks begin with one
const LINKS = /\u001b\]8;;([^\u001b]*)\u001b\\/g;

const id = (number: number): string => `00000000-0000-4000-9000-00000000000${number}`;
const url = (number: number): string => `https://academy.example/a/long/way/to/course/${number}`;

const COURSES = [
  course({ id: id(1), url: url(1), name: "Knitting", approval_status: "approved" }),
  course({ id: id(2), url: url(2), name: HOSTILE, long_description: HOSTILE, published: false }),
  course({
    id: id(3),
    url: url(3),
    name: "编み物 👩‍👩‍👧‍👦 뜨개질 ".repeat(8),
    approval_status: "rejected",
  }),
  course({ id: id(4), url: url(4), name: "One more" }),
];
const THREE = ["--limit", "3"];

const VARIABLES: readonly Variables[] = [{}, { NO_COLOR: "1" }, { FORCE_COLOR: "1" }];

/** Data and messages of a run whose standard output is a terminal. */
async function shown(
  words: readonly string[],
  columns: number,
  options: StartOptions,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const folder = await newFolder();
  const redirection = "2>messages";
  const running = await startOnTerminal(words, columns, { ...options, folder, redirection });
  const { code, stdout } = await running.ended;
  const stderr = await readFile(join(folder, "messages"), "utf8");
  return { code, stdout: stdout.replaceAll("\r\n", "\n"), stderr };
}

function withVariables({ environment }: Served, variables: Variables): StartOptions {
  return { environment: { ...environment, ...variables } };
}

/** The lines as they are seen; nothing of them is wider than the terminal, or raw. */
function seen(text: string, columns: number): string[] {
  const lines = linesOf(text.replace(COLOURS, "").replace(LINKS, ""));
  for (const line of lines) {
    expect(line).not.toMatch(UNSAFE);
    expect(stringWidth(line), line).toBeLessThanOrEqual(columns);
  }
  return lines;
}

describe.skipIf(!HAS_TERMINAL)("on a terminal", () => {
  const CASES = [40, 80, 200].flatMap((columns) =>
    VARIABLES.map((variables) => [columns, variables] as const),
  );

  test.each(CASES)("of %i columns, with %j", async (columns, variables) => {
    const options = withVariables(await serve(COURSES), variables);
    const [table, blocks] = await Promise.all([
      shown(["courses", "ls", ...THREE], columns, options),
      shown(["courses", "get", id(1), id(2), id(3)], columns, options),
    ]);
    expect([table.code, blocks.code]).toEqual([0, 0]);

    const [header = "", ...rows] = seen(table.stdout, columns);
    expect(rows).toHaveLength(3);
    expect(header).toMatch(/^ID +NAME +PUB\S+ +APP\S+$/);
    const words = rows.map((row) => /[✓✗].*/.exec(row)?.[0].split(/ {2,}/));
    expect(words).toEqual([
      ["✓ yes", "approved"],
      ["✗ no", "● pending"],
      ["✓ yes", "rejected"],
    ]);
    for (const [index, row] of rows.entries()) {
      expect(row).toContain(id(index + 1).slice(0, columns < 60 ? 9 : undefined));
    }
    expect(table.stderr).toMatch(/^Shown: 3 courses\. .*\n$/);

    const block = seen(blocks.stdout, columns).join("\n");
    expect(block).toMatch(/^Knitting\nid\s+0+-/);
    expect(block).toMatch(/\npublished\s+✗ no\n/);
    expect(block).toMatch(/\napproval_status\s+● pending\n/);
    expect(block).toMatch(/\nlast_fetched_at\s+20\d\d-\d\d-\d\d \d\d:\d\d \+00:00 \(just now\)\n/);
    expect(block.replaceAll(/\n +/g, "")).toContain("a\\x1b[31mb\\x1b]0;t\\x07\\x9b2J");
    expect(blocks.stderr).toBe("");

    for (const { stdout } of [table, blocks]) {
      expect(stdout.includes(ESCAPE)).toBe(variables.NO_COLOR === undefined);
      expect(stdout.replace(COLOURS, "")).not.toContain(ESCAPE);
    }
  });

  test("that knows hyperlinks, addresses lead all the way, and NO_COLOR keeps them out", async () => {
    const words = ["courses", "ls", "--fields", "name,url,last_fetched_at", ...THREE];
    const service = await serve(COURSES);
    const terminal = { TERM_PROGRAM: "WezTerm" };
    const [linked, bare] = await Promise.all([
      shown(words, 60, withVariables(service, terminal)),
      shown(words, 60, withVariables(service, { ...terminal, NO_COLOR: "1" })),
    ]);
    const targets = [...linked.stdout.matchAll(LINKS)].map(([, target]) => target);
    expect(targets).toEqual([url(1), "", url(2), "", url(3), ""]);
    expect(seen(linked.stdout, 60)).toEqual(seen(bare.stdout, 60));
    expect(bare.stdout).not.toContain(ESCAPE);
    expect(seen(bare.stdout, 60)[1]).toMatch(/^Knitting +https:\S+… +just now$/);
  });

  test("nothing to show is nothing on stdout, and a failure is a row and a message", async () => {
    const service = withVariables(await serve(COURSES), { NO_COLOR: "1" });
    const [none, failed, checked] = await Promise.all([
      shown(["courses", "ls", "--name", "nowhere"], 80, service),
      shown(["courses", "publish", id(9), id(1), "-o", "table"], 80, service),
      shown(["courses", "check", example("broken.yaml"), "-o", "table"], 80, service),
    ]);
    expect(none).toEqual({ code: 0, stdout: "", stderr: "No courses.\n" });
    expect(failed.code).toBe(5);
    expect(seen(failed.stdout, 80).map((line) => line.split(/ {2,}/))).toEqual([
      ["ID", "ACTION", "STATUS", "ERROR"],
      [id(9), "update", "failed", expect.stringMatching(/^could not update .*…$/)],
      [id(1), "update", "done", "–"],
    ]);
    expect(failed.stderr).toMatch(/^error: could not update .*\n.*\nPublished 1 course\.\n$/);
    expect(checked.code).toBe(3);
    expect(seen(checked.stdout, 80)).toHaveLength(7);
    expect(checked.stderr).toBe("6 errors in 1 of 1 file.\n");
  });
});

/** The lines of a terminal's screen after all that was written to it, up to the last with text. */
async function screenAfter(written: string, columns: number): Promise<string[]> {
  const terminal = new headless.Terminal({ cols: columns, rows: 24, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(written, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row));
  const texts = lines.map((line) => line?.translateToString(true) ?? "");
  return texts.slice(0, texts.findLastIndex((text) => text !== "") + 1);
}

describe.skipIf(!HAS_TERMINAL)("progress", () => {
  test("stands on one line, and leaves none behind", async () => {
    const slow = await serve(numbered(250), { latency: 150 });
    const folder = await newFolder();
    const listing = await startOnTerminal(["courses", "ls", "--all"], 24, {
      ...slow,
      folder,
      redirection: ">data",
    });
    const ids = [id(7), id(8), id(9)];
    const writing = await startOnTerminal(
      ["courses", "publish", ...ids, "--concurrency", "1"],
      60,
      await serve([], { latency: 150 }),
    );
    const [listed, wrote] = await Promise.all([listing.ended, writing.ended]);
    expect(listed.stdout).toContain("Reading courses");
    expect(await screenAfter(listed.stdout, 24)).toEqual([]);
    expect(linesOf(await readFile(join(folder, "data"), "utf8"))).toHaveLength(250);

    expect(wrote.stdout).toContain("Publishing");
    const screen = await screenAfter(wrote.stdout, 60);
    expect(screen.filter((line) => line.includes("Publishing"))).toEqual([]);
    const whole = screen.join("").replaceAll(/ +/g, " ");
    for (const each of ids) expect(whole).toContain(`could not update course ${each}: no such`);
    expect(screen.filter((line) => line.startsWith("error:"))).toHaveLength(3);
  });
});

describe("in a pipe", () => {
  test.each(VARIABLES)("with %j", async (variables) => {
    const options = withVariables(await serve(COURSES), variables);
    const [lines, table, json] = await Promise.all([
      runCatalog(["courses", "ls", ...THREE], options),
      runCatalog(["courses", "ls", ...THREE, "-o", "table"], options),
      runCatalog(["courses", "get", id(2)], options),
    ]);
    const names = COURSES.slice(0, 3).map(({ name }) => String(name));
    const escapes: Readonly<Record<string, string>> = { "\t": "\\t", "\r": "\\r", "\n": "\\n" };
    const cells = names.map((name) => name.replace(/[\t\r\n]/g, (sign) => escapes[sign] ?? ""));
    expect(lines.stdout.split("\n").map((line) => line.split("\t")[1])).toEqual([
      ...cells,
      undefined,
    ]);
    expect(lines.stdout).toContain("\tfalse\tpending\n");
    expect(lines.stderr).toMatch(/^Shown: 3 courses\. .*\n$/);

    expect(seen(table.stdout, Number.POSITIVE_INFINITY)[3]).toContain(names[2]);
    expect(table.stdout.includes(ESCAPE)).toBe(variables.FORCE_COLOR !== undefined);
    expect(table.stdout.replace(COLOURS, "")).not.toContain(ESCAPE);
    expect(table.stderr).toBe(lines.stderr);

    expect(json.stdout).not.toContain(ESCAPE);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ...COURSES[1],
      last_fetched_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(json.stderr).toBe("");
  });
});
