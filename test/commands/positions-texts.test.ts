/** `courses check` reports the exact position of each problem in files written by hand. */
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/files/diagnostic.ts";
import { loadCourses } from "../../src/files/load.ts";
import { type Rig, rig } from "../rig.ts";
import { type Finding, parseReport } from "./check-files.ts";
import type { PositionCase } from "./position-case.ts";
import { CSV_CASES } from "./position-cases-csv.ts";
import { RULE_CASES } from "./position-cases-rules.ts";
import { SYNTAX_CASES } from "./position-cases-syntax.ts";
import { YAML_CASES } from "./position-cases-yaml.ts";

/** The problems of a file, including those of missing fields: most of these files are too short for a course. */
async function load({ file, text }: PositionCase, r: Rig): Promise<Diagnostic[]> {
  await r.write(file, text);
  const options = {
    folder: r.folder,
    environment: {},
    input: { stream: Readable.from([]) },
    mode: "patch",
  } as const;
  const found: Diagnostic[] = [];
  for await (const { diagnostics } of loadCourses([file], options)) found.push(...diagnostics);
  return found;
}

const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";

/** The messages of the problems that break a rule. */
async function messagesOf(r: Rig, rule: string, ...files: readonly string[]): Promise<unknown[]> {
  const ran = await r.run(["courses", "check", ...files, "-o", "json"]);
  const found = parseReport(ran).problems.filter((diagnostic) => diagnostic.rule === rule);
  return found.map(({ message }) => message);
}

/** Whether a problem only reports a field that the file omits. */
function isLeftOut({ rule, path }: Diagnostic, { text }: PositionCase): boolean {
  const [field, ...rest] = path;
  return rule === "required" && rest.length === 0 && !String(text).includes(String(field));
}

/** Formats a problem like the expected problem: with its end, without its end, or only by its line. */
function formatFinding(
  {
    line,
    column,
    endLine,
    endColumn,
    rule,
  }: Omit<Finding, "file" | "severity" | "message" | "path" | "suggestion">,
  like = "",
): string {
  const [position = ""] = like.split(" ");
  if (/^\d+$/.test(position)) return `${line} ${rule}`;
  const end = /^\d+:\d+$/.test(position) ? "" : `-${endLine}:${endColumn}`;
  return `${line}:${column}${end} ${rule}`;
}

async function findsOf(entry: PositionCase, r: Rig): Promise<string[]> {
  const found = (await load(entry, r)).filter((finding) => !isLeftOut(finding, entry));
  return found.map((finding, index) => formatFinding(finding, entry.finds[index]));
}

test.each([
  ["syntax errors", SYNTAX_CASES],
  ["problems in YAML", YAML_CASES],
  ["problems in CSV, by cell or column", CSV_CASES],
  ["problems of several keys and courses", RULE_CASES],
])("check reports the positions of %s", async (_, cases) => {
  const r = await rig();
  const found: unknown[] = [];
  for (const entry of cases) found.push({ title: entry.title, finds: await findsOf(entry, r) });
  expect(found).toEqual(cases.map(({ title, finds }) => ({ title, finds })));
});

describe("duplicates", () => {
  test("check names the file and line of the first course with a duplicate id or url", async () => {
    const r = await rig();
    const url = "https://academy.example/編み物";
    await r.write("a.yaml", `- {name: 編み物, pace: x}\n- {name: 🧶, url: "${url}"}\n`);
    await r.write(
      "b.json",
      `\ufeff[{"id": "${ID}", "pace": "x"},\r\n\t{"pace": "x", "url": "${url}"}]`,
    );
    await r.write("c.yaml", `url: ${url}\npace: x\n---\nid: ${ID}\npace: x\n`);
    const files = ["a.yaml", "b.json", "c.yaml"];
    expect(await messagesOf(r, "duplicate-url", ...files)).toEqual([
      expect.stringMatching(/\ba\.yaml:2$/),
      expect.stringMatching(/\ba\.yaml:2$/),
    ]);
    expect(await messagesOf(r, "duplicate-id", ...files)).toEqual([
      expect.stringMatching(/\bb\.json:1$/),
    ]);
  });
});

test("check reports an empty cell of a required field at the cell", async () => {
  const r = await rig();
  await r.write("a.csv", "pace,name\nself_paced,\nself_paced,B\n");
  const ran = await r.run(["courses", "check", "a.csv", "-o", "json"]);
  const found = parseReport(ran).problems.filter(({ path }) => path[0] === "name");
  expect(found.map((each) => formatFinding(each))).toEqual(["2:12-2:12 required"]);
});

test("check explains a merge key with what YAML 1.2 makes of it", async () => {
  const r = await rig();
  await r.write("a.yaml", "prices:\n  - <<: {}\n<<: {}\nname: A\n");
  const merge = expect.stringMatching(/<<.*YAML 1\.2.*merge/);
  expect(await messagesOf(r, "unknown-key", "a.yaml")).toEqual([merge, merge]);
});

describe("standard input", () => {
  test.each([
    ["JSON", '{"pace": "slow", "audio": ["en"]}', "1:10-1:16 choice"],
    ["broken JSON that is YAML", "{pace: slow, audio: [en]}", "1:8-1:12 choice"],
    ["invalid YAML that begins like JSON", '{"name": "A",\n "audio": ["en"}', "2:16 syntax"],
    ["YAML", "# how\npace: slow\naudio: [en]\n", "2:7-2:11 choice"],
  ])("check - reports the position of a problem in %s", async (_, input, find) => {
    const ran = await (await rig()).run(["courses", "check", "-", "-o", "json"], { input });
    const [finding] = parseReport(ran).problems.filter(({ rule }) => rule !== "required");
    expect(finding && formatFinding(finding, find)).toBe(find);
  });
});
