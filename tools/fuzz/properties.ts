/** What is true for any file, service, command line and workbook. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { CatalogError } from "../../src/base/errors.ts";
import { courseText } from "../../src/files/write.ts";
import { parseCommandLine } from "../../src/program/program.ts";
import { CatalogClient } from "../../src/service/client.ts";
import { METHODS } from "../../src/service/errors.ts";
import type { Transport } from "../../src/service/http.ts";
import { damaged } from "../../test/files/damage.ts";
import { course, type Rig, testClock } from "../../test/rig.ts";
import { pack, workbookParts } from "../../test/workbooks.ts";
import { validCourse } from "./random-courses.ts";
import { anyLine, filesOf, harmlessLine } from "./random-lines.ts";
import { anyAnswers, listed, provider, respondWith, serviceWith } from "./random-responses.ts";
import { anyBytes, anyText, randomJson, randomYaml, validJson } from "./random-texts.ts";
import { COURSE_IDS, folderWith, requireHarmless, runIn, serviceOf } from "./runner.ts";

/** A property. `Value` is the type of its random cases. */
export interface Property<Value> {
  /** A sentence that is true for each value. */
  readonly says: string;
  readonly arbitrary: fc.Arbitrary<Value>;
  /** Throws or rejects if a value does not meet the condition. */
  readonly check: (value: Value, r: Rig) => Promise<void> | void;
}

/** Declares a property; the type of its values is inferred from the arbitrary. */
function property<Value>(definition: Property<Value>): Property<unknown> {
  // `check` gets only values of the arbitrary in the same object.
  return definition as Property<unknown>;
}

/** A problem in the JSON report of check. */
interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  readonly rule: string;
  readonly message: string;
}

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Checks files. @returns their problems */
async function checkFiles(r: Rig, files: Files): Promise<readonly Problem[]> {
  const folder = await folderWith(r, files);
  const words = ["courses", "check", ...Object.keys(files), "-o", "json"];
  const { code, stdout } = await runIn(r, folder, words);
  // An empty file is a usage error.
  assert(code === 0 || code === 3 || code === 2, `check exits with ${code}`);
  return stdout === "" ? [] : JSON.parse(stdout).problems;
}

/** Checks a file. @returns its problems */
async function checkFile(r: Rig, name: string, content: string | Uint8Array) {
  return await checkFiles(r, { [name]: content });
}

/** Fails unless each problem, and each course that its message names, is in its file; the end of a line is. */
function requireInside(
  problems: readonly Problem[],
  files: ReadonlyMap<string, string | Uint8Array>,
): void {
  const linesIn = (content: string | Uint8Array = ""): readonly string[] => {
    const bytes = Buffer.from(content);
    // Lines of UTF-16 have other lengths.
    const text = bytes[0] === 0xff ? bytes.toString("utf16le") : new TextDecoder().decode(bytes);
    return text.split(/\r\n|\n|\r/);
  };
  const lines = new Map([...files].map(([name, content]) => [name, linesIn(content)]));
  const isInside = (file: string, line: number, column: number): boolean =>
    line >= 1 && column >= 1 && column <= (lines.get(file)?.[line - 1]?.length ?? -1) + 1;
  for (const problem of problems) {
    const { file, line, column, endLine = line, endColumn = column, message } = problem;
    const where = `${file}:${line}:${column}: ${message}`;
    assert(isInside(file, line, column) && isInside(file, endLine, endColumn), where);
    assert(endLine > line || (endLine === line && endColumn >= column), where);
    const [, other = file, otherLine = line] = / the course at (.+):(\d+)$/.exec(message) ?? [];
    assert(isInside(other, Number(otherLine), 1), where);
  }
}

/** Checks a text, and that all problems are inside. */
async function checkText(
  r: Rig,
  name: string,
  content: string | Uint8Array,
): Promise<readonly Problem[]> {
  const problems = await checkFile(r, name, content);
  requireInside(problems, new Map([[name, content]]));
  return problems;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const FILES: readonly Property<unknown>[] = [
  property({
    says: "the problems of a file of any bytes are inside the file",
    arbitrary: fc.tuple(anyBytes, fc.constantFrom("a.yaml", "a.json", "a.ndjson", "a.csv")),
    check: async ([bytes, name], r) => void (await checkFile(r, name, bytes)),
  }),
  property({
    says: "the problems of damaged examples are inside the files",
    arbitrary: fc.array(damaged, { minLength: 1, maxLength: 40, size: "max" }),
    check: async (files, r) => {
      const named = files.map(({ bytes, extension }, at) => [`${at}${extension}`, bytes] as const);
      const problems = await checkFiles(r, Object.fromEntries(named));
      requireInside(problems, new Map(named));
    },
  }),
  property({
    says: "the problems of random YAML are inside the text",
    arbitrary: randomYaml,
    check: async (text, r) => void (await checkText(r, "a.yaml", text)),
  }),
  property({
    says: "the problems of random JSON are inside the text, and a syntax error is found exactly where there is one",
    arbitrary: randomJson,
    check: async (text, r) => {
      const problems = await checkText(r, "a.json", text);
      if (text.trim() === "" || text.startsWith("\ufeff")) return;
      const isBroken = problems.some(({ rule }) => rule === "syntax");
      assert.equal(isBroken, !isJson(text));
    },
  }),
  property({
    says: "JSON is also YAML: it has no syntax error there",
    arbitrary: validJson,
    check: async (text, r) => {
      const problems = await checkText(r, "a.yaml", text);
      assert(problems.every(({ rule }) => rule !== "syntax"));
    },
  }),
];

/** Runs a line that must succeed and, if it is to change nothing, send only GET. */
async function succeed(
  r: Rig,
  folder: string,
  line: string,
  { send, changes = true }: { send: ReturnType<typeof serviceOf>; changes?: boolean },
): Promise<void> {
  const { code, requests } = await runIn(r, folder, line.split(" "), { send });
  assert.equal(code, 0, line);
  assert(changes || requests.every(({ method }) => method === "GET"), `${line} changes something`);
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

const format = fc.constantFrom("yaml" as const, "json" as const);

const SYNCHRONIZATION: readonly Property<unknown>[] = [
  property({
    says: "a second push, a push after a pull, and a second pull change nothing",
    arbitrary: fc.tuple(validCourse, validCourse, format, format, fc.boolean()),
    check: async ([first, later, written, pulled, writesIds], r) => {
      const folder = await folderWith(r);
      const send = serviceOf([]);
      const push = `courses push a.${written}${writesIds ? " --write-ids" : ""}`;
      for (const version of [first, later]) {
        const file = join(folder, `a.${written}`);
        const text = courseText(version, written);
        writeFileSync(file, text);
        await succeed(r, folder, push, { send });
        await succeed(r, folder, `courses push a.${written}`, { send, changes: false });
      }
      const pull = `courses pull out --format ${pulled}`;
      await succeed(r, folder, pull, { send });
      const files = filesIn(join(folder, "out"));
      await succeed(r, folder, "courses push out", { send, changes: false });
      await succeed(r, folder, pull, { send });
      assert.deepEqual(filesIn(join(folder, "out")), files);
    },
  }),
];

const cellText = anyText.map((text) =>
  text.replace(/[&<>"]/g, "").replace(/[^\t\n\r\x20-\ud7ff]/g, "?"),
);
const cell = fc
  .record({
    place: fc.constantFrom("", ...'r="A2" r="B3" r="XFD9" r="ZZZ1" r="x1"'.split(" ")),
    type: fc.constantFrom("n", "s", "str", "b", "e", "d", "inlineStr", "x"),
    style: fc.constantFrom("", 's="0"', 's="1"', 's="9"', 's="x"'),
    formula: fc.option(cellText),
    value: fc.option(fc.oneof(fc.constantFrom("0", "45000.5", "1e300", "-1", ""), cellText)),
    text: fc.option(cellText),
  })
  .map(({ place, type, style, formula, value, text }) => {
    const inside = [
      formula === null ? "" : `<f>${formula}</f>`,
      value === null ? "" : `<v>${value}</v>`,
      text === null ? "" : `<is><rPh><t>x</t></rPh><t>${text}</t></is>`,
    ];
    return `<c ${place} t="${type}" ${style}>${inside.join("")}</c>`;
  });
const row = fc
  .tuple(fc.constantFrom("", 'r="2"', 'r="7"', 'r="1048576"', 'r="x"'), fc.array(cell))
  .map(([place, cells]) => `<row ${place}>${cells.join("")}</row>`);
const HEADER = `<row r="1"><c t="inlineStr"><is><t>name</t></is></c></row>`;

const WORKBOOKS: readonly Property<unknown>[] = [
  property({
    says: "the problems of a workbook with any cells name a cell or a row, or the workbook is refused",
    arbitrary: fc.array(row, { maxLength: 8 }),
    check: async (rows, r) => {
      const bytes = pack(workbookParts(HEADER + rows.join("")));
      const problems = await checkFile(r, "a.xlsx", bytes);
      for (const { message } of problems)
        assert.match(message, /^(cell [A-Z]+\d+|row \d+|cannot read |a\.xlsx contains no course$)/);
    },
  }),
  property({
    says: "a damaged workbook is read with problems, or refused",
    arbitrary: fc.array(fc.tuple(fc.nat({ max: 2000 }), fc.nat({ max: 255 })), { maxLength: 20 }),
    check: async (changes, r) => {
      const bytes = pack(workbookParts(`${HEADER}<row r="2"><c r="A2"><v>1</v></c></row>`));
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      bytes.write("PK\x03\x04", "latin1");
      await checkFile(r, "a.xlsx", bytes);
    },
  }),
];

/** Fails for an error that is not of one of these kinds. */
function requireKind(error: unknown, ...kinds: readonly string[]): void {
  if (!(error instanceof CatalogError)) throw error;
  assert(kinds.includes(error.kind), `${error.kind}: ${error.message}`);
}

const COURSE = JSON.stringify(course({ id: COURSE_IDS[0] }));
const pathPart = fc.oneof(
  fc.constantFrom("developer/v1/courses", `id=${COURSE_IDS[0]}`, `id=${COURSE_IDS[1]}`, "id=eq."),
  fc.constantFrom(
    ..."/ ? & id= ID= id[]= %69d= %2569d= %2e%2e %252e. .. // ; @ : %3f %23 %26 # \\ %00".split(
      " ",
    ),
  ),
  fc.constantFrom("https://elsewhere.example", "%zz"),
  anyText,
);

const COMMAND_LINES: readonly Property<unknown>[] = [
  property({
    says: "any arguments are a command with its options, a help text, or a usage error",
    arbitrary: anyLine,
    check: async (words) => {
      try {
        await parseCommandLine(words, 80);
      } catch (error) {
        requireKind(error, "usage");
      }
    },
  }),
  property({
    says: "any command line exits with a documented code, a refused run sends no change, and every change has its id",
    arbitrary: fc.tuple(harmlessLine, fc.oneof(fc.constantFrom("", ...COURSE_IDS), anyText)),
    check: async ([words, input], r) => {
      await runIn(r, await folderWith(r, filesOf(COURSE)), words, { input });
    },
  }),
  property({
    says: "a raw request stays below the base URL, and one that changes courses has exactly one id",
    arbitrary: fc.tuple(
      fc.array(pathPart, { maxLength: 6 }).map((parts) => parts.join("")),
      fc.constantFrom(...METHODS),
      fc.constantFrom("https://catalog.example/", "https://catalog.example/tenant/one/"),
    ),
    check: async ([path, method, base]) => {
      let url = "";
      const send: Transport["send"] = async (request) => {
        url = request.url;
        return { status: 200, headers: {}, body: Buffer.alloc(0) };
      };
      const transport = async () => ({ send, close: async () => undefined });
      const client = new CatalogClient({ baseUrl: base, apiKey: "someone.secret", transport });
      try {
        await client.raw({ method, path });
        requireHarmless({ method, url });
        assert(url.startsWith(base), `${url} is not below ${base}`);
        assert(!/(?:^|[/\\])\.\.(?:[;/\\]|$)/.test(decoded(new URL(url).pathname)), url);
      } catch (error) {
        if (!(error instanceof URIError)) requireKind(error, "usage");
      }
    },
  }),
];

/** A path as the most lenient server would read it: decoded until nothing changes. */
function decoded(path: string): string {
  const next = path.replace(/%([\da-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return next === path ? path : decoded(next);
}

const [ID] = COURSE_IDS;

/** Every request that the client makes. */
const CALLS: readonly ((client: CatalogClient) => Promise<unknown>)[] = [
  (client) => client.providers(),
  (client) => client.course(ID),
  (client) => client.update(ID, { name: "x" }),
  (client) => client.delete(ID),
  (client) => client.create({ ...course(), id: ID }),
  (client) => client.raw({ method: "GET", path: "developer/v1/courses" }),
  async (client) => {
    const pages = client.courses({ published: true, limit: 250 });
    for await (const page of pages) assert(page.length <= 100);
  },
];

/** Command lines that contact the service. */
const LINES = fc.constantFrom(
  ...[
    "providers ls",
    "courses ls --all --name x",
    `courses get ${ID}`,
    "courses create a.yaml",
    `courses update ${ID} --set prices[0].currency=USD`,
    `courses rm ${ID} --yes`,
    `courses publish ${COURSE_IDS.join(" ")}`,
    "courses check a.yaml --online",
    "courses diff a.yaml",
    "courses push a.yaml --prune --yes",
    "courses pull out",
    "status",
    "api GET developer/v1/courses",
  ].map((line) => line.split(" ")),
);
const SHOWN = fc.constantFrom([], ["--json"], ["-o", "tsv"], ["-o", "ndjson"], ["-v"]);

const SERVICES: readonly Property<unknown>[] = [
  property({
    says: "with any response, a call of the client ends in a documented way, within ten minutes",
    arbitrary: fc.tuple(fc.constantFrom(...CALLS), anyAnswers),
    check: async ([call, turns]) => {
      const clock = testClock();
      const start = clock.now();
      const client = new CatalogClient({
        baseUrl: "https://catalog.example",
        apiKey: "someone.secret",
        clock,
        transport: async () => ({ send: respondWith(turns), close: async () => undefined }),
      });
      await call(client).catch((error: unknown) =>
        requireKind(error, "auth", "unreachable", "missing", "rejected"),
      );
      assert(clock.now() - start <= 600_000, `it took ${clock.now() - start} ms`);
      await client.close();
    },
  }),
  property({
    says: "with any response, a command exits with a documented code",
    arbitrary: fc.tuple(LINES, SHOWN, anyAnswers, fc.boolean()),
    check: async ([line, shown, turns, terminal], r) => {
      const folder = await folderWith(r, { "a.yaml": COURSE });
      await runIn(r, folder, [...line, ...shown], { send: respondWith(turns), terminal });
    },
  }),
  property({
    says: "with any data, a terminal gets no control characters",
    arbitrary: fc.tuple(
      LINES,
      SHOWN,
      fc.array(listed, { minLength: 1, maxLength: 3 }),
      fc.array(provider, { minLength: 1, maxLength: 2 }),
    ),
    check: async ([line, shown, courses, providers], r) => {
      const folder = await folderWith(r, { "a.yaml": COURSE });
      const send = serviceWith(courses, providers);
      await runIn(r, folder, [...line, ...shown], { send, terminal: true });
    },
  }),
];

export const PROPERTIES: readonly Property<unknown>[] = [
  ...FILES,
  ...SYNCHRONIZATION,
  ...WORKBOOKS,
  ...COMMAND_LINES,
  ...SERVICES,
];
