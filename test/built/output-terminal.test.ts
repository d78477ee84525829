/** Output of the built program on real terminals; test/output tests other cases in this process. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import headless from "@xterm/headless";
import { describe, expect, test } from "vitest";
import {
  COURSES,
  expectBlocks,
  expectColors,
  expectTable,
  GET,
  LIST,
  type TerminalRun,
} from "../commands/terminal-output.ts";
import {
  HAS_TERMINAL,
  linesOf,
  newFolder,
  numberedCourses,
  type ServedSandbox,
  serve,
  startOnTerminal,
  storedIds,
  type Variables,
} from "./rig.ts";

/** Runs `catalog` with a terminal as standard output only. */
async function runWithTerminal(
  service: ServedSandbox,
  words: readonly string[],
  columns: number,
  variables: Variables,
): Promise<TerminalRun> {
  const folder = await newFolder();
  const environment = { ...service.environment, ...variables };
  const options = { environment, folder, redirection: "2>messages" };
  const { code, stdout } = await (await startOnTerminal(words, columns, options)).ended;
  const stderr = await readFile(join(folder, "messages"), "utf8");
  return { code, stdout: stdout.replaceAll("\r\n", "\n"), stderr };
}

describe.skipIf(!HAS_TERMINAL)("output on a terminal", () => {
  test("the built program uses the terminal's width, and colors unless NO_COLOR is set", async () => {
    const service = await serve(COURSES);
    const [table, blocks] = await Promise.all([
      runWithTerminal(service, LIST, 40, {}),
      runWithTerminal(service, GET, 200, { NO_COLOR: "1" }),
    ]);
    expectTable(table, 40);
    expectColors(table.stdout, true);
    expectBlocks(blocks, 200);
    expectColors(blocks.stdout, false);
  });
});

/** The lines on a terminal's screen after this output, up to the last with text. */
async function screenAfter(written: string, columns: number): Promise<string[]> {
  const terminal = new headless.Terminal({ cols: columns, rows: 24, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(written, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row));
  const texts = lines.map((line) => line?.translateToString(true) ?? "");
  return texts.slice(0, texts.findLastIndex((text) => text !== "") + 1);
}

async function deleteCourse({ environment }: ServedSandbox, which: string): Promise<void> {
  const { CATALOG_BASE_URL: baseUrl, CATALOG_API_KEY: key } = environment;
  const url = `${baseUrl}/developer/v1/courses?id=${which}`;
  const { status } = await fetch(url, { method: "DELETE", headers: { "x-api-key": key } });
  expect(status).toBe(204);
}

describe.skipIf(!HAS_TERMINAL)("progress", () => {
  test("the built program shows progress on one line, which it removes at the end", async () => {
    const slow = await serve(numberedCourses(250), { latency: 150 });
    const folder = await newFolder();
    const listing = await startOnTerminal(["courses", "ls", "--all"], 24, {
      ...slow,
      folder,
      redirection: ">data",
    });
    const service = await serve(numberedCourses(5), { latency: 100 });
    const ids = await storedIds(service);
    const writing = await startOnTerminal(
      ["courses", "unpublish", ...ids, "--concurrency", "1"],
      60,
      service,
    );
    await writing.waitForStdout(/Unpublishing/);
    // The last course is deleted after it was read, and before its turn comes.
    const deleted = ids.at(-1) ?? "";
    await deleteCourse(service, deleted);
    const [listed, wrote] = await Promise.all([listing.ended, writing.ended]);
    expect(listed.stdout).toContain("Reading courses");
    expect((await screenAfter(listed.stdout, 24)).join(" ")).toMatch(/^250 courses: /);
    expect(linesOf(await readFile(join(folder, "data"), "utf8"))).toHaveLength(250);

    expect(wrote.stdout).toContain("Unpublishing");
    const screen = await screenAfter(wrote.stdout, 60);
    expect(screen.filter((line) => line.includes("Unpublishing"))).toEqual([]);
    const text = screen.join("").replaceAll(/ +/g, " ");
    expect(text).toContain(`could not update course ${deleted}: no such course`);
    expect(screen.filter((line) => line.startsWith("error:"))).toHaveLength(1);
  });
});
