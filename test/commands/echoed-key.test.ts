/** An API key that the service echoes is masked in messages, errors, reports, tables and blocks; data stays as it is. */
import { describe, expect, test } from "vitest";
import { DEFAULT_KEY, DEFAULT_PROVIDER, parseSeed } from "../../src/sandbox/seed.ts";
import { IS_LONG, inTurn } from "../long.ts";
import { type Rig, type RunResult, rig, testClock } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import { id, numberedCourse, rigWith, unreliableService } from "./helpers.ts";
import { REMOTE_COMMANDS, writeNewCourse } from "./saved-key.ts";

// The rig fails every run that shows a key, or much of it: the runs themselves are the test.

const MODES: readonly (readonly string[])[] = [
  [],
  ["--verbose"],
  ["--json", "--verbose"],
  ["-o", "ndjson"],
  ["-o", "yaml"],
  ["-o", "csv"],
];

/** Columns of terminals. */
const WIDTHS = [40, 66, 200];

interface Modes {
  readonly modes: readonly (readonly string[])[];
  /** Columns of the terminals. */
  readonly widths: readonly number[];
  /** Whether the key is in the data that the line prints without a terminal. */
  readonly inData?: boolean;
}

/** Errors do not depend on the format of the data. */
const FEW: Modes = { modes: [["--json", "--verbose"]], widths: [66] };

/** Every mode in the long tests; otherwise every third, from line to line another one, and JSON. */
function modesFor(line: string): Partial<Modes> {
  if (IS_LONG) return {};
  const first = LINES.indexOf(line);
  const inTurn = <Mode>(all: readonly Mode[]) => all.filter((_, at) => (at + first) % 3 === 0);
  return { modes: [...inTurn(MODES), ["--json", "--verbose"]], widths: inTurn(WIDTHS) };
}

/** Every command that sends requests; commands that write files print them or write new files. */
const LINES = [...REMOTE_COMMANDS.map((line) => line.replace(" starter.yaml", "")), "api GET x -i"];

/** Runs a line in every mode, off a terminal and on terminals of some widths. */
async function everyMode(
  r: Rig,
  line: string,
  environment: Readonly<Record<string, string>>,
  { modes = MODES, widths = WIDTHS, inData = false }: Partial<Modes> = {},
): Promise<RunResult[]> {
  const words = [...line.split(" "), "--retries", "0"];
  const runs: RunResult[] = [];
  const printsBody = line.startsWith("api");
  const data = { environment, printsEchoes: inData || printsBody };
  for (const mode of modes) runs.push(await r.run([...words, ...mode], data));
  for (const columns of widths) {
    const terminal = { environment, terminal: true, columns, printsEchoes: printsBody };
    runs.push(await r.run(words, terminal));
  }
  return runs;
}

/** A key as a service may write it in JSON, some of its characters escaped. */
const ESCAPED = DEFAULT_KEY.replace(
  /[a-f]/g,
  (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`,
);

/** Every part of an error response that can contain text. */
function refusal(status: number): ServerBehavior {
  const words = {
    hint: `no such key: ${DEFAULT_KEY}`,
    details: JSON.stringify({ key: DEFAULT_KEY }),
    message: `?key=${DEFAULT_KEY}`,
    code: DEFAULT_KEY,
  };
  const body = JSON.stringify(words).replace("{", `{"escaped": "${ESCAPED}", `);
  return { status, body, headers: { "x-key": DEFAULT_KEY } };
}

const FATES: readonly (readonly [string, ServerBehavior])[] = [
  ["in a rejection", refusal(400)],
  ["with a rejected key", refusal(401)],
  ["in JSON escapes", { status: 500, body: `{"hint": "${ESCAPED}"}` }],
  ["in broken JSON", { status: 200, body: `[{"name": "${DEFAULT_KEY}"` }],
  ["in a redirect", { status: 302, headers: { location: `https://${DEFAULT_KEY}/` } }],
];

describe.each(FATES)("echoed key %s", (title, fate) => {
  const turn = FATES.findIndex(([other]) => other === title);
  const lines = turn === 0 ? LINES : inTurn(LINES, turn, 6);

  test(`commands mask a key that the service echoes ${title} in every mode`, async () => {
    const r = await rigWith(numberedCourse(1));
    await writeNewCourse(r);
    const { environment } = await unreliableService(r, () => fate);
    for (const line of lines) {
      const runs = await everyMode(r, line, environment, FEW);
      expect(runs.some(({ requests }) => requests.length > 0)).toBe(true);
    }
    const login = ["login", "--with-key", "--verbose", "--retries", "0"];
    const ran = await r.run(login, { environment, input: DEFAULT_KEY });
    expect([ran.code, ran.requests.length]).not.toEqual([0, 0]);
  });
});

describe("echoed key in data", () => {
  const courses = [
    numberedCourse(1, { name: DEFAULT_KEY, slug: `a-${DEFAULT_KEY}`, approval_status: "pending" }),
    numberedCourse(3, {
      name: `Before it ${DEFAULT_KEY} and after`,
      short_description: DEFAULT_KEY,
    }),
    numberedCourse(4, {
      name: `${"Long ".repeat(9)}${DEFAULT_KEY.repeat(9)}`,
      audio: [DEFAULT_KEY],
    }),
  ];
  const provider = {
    id: "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
    name: `Academy of ${DEFAULT_KEY}`,
    description: DEFAULT_KEY,
    slug: DEFAULT_KEY,
    url: "https://academy.example",
    domain: null,
    published: true,
  };
  const fate = ({
    method,
    url,
  }: {
    readonly method: string;
    readonly url: string;
  }): ServerBehavior => {
    if (method !== "GET") return { status: 204 };
    const rows = url.includes("/providers") ? [provider] : /offset=[1-9]/.test(url) ? [] : courses;
    const one = /[?&]id=([\w-]+)/.exec(url)?.[1];
    return { status: 200, body: JSON.stringify(rows.filter((row) => !one || row.id === one)) };
  };

  test.each(LINES)("%s masks an echoed key in data in every mode", async (line) => {
    const r = await rigWith();
    await writeNewCourse(r);
    const { environment } = await unreliableService(r, fate);
    const runs = await everyMode(r, line, environment, { ...modesFor(line), inData: true });
    expect(runs.map(({ code }) => code)).toContain(0);
  });

  test("diffs and the confirmation before a deletion mask an echoed key in data", async () => {
    const r = await rigWith();
    await r.write("new.json", JSON.stringify(numberedCourse(1, { name: "New", slug: undefined })));
    const { environment } = await unreliableService(r, fate);
    for (const line of [
      "courses diff new.json --prune",
      "courses push new.json --dry-run --prune",
    ]) {
      const modes = MODES.filter((mode) => !mode.some((word) => /^(-o|--json)$/.test(word)));
      const runs = await everyMode(r, line, environment, { modes });
      expect(runs[0]?.code).toBe(0);
    }
    for (const line of [`courses rm ${id(1)}`, "courses push new.json --prune"]) {
      const asked = await r.run(line.split(" "), { environment, terminal: true, input: "n\n" });
      expect(asked.stderr).toMatch(/^\S*-\S* .*\*{8}.*\n[\s\S]*Delete \d /m);
    }
  });
});

test("diff finds no change in files with an echoed key that get printed or pull wrote", async () => {
  const text = "The sixteen digits are 0 1 2 3 4 5 6 7 8 9 A B C D E F.";
  const name = `The key is ${DEFAULT_KEY}.`;
  const courses = [numberedCourse(1, { name, long_description: text })];
  const user = { key: DEFAULT_KEY, providers: [DEFAULT_PROVIDER], courses };
  const r = await rig({ seed: parseSeed({ users: [user] }, testClock()) });
  for (const format of ["json", "yaml", "ndjson", "csv"]) {
    const words = ["courses", "get", id(1), "-o", format];
    const { stdout } = await r.run(words, { printsEchoes: true });
    expect(stdout).toContain(DEFAULT_KEY);
    expect(stdout).toContain(text);
    await r.write(`got.${format}`, stdout);
    const diff = await r.run(["courses", "diff", `got.${format}`]);
    expect(diff.stdout).toBe("Already up to date: 1 course.\n");
  }
  await r.run(["courses", "pull", "pulled"]);
  const pulled = await r.run(["courses", "diff", "pulled"]);
  expect(pulled.stdout).toBe("Already up to date: 1 course.\n");
  const block = await r.run(["courses", "get", id(1)], { terminal: true, columns: 100 });
  expect(block.stdout).toContain("The key is ********.");
  expect(block.stdout).toContain(text);
});

test("courses ls does not mask a key of one letter in data", async () => {
  const user = { key: "e", providers: [DEFAULT_PROVIDER], courses: [numberedCourse(1)] };
  const r = await rig({ seed: parseSeed({ users: [user] }, testClock()) });
  const ran = await r.run(["courses", "ls", "--json"], { environment: { CATALOG_API_KEY: "e" } });
  expect([ran.code, ran.stdout]).toEqual([0, expect.not.stringContaining("*")]);
});
