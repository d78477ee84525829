/** Wrong input is refused in one paragraph or one line of JSON, with its cause and what to do. */
import { expect, test } from "vitest";
import { type RunResult, rig } from "../rig.ts";
import { id, jsonErrors } from "./helpers.ts";

/** Environment variables, and the texts of files by their names. */
interface Given {
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** A command line, its exit code, what its message names, and what is given. */
type Wrong = [line: string, code: 2 | 3 | 4, named: string[], given?: Given];

const WRONG: readonly Wrong[] = [
  ["coarses ls", 2, ["coarses", 'Did you mean "catalog courses"?']],
  ["courses lst", 2, ['Did you mean "catalog courses ls"?']],
  ["courses help", 2, ["unknown command", '"catalog courses --help"']],
  ["courses ls --limt 3", 2, ["--limt", "Did you mean --limit?"]],
  ["courses ls --frobnicate", 2, ["--frobnicate", "--help"]],
  [`courses update ${id(1)} a.yaml b.yaml --name X`, 2, []],
  ...["0", "1.5", "1e3", "99999999999999999999", ""].map(
    (text): Wrong => [`courses ls --limit ${text}`, 2, ["--limit"]],
  ),
  ["courses ls --offset -1", 2, ["--offset"]],
  ...["0", "301", "soon", "Infinity"].map(
    (text): Wrong => [`courses ls --timeout ${text}`, 2, ["--timeout"]],
  ),
  ["courses ls --retries -1", 2, ["--retries"]],
  ["courses ls --concurrency 0", 2, ["--concurrency"]],
  ["courses ls --jq .[]", 2, ["--fields id,name", "pipe the output of --json into jq"]],
  ["courses ls --query x", 2, ["--fields id,name", "pipe the output of --json into jq"]],
  ["courses ls --json=id,name", 2, ["pass --json --fields id,name."]],
  ["courses ls --token x", 2, ["catalog login"]],
  ["courses ls -o jsno", 2, ["--output of courses ls must be table, ", "ndjson", 'not "jsno"']],
  ["courses ls --provider ", 2, ["--provider"]],
  ["courses ls --sort nmae", 2, ["nmae", 'Did you mean "name"?']],
  ["courses ls --out courses.txt", 2, ["--out must end with"]],
  ["courses import a.csv --encoding klingon", 2, ["--encoding"]],
  ["courses import - --out a.xlsx", 2, ["import cannot write .xlsx files such as a.xlsx"]],
  ["courses import - --out a.csv --format json", 2, ["--out a.csv", "--format json", "Omit"]],
  [
    "courses import - --out a --format csv",
    2,
    ["--format csv writes one file for all", "Pass the"],
  ],
  ["login", 2, ["--with-key"]],
  ["courses get - -", 2, ["standard input"]],
  ["courses ls", 2, ["CATALOG_BASE_URL"], { environment: { CATALOG_BASE_URL: "not a url" } }],
  ["courses ls", 4, ["CATALOG_API_KEY"], { environment: { CATALOG_API_KEY: "" } }],
  ["courses ls", 2, ["CATALOG_API_KEY"], { environment: { CATALOG_API_KEY: "a\nb.c" } }],
  ["courses ls", 2, [".catalogrc.json"], { files: { ".catalogrc.json": "{" } }],
  ["courses create a.yaml", 3, ["a.yaml"], { files: { "a.yaml": "" } }],
  ["courses create a.json", 3, ["a.json:1:"], { files: { "a.json": '{"name": "x",}' } }],
  ["courses create a.yaml", 3, ["a.yaml:1:"], { files: { "a.yaml": "\u0000\u0001\u0002" } }],
];

/** Nothing on standard output, nothing sent, and a message without a stack trace. */
function expectCode(ran: RunResult, code: number): void {
  expect([ran.code, ran.stdout, ran.requests]).toEqual([code, "", []]);
  expect(ran.stderr).not.toMatch(/\n\s+at |undefined|\[object|this is a bug in catalog/);
}

test.each(WRONG)(
  "catalog refuses %s with exit code %i in one paragraph or line of JSON",
  async (line, code, named, { environment = {}, files = {} } = {}) => {
    const r = await rig();
    for (const [name, text] of Object.entries(files)) await r.write(name, text);
    const ran = await r.run(line, { environment });
    expectCode(ran, code);
    expect(ran.stderr).toMatch(/^(\S+:\d+:\d+: )?error: \S/);
    // Followed by what a run says at its end.
    const message = ran.stderr.replace(/^1 error in 1 file; nothing was sent\.\n/m, "");
    expect(message.match(/^\S/gm)).toHaveLength(1);
    for (const name of named) expect(ran.stderr).toContain(name);
    const json = await r.run(`${line} --json`, { environment });
    expectCode(json, code);
    const kind = { 2: "usage", 3: "file", 4: "auth" }[code];
    expect(jsonErrors(json)).toMatchObject([{ kind, message: expect.stringMatching(/\S/) }]);
  },
);

test("catalog courses ls with fields after --json, in the style of gh, exits with 2 and advises --fields", async () => {
  const ran = await (await rig()).run("courses ls --json id,name");
  expect([ran.code, ran.requests]).toEqual([2, []]);
  const next = expect.stringMatching(/^To choose fields, pass --json --fields id,name\. /);
  expect(jsonErrors(ran)).toMatchObject([{ message: "--json takes no value", next }]);
});

test("an error that catalog does not expect is called a bug, with the page that collects bugs", async () => {
  const r = await rig();
  r.shortcuts.set(r.sandbox.baseUrl, () => {
    throw new TypeError("boom");
  });
  const ran = await r.run("courses ls");
  expect([ran.code, ran.stdout]).toEqual([1, ""]);
  expect(ran.stderr).toBe(
    "error: this is a bug in catalog: boom\n  Report it with the output of --verbose.\n",
  );
});
