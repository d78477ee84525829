/** Wrong input is refused in one paragraph or one line of JSON, with its cause and what to do. */
import { expect, test } from "vitest";
import { type RunOptions, type RunResult, rig } from "../rig.ts";
import { id, jsonErrors } from "./helpers.ts";

/** Wrong input, the exit code, and what the message names: the cause, and what to do. */
interface Wrong {
  readonly title: string;
  readonly line: string;
  readonly code: 2 | 3 | 4;
  readonly names: readonly string[];
  readonly environment?: RunOptions["environment"];
  /** The text of a file, by its name. */
  readonly files?: Readonly<Record<string, string>>;
}

function usage(line: string, ...names: string[]): Wrong {
  return { title: line, line, code: 2, names };
}

function set(name: string, value: string, code: 2 | 4): Wrong {
  const environment = { [name]: value };
  return { title: `${name}=${value}`, line: "courses ls", code, names: [name], environment };
}

function file(title: string, name: string, text: string, place: string): Wrong {
  const files = { [name]: text };
  return { title, line: `courses create ${name}`, code: 3, names: [place], files };
}

const WRONG: readonly Wrong[] = [
  usage("coarses ls", "coarses", 'Did you mean "catalog courses"?'),
  usage("courses lst", 'Did you mean "catalog courses ls"?'),
  usage("courses help", "unknown command", '"catalog courses --help"'),
  usage("courses ls --limt 3", "--limt", "Did you mean --limit?"),
  usage("courses ls --frobnicate", "--frobnicate", "--help"),
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
  usage("courses ls --jq .[]", "--fields id,name", "pipe the output of --json into jq"),
  usage("courses ls --query x", "--fields id,name", "pipe the output of --json into jq"),
  usage("courses ls --json=id,name", "pass --json --fields id,name."),
  usage("courses ls --token x", "catalog login"),
  usage("courses ls -o jsno", "--output of courses ls must be table, ", 'not "jsno"', "ndjson"),
  usage("courses ls -o", "-o"),
  usage("courses ls --provider ", "--provider"),
  usage("courses ls --sort nmae", "nmae", 'Did you mean "name"?'),
  usage("courses ls --out courses.txt", "--out must end with"),
  usage("courses import a.csv --encoding klingon", "--encoding"),
  usage("courses import - --out a.xlsx", "import cannot write .xlsx files such as a.xlsx"),
  usage("courses import - --out a.csv --format json", "--format json", "--out a.csv", "Omit"),
  usage(
    "courses import - --out a --format csv",
    "--format csv writes one file for all",
    "Pass the",
  ),
  usage("login", "--with-key"),
  usage("courses get - -", "standard input"),
  set("CATALOG_BASE_URL", "not a url", 2),
  set("CATALOG_API_KEY", "", 4),
  set("CATALOG_API_KEY", "a\nb.c", 2),
  file("an empty file", "a.yaml", "", "a.yaml"),
  file("a file that is not JSON", "a.json", '{"name": "x",}', "a.json:1:"),
  file("a binary file", "a.yaml", "\u0000\u0001\u0002", "a.yaml:1:"),
  { ...usage("courses ls", ".catalogrc.json"), files: { ".catalogrc.json": "{" } },
];

/** Nothing on standard output, nothing sent, and a message without a stack trace. */
function expectCode(ran: RunResult, code: number): void {
  expect([ran.code, ran.stdout, ran.requests]).toEqual([code, "", []]);
  expect(ran.stderr).not.toMatch(/\n\s+at |undefined|\[object|this is a bug in catalog/);
}

test.each(WRONG)(
  "catalog refuses $title in one paragraph or line of JSON",
  async ({ line, code, names, environment = {}, files = {} }) => {
    const r = await rig();
    for (const [name, text] of Object.entries(files)) await r.write(name, text);
    const ran = await r.run(line, { environment });
    expectCode(ran, code);
    expect(ran.stderr).toMatch(/^(\S+:\d+:\d+: )?error: \S/);
    // Followed by what a run says at its end.
    const message = ran.stderr.replace(/^1 error in 1 file; nothing was sent\.\n/m, "");
    expect(message.match(/^\S/gm)).toHaveLength(1);
    for (const name of names) expect(ran.stderr).toContain(name);
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
