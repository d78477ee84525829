import { describe, expect, test } from "vitest";
import { type Rig, type RunOptions, type RunResult, rig } from "../rig.ts";
import { id, jsonErrors, numberedCourse } from "./helpers.ts";

/** Wrong input and the expected result. */
interface Wrong {
  readonly title: string;
  readonly words: readonly string[];
  readonly code: number;
  /** What the message names: the cause, and what to do. */
  readonly names: readonly string[];
  readonly options?: RunOptions;
  readonly files?: Readonly<Record<string, string>>;
}

function usage(line: string, ...names: string[]): Wrong {
  return { title: line, words: line.split(" "), code: 2, names };
}
const without = (...names: string[]): RunOptions => ({
  environment: Object.fromEntries(names.map((name) => [name, undefined])),
});
const KEY = "CATALOG_API_KEY";
const URL = "CATALOG_BASE_URL";
const lsWith = (name: string, value: string | undefined) => ({
  words: ["courses", "ls"],
  options: { environment: { [name]: value } },
});
const file = (title: string, name: string, text: string, code: number, ...names: string[]) => ({
  title,
  words: ["courses", "create", name],
  code,
  names,
  files: { [name]: text },
});

const TWICE = JSON.stringify(numberedCourse(1)).replace(/}$/, ',\n"name": "again"}');

const WRONG: readonly Wrong[] = [
  usage("coarses ls", "coarses", 'Did you mean "catalog courses"?'),
  usage("courses lst", "lst", "Did you mean"),
  usage("courses frobnicate", "frobnicate", "--help"),
  usage("courses ls --limt 3", "--limt", "Did you mean --limit?"),
  usage("courses ls --frobnicate", "--frobnicate", "--help"),
  usage("courses ls -z", "-z", "--help"),
  usage("courses ls extra"),
  usage("courses update", "missing required argument 'course|file'"),
  usage(`courses update ${id(1)} a.yaml b.yaml --name X`),
  ...["0", "-1", "1.5", "ten", "1e3", "0x10", "99999999999999999999", ""].map((text) => ({
    ...usage(`courses ls --limit ${text}`, "--limit"),
  })),
  ...["-1", "x", "1.5"].map((text) => usage(`courses ls --offset ${text}`, "--offset")),
  ...["0", "-1", "soon", "Infinity", "NaN"].map((text) =>
    usage(`courses ls --timeout ${text}`, "--timeout"),
  ),
  ...["-1", "1.5", "x"].map((text) => usage(`courses ls --retries ${text}`, "--retries")),
  ...["0", "-1", "x"].map((text) => usage(`courses ls --concurrency ${text}`, "--concurrency")),
  usage("courses ls --published yes", "--published", "true", "false"),
  usage("courses ls --published TRUE", "--published"),
  ...["--jq .[]", "--query x"].map((flag) =>
    usage(`courses ls ${flag}`, "--fields id,name", "pipe the output of --json into jq"),
  ),
  usage("courses ls --json=id,name", "pass --json --fields id,name."),
  usage("courses ls --filter x=y", "such as --name of courses ls", "jq"),
  usage("courses ls --token x", "catalog login"),
  usage("apply a.yaml", "unknown command", '"catalog courses push"'),
  usage("courses plan a.yaml", "unknown command", '"catalog courses diff"'),
  usage("courses ls -o jsno", "--output must be table, ", 'not "jsno"', "ndjson"),
  usage("courses ls -o", "-o"),
  usage("courses ls --id 12", "--id", "12"),
  usage("courses ls --provider ", "--provider"),
  usage("courses get - -", "standard input"),
  usage("courses publish  ", "id"),
  usage("courses check - -", "standard input"),
  usage("courses create -", "stdin"),
  usage("courses check -", "stdin"),
  usage("sandbox --port 99999", "--port"),
  usage("sandbox --fail 2", "--fail"),
  usage("sandbox --latency soon", "--latency"),
  { title: "a missing base URL", ...lsWith(URL, undefined), code: 2, names: [URL, "login"] },
  { title: "an empty base URL", ...lsWith(URL, "  "), code: 2, names: [URL] },
  { title: "a base URL that is no URL", ...lsWith(URL, "not a url"), code: 2, names: [URL] },
  { title: "a base URL of ftp", ...lsWith(URL, "ftp://127.0.0.1"), code: 2, names: [URL] },
  {
    title: "http to another machine",
    ...lsWith(URL, "http://catalog.example"),
    code: 2,
    names: ["http://catalog.example", "--insecure-http"],
  },
  { title: "a missing key", ...lsWith(KEY, undefined), code: 4, names: [KEY] },
  { title: "an empty key", ...lsWith(KEY, ""), code: 4, names: [KEY] },
  { title: "a key that no header can contain", ...lsWith(KEY, "a\nb.c"), code: 2, names: [KEY] },
  {
    title: "a missing base URL instead of a missing key",
    words: ["courses", "ls"],
    code: 2,
    names: [URL],
    options: without(URL, KEY),
  },
  {
    title: "a file that does not exist",
    words: ["courses", "create", "no.yaml"],
    code: 3,
    names: ["no.yaml"],
  },
  file("an empty file", "a.yaml", "", 2, "a.yaml"),
  file("a file with only whitespace", "a.yaml", " \n\n", 2, "a.yaml"),
  file("an empty JSON file", "a.json", "", 2, "a.json"),
  file("a file that is not YAML", "a.yaml", "name: [1, 2\nurl: }", 3, "a.yaml:"),
  file("a file that is not JSON", "a.json", '{"name": "x",}', 3, "a.json:1:"),
  file("a file that contains a string", "a.yaml", "hello\n", 3, "a.yaml:1:1"),
  file("a binary file", "a.yaml", "\u0000\u0001\u0002", 3, "a.yaml:1:"),
  file("a duplicate key", "a.json", TWICE, 3, "a.json:2:1", "name"),
  {
    title: "a folder without course files",
    words: ["courses", "check", "folder"],
    code: 2,
    names: ["folder"],
    files: { "folder/readme.md": "x" },
  },
  {
    title: "a broken config file",
    words: ["courses", "ls"],
    code: 2,
    names: [".catalogrc.json"],
    files: { ".catalogrc.json": "{" },
  },
  {
    title: "an unknown field of the config file",
    words: ["courses", "ls"],
    code: 2,
    names: [".catalogrc.json", "baseURL", 'Did you mean "baseUrl"?'],
    files: { ".catalogrc.json": '{"baseURL": "x"}' },
  },
  {
    title: "a config file that does not exist",
    words: ["courses", "ls", "--config", "nowhere.yaml"],
    code: 2,
    names: ["nowhere.yaml"],
  },
];

async function prepared({ files = {} }: Wrong): Promise<Rig> {
  const r = await rig();
  for (const [name, text] of Object.entries(files)) await r.write(name, text);
  return r;
}

/** Nothing on standard output, nothing sent, and a message without a stack trace. */
function expectCode(ran: RunResult, code: number): void {
  expect([ran.code, ran.stdout, ran.requests]).toEqual([code, "", []]);
  expect(ran.stderr).not.toMatch(/\n\s+at |undefined|\[object|this is a bug in catalog/);
}

describe("bad input", () => {
  test.each(WRONG)("catalog refuses $title in one paragraph or line of JSON", async (wrong) => {
    const r = await prepared(wrong);
    const ran = await r.run(wrong.words, wrong.options);
    expectCode(ran, wrong.code);
    expect(ran.stderr).toMatch(/^(\S+:\d+:\d+: )?error: \S/);
    // Followed by what a run says at its end.
    const message = ran.stderr.replace(/^1 error in 1 file; nothing was sent\.\n/m, "");
    expect(message.match(/^\S/gm)).toHaveLength(1);
    for (const name of wrong.names) expect(ran.stderr).toContain(name);
    const json = await r.run([...wrong.words, "--json"], wrong.options);
    expectCode(json, wrong.code);
    expect(jsonErrors(json)).toHaveLength(1);
    const [error] = jsonErrors(json);
    expect(error?.kind).toBe({ 2: "usage", 3: "file", 4: "auth" }[wrong.code]);
    expect(error?.message).toMatch(/\S/);
  });
});

test.each(["courses ls --json id,name", `courses get ${id(1)} --json id,name`])(
  "catalog %s with fields after --json, in the style of gh, exits with 2 and advises --fields",
  async (line) => {
    const ran = await (await rig()).run(line.split(" "));
    expect([ran.code, ran.requests]).toEqual([2, []]);
    const next = `To choose fields, pass --json --fields ${line.split(" ").at(-1)}.`;
    expect(jsonErrors(ran)).toMatchObject([{ message: "--json takes no value", next }]);
  },
);
