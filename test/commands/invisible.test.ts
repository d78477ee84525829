/** Names that look the same are shown differently before courses are changed or deleted. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  escapeControls,
  escapeField,
  escapeJson,
  escapeLine,
  escapeText,
} from "../../src/base/text.ts";
import { html } from "../../src/output/page/html.ts";
import { id, numberedCourse, rigWith } from "./helpers.ts";

describe("escapeLine", () => {
  test.each([
    ["a zero-width space", "a\u200bb", "a\\u200bb"],
    ["a soft hyphen", "a\u00adb", "a\\xadb"],
    ["a word joiner", "a\u2060b", "a\\u2060b"],
    ["a joiner between letters", "a\u200db", "a\\u200db"],
    ["tags", "a\u{e0041}\u{e007f}", "a\\u{e0041}\\u{e007f}"],
    ["a control character", "a\u001bb", "a\\x1bb"],
    ["an override", "a\u202eb", "a\\u202eb"],
  ])("escapeLine escapes %s", (_, name, shown) => {
    expect(escapeLine(name)).toBe(shown);
  });

  test.each([
    "\u{1f469}\u{1f3fd}\u200d\u{1f52c}",
    "\u2764\ufe0f\u200d\u{1f525}",
    "1\ufe0f\u20e3#\ufe0f\u20e3*\ufe0f\u20e3",
    "e\u0301",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0646",
    "\u0e01\u200b\u0e02",
  ])("escapeLine keeps %j", (name) => {
    expect(escapeLine(name)).toBe(name);
  });
});

/** Control characters of bidirectional text that show text in another order. */
const REORDERING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";
/** The marks that names in right-to-left scripts contain. */
const MARKS = "\u061c\u200e\u200f";
const MARKED_NAME = "network.py\u200e و C++\u200f \u061c1";

test.each([
  ["escapeLine", escapeLine],
  ["escapeText", escapeText],
  ["escapeField", escapeField],
  ["escapeControls", escapeControls],
  ["escapeJson", escapeJson],
])("%s keeps marks of direction and escapes what reorders text", (_, escapeFor) => {
  expect(escapeFor(`a${MARKS}b`)).toBe(`a${MARKS}b`);
  expect(escapeFor(REORDERING)).toBe(
    "\\u202a\\u202b\\u202c\\u202d\\u202e\\u2066\\u2067\\u2068\\u2069",
  );
});

test("pages keep marks of direction and show what reorders text as symbols", () => {
  expect(html`${MARKS}`.toString()).toBe(MARKS);
  expect(html`${REORDERING}`.toString()).toMatch(/^(?:\[U\+20[26][\dA-E]\]){9}$/);
});

test("marks of direction in a name are kept in tables, lines, plans, questions, files and reports", async () => {
  const r = await rigWith(numberedCourse(1, { name: MARKED_NAME }));
  const outputs = [
    (await r.run(["courses", "ls"], { terminal: true, columns: 100 })).stdout,
    (await r.run(["courses", "ls"])).stdout,
    (await r.run(["courses", "ls", "--json"])).stdout,
    (await r.run(["courses", "ls", "-o", "yaml"])).stdout,
    (await r.run(["courses", "get", id(1)], { terminal: true })).stdout,
    (await r.run(["courses", "rm", id(1)], { terminal: true, input: "n\n" })).stderr,
  ];
  await r.run(["courses", "pull", "out", "--format", "json"]);
  const [file = ""] = await readdir(join(r.folder, "out"));
  outputs.push(await readFile(join(r.folder, "out", file), "utf8"));
  await r.write("a.json", JSON.stringify(numberedCourse(1, { name: `${MARKED_NAME}2` })));
  const reports = ["markdown", "html"].flatMap((format) => ["--report", `${format}=${format}`]);
  outputs.push((await r.run(["courses", "diff", "a.json", ...reports])).stdout);
  for (const format of ["markdown", "html"]) {
    outputs.push(await readFile(join(r.folder, format), "utf8"));
  }
  for (const output of outputs) {
    expect(output).toContain("network.py\u200e");
    expect(output).toContain("\u061c1");
  }
});

describe("zero-width spaces in names", () => {
  const name = "Kni\u200btting";

  test("rm and push --prune show a zero-width space in the name of a course before they delete it", async () => {
    const r = await rigWith(numberedCourse(1, { name }), numberedCourse(2));
    const asked = await r.run(["courses", "rm", id(1)], { terminal: true, input: "n\n" });
    expect(asked.stderr).toContain("Kni\\u200btting");
    await r.write("a.json", JSON.stringify(numberedCourse(2)));
    const pruned = await r.run(["courses", "push", "a.json", "--prune", "--dry-run"]);
    expect(pruned.stderr).toContain("- Kni\\u200btting");
  });

  test("diff shows a zero-width space in a value", async () => {
    const r = await rigWith(numberedCourse(1, { name: "Knitting" }));
    await r.write("a.json", JSON.stringify(numberedCourse(1, { name })));
    const ran = await r.run(["courses", "diff", "a.json"]);
    expect(ran.stdout).toContain('name: "Knitting" → "Kni\\u200btting"');
  });

  test("ls prints a zero-width space in a name unchanged, as text and as JSON", async () => {
    const r = await rigWith(numberedCourse(1, { name }));
    expect((await r.run(["courses", "ls"])).stdout).toContain(name);
    expect((await r.run(["courses", "ls", "--json"])).stdout).toContain(name);
  });
});
