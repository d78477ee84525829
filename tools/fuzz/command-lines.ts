/** Properties of command lines: no arguments cause a crash or a request that must not be sent. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { CatalogError } from "../../src/base/errors.ts";
import { Program } from "../../src/cli/program.ts";
import { rawUrl } from "../../src/service/raw.ts";
import { METHODS } from "../../src/service/transport.ts";
import { requireHarmless, requireInvariants } from "./invariants.ts";
import { type AnyProperty, property } from "./property.ts";
import { anyLine, filesOf, harmlessLine } from "./random-lines.ts";
import { anyText } from "./random-strings.ts";
import { BASE_URL, writeFiles } from "./runner.ts";
import { COURSE_IDS, createCourse } from "./service.ts";

const FILES = filesOf(JSON.stringify(createCourse({ id: COURSE_IDS[0] })));

/** Fails for an error that is not a usage error. */
function requireUsage(error: unknown): void {
  if (!(error instanceof CatalogError)) throw error;
  assert.equal(error.kind, "usage", error.message);
}

const pathPart = fc.oneof(
  fc.constantFrom("developer/v1/courses", "/", "?", "&", "id=", "ID=", "id[]=", "%69d=", "limit=1"),
  fc.constantFrom(
    `id=${COURSE_IDS[0]}`,
    `id=${COURSE_IDS[1]}`,
    "id=eq.",
    "%2e%2e",
    "..",
    "//",
    ";",
  ),
  fc.constantFrom(
    "https://elsewhere.example",
    "@",
    ":",
    "%3f",
    "%23",
    "%26",
    "#",
    "\\",
    "%00",
    "%zz",
  ),
  anyText,
);

/** Base URLs with and without a path. */
const BASES = [`${BASE_URL}/`, `${BASE_URL}/tenant/one/`];

/** The end of a typed line: part of a word, of a flag, or of its value. */
const typed = fc.oneof(
  fc.constant(""),
  anyText,
  fc
    .tuple(fc.constantFrom("--report=", "--set=", "--fields=", "-d@", "--", "@", "id="), anyText)
    .map(([front, text]) => front + text),
  anyText.map((text) => `${text}=`),
);

/** A line to complete; its last word is incomplete. */
const unfinished = fc
  .tuple(anyLine, fc.nat({ max: 12 }), typed, fc.nat({ max: 2 }))
  .map(([line, most, text, form]) => {
    const words = line.slice(0, most);
    if (form === 0) return [...words, text];
    const last = words.pop() ?? "";
    return form === 1 ? [...words, last + text] : [...words, last, text];
  });

/** Characters that a completion must not contain. */
const CONTROLS = /(?![\t\n])[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

/** The properties of command lines. */
export const COMMAND_LINE_PROPERTIES: readonly AnyProperty[] = [
  property({
    name: "words",
    says: "any arguments are a command with its options, a help text, or a usage error",
    arbitrary: anyLine,
    check: async (words) => {
      try {
        const parsed = await new Program({ columns: 80, bold: (text) => text }).parse(words);
        if ("error" in parsed) throw parsed.error;
      } catch (error) {
        requireUsage(error);
      }
    },
  }),
  property({
    name: "lines",
    says: "any command line exits with a documented code, a usage error sends nothing, and every change has its id",
    arbitrary: fc.tuple(
      harmlessLine,
      fc.oneof(fc.constant(""), fc.constantFrom(...COURSE_IDS), anyText),
    ),
    check: async ([words, input], runner) => {
      const folder = await runner.newFolder();
      await writeFiles(folder, FILES);
      requireInvariants(words, await runner.run(words, folder, { input }));
    },
  }),
  property({
    name: "complete",
    says: "completion of any line prints lines that a shell can read, and sends nothing",
    arbitrary: unfinished,
    check: async (words, runner) => {
      const result = await runner.run(["__complete", "--", ...words], runner.folder);
      requireInvariants(words, result);
      assert.deepEqual({ code: result.code, stderr: result.stderr }, { code: 0, stderr: "" });
      assert.equal(result.requests.length, 0);
      const lines = result.stdout.split("\n");
      assert.equal(lines.pop(), "");
      assert.match(lines.at(-1) ?? "", /^:(end|nospace|files\t|folders\t)/);
      assert.equal(CONTROLS.exec(result.stdout), null, "a control character goes to the shell");
    },
  }),
  property({
    name: "raw-path",
    says: "a raw request stays below the base URL, and one that changes courses has exactly one id",
    arbitrary: fc.tuple(
      fc.array(pathPart, { maxLength: 6 }).map((parts) => parts.join("")),
      fc.constantFrom(...METHODS),
      fc.constantFrom(...BASES),
    ),
    check: ([path, method, base]) => {
      try {
        const url = rawUrl({ method, path }, new URL(base)).href;
        requireHarmless({ method, url, headers: {} });
        assert(url.startsWith(base), `${url} is not below ${base}`);
        assert(!/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(decodeURIComponent(new URL(url).pathname)));
      } catch (error) {
        if (error instanceof URIError) return;
        requireUsage(error);
      }
    },
  }),
];
