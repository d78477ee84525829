import { load } from "js-yaml";
import { expect, test } from "vitest";
import { joinList } from "../../src/base/text.ts";
import { FORMATS } from "../../src/output/formats.ts";
import { parseCommandLine } from "../../src/program/program.ts";
import { loadAllCommands } from "../../tools/documents/commands.ts";
import { inTurn } from "../long.ts";
import { type RunResult, rig } from "../rig.ts";
import { rigForLines, WITH_ROWS, WITHOUT_ROWS } from "./command-lines.ts";
import { id, jsonMessages, lines, numberedCourse, rigWith } from "./helpers.ts";

const ALL = [...WITH_ROWS, ...WITHOUT_ROWS];

/** Requires a usage error, as text or JSON, before anything else. @returns its text */
function refusal({ code, stdout, stderr, requests }: RunResult): string {
  expect({ code, stdout, requests }).toEqual({ code: 2, stdout: "", requests: [] });
  return stderr;
}

/** The number of rows in an output of that format. */
function countRows(format: string, { stdout }: RunResult): number {
  // JSON is YAML.
  if (format === "json" || format === "yaml") return (load(stdout) as unknown[]).length;
  if (format === "human") return stdout.match(/^[+~-] /gm)?.length ?? 0;
  return lines(stdout).length - (format === "table" || format === "csv" ? 1 : 0);
}

const COMMANDS = await loadAllCommands();

test("every command has a command line in the tests of output formats", () => {
  const paths = COMMANDS.map(({ path }) => path);
  const missing = paths.filter((path) => !ALL.some(([line]) => `${line} `.startsWith(`${path} `)));
  expect(missing).toEqual([]);
});

/** The global flags that do not exclude each other. */
const GLOBALS =
  "--json --quiet --verbose --no-color --insecure-http --timeout 5 --retries 5 --concurrency 5 --base-url https://a.example --config a --profile a".split(
    " ",
  );

test.each(ALL)("%s accepts every global flag before and after its words", async (line) => {
  const words = line.split(" ");
  for (const typed of [
    [...GLOBALS, ...words],
    [...words, ...GLOBALS],
  ]) {
    const parsed = await parseCommandLine(typed, 80);
    expect(parsed).toMatchObject({ options: { json: true, quiet: true, verbose: true } });
  }
});

test.each(ALL)(
  "%s refuses the formats that it does not print, names those that it prints, and sends nothing",
  async (line, formats) => {
    const r = await rig();
    const said =
      formats.length === 0
        ? "--output is not available for "
        : ` must be ${joinList(formats)}, not `;
    for (const format of FORMATS.filter((each) => !formats.includes(each))) {
      expect(refusal(await r.run(`-o ${format} ${line}`))).toContain(said);
    }
  },
);

for (const [turn, [line, formats, count]] of WITH_ROWS.entries()) {
  const rows = formats.filter((format) => format !== "xlsx");
  const chosen = inTurn(rows, turn, 3);

  test(`${line} prints one row per item as ${chosen.join(", ")}`, async () => {
    for (const format of chosen) {
      const ran = await (await rigForLines()).run(`${line} -o ${format}`);
      expect([format, ran.code, countRows(format, ran)]).toEqual([format, 0, count]);
    }
    if (!formats.includes("xlsx")) return;
    expect((await (await rigForLines()).run(`${line} -o xlsx`)).stdout).toMatch(/^PK/);
  });

  test(`${line} prints the fields of --fields, and refuses other names before any request`, async () => {
    const r = await rigForLines();
    const field = line === "history" ? "run" : "id";
    const ran = await r.run(`${line} -o ndjson --fields ${field}`);
    expect(lines(ran.stdout)[0]).toMatch(new RegExp(`^\\{"${field}":"[^"]*"\\}$`));
    for (const other of ["idd", "id["]) {
      refusal(await r.run(`${line} --json --fields ${other}`));
    }
  });
}

test.each(WITHOUT_ROWS.slice(1))("%s has no fields, so it refuses --fields", async (line) => {
  const ran = await (await rig()).run(`${line} --json --fields id`);
  expect(refusal(ran)).toContain("--fields is not available for ");
});

test.each(WITHOUT_ROWS.slice(2, -3))(
  "%s prints no data, so --json changes only its messages",
  async (line) => {
    const printed = await (await rigForLines()).run(line);
    const ran = await (await rigForLines()).run(`${line} --json`);
    expect([ran.code, ran.stdout]).toEqual([0, printed.stdout]);
    jsonMessages(ran);
  },
);

test.each([
  "courses push a.json",
  "courses diff a.json",
  "courses pull out",
  `courses rm --yes ${id(1)}`,
])("%s prints rows only with -o or --json, so it refuses --fields without them", async (line) => {
  const ran = await (await rig()).run(`${line} --fields id`);
  expect(refusal(ran)).toContain("--fields needs --output or --json");
});

test.each(["providers ls", "courses ls", `courses get ${id(1)}`])(
  "%s --out refuses an extension that contradicts -o; --json forms only the messages",
  async (line) => {
    const r = await rigWith(numberedCourse(1));
    for (const format of ["json", "table"]) {
      const ran = await r.run(`${line} --out rows.csv -o ${format}`);
      const said = `--out rows.csv cannot be combined with --output ${format}`;
      expect(refusal(ran)).toContain(said);
    }
    expect(await r.run(`${line} --out rows.csv --json`)).toMatchObject({ code: 0, stdout: "" });
  },
);

test("--fields is refused with --output id, which prints only ids", async () => {
  const ran = await (await rig()).run("courses ls --output id --fields name");
  expect(refusal(ran)).toContain("--fields cannot be combined with --output id");
});
