/** The program with streams that are closed from the start. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { readFiles } from "./disk.ts";
import {
  linesOf,
  newFolder,
  numberedCourses,
  readRecords,
  runScript,
  STACK,
  serve,
  storedIds,
} from "./rig.ts";

test.runIf(IS_LONG)(
  "push, pull and check work with closed streams, and no file receives the output",
  async () => {
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
    const [record] = await readRecords(folder);
    expect(record?.lines.filter(({ status }) => status === "done")).toHaveLength(2);
    expect(JSON.parse(texts["report.json"] ?? "")).toMatchObject({ version: "2.1.0" });
    for (const [name, text] of Object.entries(texts)) {
      if (name.startsWith("out/")) expect(text).toMatch(/^id: [\s\S]*\nassignments: false\n$/);
    }
    expect(await storedIds(served)).toHaveLength(2);
  },
);

test.runIf(IS_LONG)(
  "a closed standard input is read as empty: no key, no ids, no course",
  async () => {
    const script = [
      "catalog login --with-key <&-; echo $?",
      "catalog courses publish - <&-; echo $?",
      "catalog courses create - <&-; echo $?",
    ].join("\n");
    const { stdout, stderr } = await runScript(script, [], await serve());
    expect(linesOf(stdout)).toEqual(["2", "0", "3"]);
    expect(stderr).toContain("the API key from standard input is empty");
    expect(stderr).not.toMatch(STACK);
  },
);
