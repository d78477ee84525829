/** The program with streams that are closed from the start or during a run. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { IS_LONG, someOf } from "../long.ts";
import { readFiles } from "./disk.ts";
import {
  linesOf,
  newFolder,
  numberedCourses,
  readRecords,
  runScript,
  type ServedSandbox,
  STACK,
  serve,
  startCatalog,
  storedIds,
} from "./rig.ts";

const CLOSED = [
  ["standard input, output and error", "<&- >&- 2>&-"],
  ["standard error", "2>&-"],
] as const;

/** A folder with a file of two courses without ids. */
async function withFile(): Promise<string> {
  const folder = await newFolder();
  await mkdir(join(folder, "courses"));
  const [one, two] = numberedCourses(2);
  await writeFile(join(folder, "courses/one.yaml"), `# mine\n${JSON.stringify(one)}\n`);
  await writeFile(join(folder, "courses/two.json"), JSON.stringify(two));
  return folder;
}

/** Runs a script with `catalog` in the folder; the script's own output does not use the closed streams. */
async function runIn(folder: string, script: string, { environment }: ServedSandbox) {
  return await runScript(script, [], { folder, environment });
}

describe.each(someOf(CLOSED, 1))("closed %s", (_, closing) => {
  test("push, pull and check work with closed streams, and no file receives the output", async () => {
    const served = await serve();
    const folder = await withFile();
    const steps = [
      "push courses --write-ids --report sarif=report.json",
      "pull out -o ndjson",
      "check out",
    ];
    const script = steps.map((step) => `catalog courses ${step} ${closing} || exit 9`).join("\n");
    const ended = await runIn(folder, script, served);
    expect(ended.stderr).not.toMatch(STACK);
    expect(ended.code).toBe(0);
    const texts = await readFiles(folder);
    const [record, ...others] = await readRecords(folder);
    expect(others).toEqual([]);
    // The two course files, the report, the two files that were pulled, and the record of the push.
    expect(Object.keys(texts)).toHaveLength(6);
    expect(record?.lines.filter(({ action }) => action === "create")).toHaveLength(2);
    expect(record?.lines.filter(({ status }) => status === "done")).toHaveLength(2);
    expect(JSON.parse(texts["report.json"] ?? "")).toMatchObject({
      runs: [{ properties: { counts: { created: 2, errors: 0 } } }],
    });
    expect(texts["courses/one.yaml"]).toMatch(/^# mine\n\{.*"?id"?:.*\}\n$/);
    for (const [name, text] of Object.entries(texts)) {
      if (name.startsWith("out/")) expect(text).toMatch(/^id: [\s\S]*\nassignments: false\n$/);
    }
    expect(await storedIds(served)).toHaveLength(2);
  });
});

test("a closed standard input is read as empty: no key, no ids, no course", async () => {
  const served = await serve();
  const script = [
    "catalog login --with-key <&-; echo $?",
    "catalog courses publish - <&-; echo $?",
    "catalog courses create - <&-; echo $?",
  ].join("\n");
  const { stdout, stderr } = await runIn(await newFolder(), script, served);
  expect(linesOf(stdout)).toEqual(["2", "0", "2"]);
  expect(stderr).toContain("the API key from standard input is empty");
  expect(stderr).not.toMatch(STACK);
});

describe("closed pipes", () => {
  test("a pipe closed before the results does not stop pull, push and rm, which report it", async () => {
    const served = await serve(numberedCourses(20));
    const ids = await storedIds(served);
    const folder = await newFolder();
    await writeFile(join(folder, "new.json"), JSON.stringify(numberedCourses(40).slice(20)));
    for (const words of [
      ["pull", "out"],
      ["push", "new.json"],
      ["rm", "--yes", ...ids],
    ]) {
      const running = await startCatalog(["courses", ...words, "--json"], { ...served, folder });
      running.child.stdout?.destroy();
      const { code, stderr } = await running.ended;
      expect(stderr).not.toMatch(STACK);
      // The results are lost, so the run must fail.
      expect({ words, code }).toEqual({ words, code: 1 });
      expect(stderr).toContain('"message":"standard output was closed"');
    }
    expect(Object.keys(await readFiles(join(folder, "out")))).toHaveLength(20);
    const left = await storedIds(served);
    expect([left.length, left.some((id) => ids.includes(id))]).toEqual([20, false]);
    const [push, rm, ...others] = await readRecords(folder);
    expect(others).toEqual([]);
    expect(push?.lines.filter(({ action }) => action === "create")).toHaveLength(20);
    const deletions = rm?.lines.filter(({ action }) => action === "delete") ?? [];
    expect(deletions.map(({ before }) => (before as { id: string }).id)).toEqual(ids);
  });

  test.runIf(IS_LONG)("a closed pipe for messages does not stop or fail a push", async () => {
    const served = await serve();
    const folder = await withFile();
    const script = `{ catalog courses push courses --verbose 2>&1 >out; echo $? > code; } | :
      catalog courses diff courses --exit-code > diff`;
    const ended = await runIn(folder, script, served);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(await readFile(join(folder, "code"), "utf8")).toBe("0\n");
    expect(await storedIds(served)).toHaveLength(2);
  });
});
