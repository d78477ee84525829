import { expect, test } from "vitest";
import { type Rig, type RunOptions, type RunResult, rig } from "../rig.ts";
import { id, jsonErrors } from "./helpers.ts";

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

const WRONG: readonly Wrong[] = [
  usage("coarses ls", "coarses", 'Did you mean "catalog courses"?'),
  usage("courses lst", "lst", "Did you mean"),
  usage("courses help", "unknown command", '"catalog courses --help"'),
  usage("courses ls --limt 3", "--limt", "Did you mean --limit?"),
  usage("courses ls --frobnicate", "--frobnicate", "--help"),
  usage("courses ls extra"),
  usage("courses update", "missing <course|file>"),
  usage(`courses update ${id(1)} a.yaml b.yaml --name X`),
  ...["0", "1.5", "1e3", "99999999999999999999", ""].map((text) =>
    usage(`courses ls --limit ${text}`, "--limit"),
  ),
  usage("courses ls --offset -1", "--offset"),
  ...["0", "301", "soon", "Infinity"].map((text) =>
    usage(`courses ls --timeout ${text}`, "--timeout"),
  ),
  usage("courses ls --retries -1", "--retries"),
  usage("courses ls --concurrency 0", "--concurrency"),
  usage("courses ls --published yes", "--published", "true", "false"),
  ...["--jq .[]", "--query x"].map((flag) =>
    usage(`courses ls ${flag}`, "--fields id,name", "pipe the output of --json into jq"),
  ),
  usage("courses ls --json=id,name", "pass --json --fields id,name."),
  usage("courses ls --token x", "catalog login"),
  usage("courses ls -o jsno", "--output of courses ls must be table, ", 'not "jsno"', "ndjson"),
  usage("courses ls -o", "-o"),
  usage("courses ls --provider ", "--provider"),
  usage("courses ls --sort nmae", "nmae", 'Did you mean "name"?'),
  usage("courses ls --out courses.txt", "--out must end with"),
  usage("courses import a.csv --encoding klingon", "--encoding"),
  usage("login", "--with-key"),
  usage("courses get - -", "standard input"),
  { title: "a base URL that is no URL", ...lsWith(URL, "not a url"), code: 2, names: [URL] },
  { title: "an empty key", ...lsWith(KEY, ""), code: 4, names: [KEY] },
  { title: "a key that no header can contain", ...lsWith(KEY, "a\nb.c"), code: 2, names: [KEY] },
  file("an empty file", "a.yaml", "", 3, "a.yaml"),
  file("a file that is not JSON", "a.json", '{"name": "x",}', 3, "a.json:1:"),
  file("a binary file", "a.yaml", "\u0000\u0001\u0002", 3, "a.yaml:1:"),
  {
    title: "a broken config file",
    words: ["courses", "ls"],
    code: 2,
    names: [".catalogrc.json"],
    files: { ".catalogrc.json": "{" },
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

test("an error that catalog does not expect is called a bug, with the page that collects bugs", async () => {
  const r = await rig();
  r.shortcuts.set(r.sandbox.baseUrl, () => {
    throw new TypeError("boom");
  });
  const ran = await r.run("courses ls");
  expect([ran.code, ran.stdout]).toEqual([1, ""]);
  expect(ran.stderr).toMatch(
    /^error: this is a bug in catalog: boom\n {2}Report it with the output of --verbose\.\n$/,
  );
});

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

test.each(["courses ls --json id,name", `courses get ${id(1)} --json id,name`])(
  "catalog %s with fields after --json, in the style of gh, exits with 2 and advises --fields",
  async (line) => {
    const ran = await (await rig()).run(line);
    expect([ran.code, ran.requests]).toEqual([2, []]);
    const next = expect.stringMatching(/^To choose fields, pass --json --fields id,name\. /);
    expect(jsonErrors(ran)).toMatchObject([{ message: "--json takes no value", next }]);
  },
);
