/** Names that look the same are shown differently before courses are changed or deleted. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { id, numberedCourse, rigWith } from "./helpers.ts";

const MARKED_NAME = "network.py\u200e و C++\u200f \u061c1";

test("marks of direction in a name are kept in tables, lines, plans, questions, files and reports", async () => {
  const r = await rigWith(numberedCourse(1, { name: MARKED_NAME }));
  const outputs = [
    (await r.run("courses ls", { terminal: true, columns: 100 })).stdout,
    (await r.run("courses ls")).stdout,
    (await r.run("courses ls --json")).stdout,
    (await r.run("courses ls -o yaml")).stdout,
    (await r.run(`courses get ${id(1)}`, { terminal: true })).stdout,
    (await r.run(`courses rm ${id(1)}`, { terminal: true, input: "n\n" })).stderr,
  ];
  await r.run("courses pull out --format json");
  const [file = ""] = await readdir(join(r.folder, "out"));
  outputs.push(await r.read(`out/${file}`));
  await r.write("a.json", numberedCourse(1, { name: `${MARKED_NAME}2` }));
  const reports = ["markdown", "html"].flatMap((format) => ["--report", `${format}=${format}`]);
  outputs.push((await r.run(["courses", "diff", "a.json", ...reports])).stdout);
  for (const format of ["markdown", "html"]) {
    outputs.push(await r.read(format));
  }
  for (const output of outputs) {
    expect(output).toContain("network.py\u200e");
    expect(output).toContain("\u061c1");
  }
});
