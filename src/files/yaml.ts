/**
 * Parses YAML 1.2 (core schema). js-yaml reads most files, several times as fast as `yaml`, which
 * finds positions and errors. Both must accept a file. With syntax that js-yaml does not read as YAML
 * requires, the values are those of `yaml`; tests make sure that the two agree on all others.
 */
import jsYaml from "js-yaml";
import { truncate } from "../base/text.ts";
import { isObject, memoize } from "../base/values.ts";
import { MAX_DEPTH, MAX_VALUES, MAX_YAML_PARTS, tooDeep, tooMany } from "./limits.ts";
import { type Parsed, type Positions, positionsOf, type TextProblem, unparsed } from "./parsed.ts";
import { oneAt, type Span } from "./position.ts";
import { entryPlacer, outlineEntries } from "./yaml-entries.ts";
import type { PlacedYaml } from "./yaml-positions.ts";

/** Parses a YAML text. Never throws: errors are among the problems. */
export async function parseYaml(text: string): Promise<Parsed> {
  const limit = findLimit(text);
  if (limit !== undefined) return unparsed(limit);
  let documents: readonly unknown[];
  try {
    documents = load(text);
  } catch (error) {
    const refusal =
      error instanceof Refusal ? error.problem : (controlProblem(text) ?? loadProblem(error, text));
    return (await parseSlowly(text, refusal)) ?? unparsed(refusal);
  }
  if (isUnusual(text)) {
    return (await parseSlowly(text, undefined)) ?? (await parseInParts(text, documents));
  }
  const positions = async (): Promise<Positions> => {
    const placed = await place(text);
    if (placed === undefined) return await partPositions(text, documents);
    return { ...positionsOf(placed.places), problem: placed.problem };
  };
  const starts = memoize(() => outlineEntries(text, documents));
  const placer = memoize(() => entryPlacer(text, documents, starts(), (part) => place(text, part)));
  const placeAlong: Parsed["placeAlong"] = (path) => placer()(path);
  return { documents, problems: [], positions, placeAlong, start: () => starts()[0] };
}

/** A file without findings needs neither the module nor `yaml`, which is large. */
async function place(text: string, part?: Span): Promise<PlacedYaml | undefined> {
  const { placeYaml } = await import("./yaml-positions.ts");
  return placeYaml(text, part);
}

/**
 * Parses a source text with `yaml`; undefined if it is too long.
 *
 * @param refusal why js-yaml does not accept it
 */
async function parseSlowly(
  text: string,
  refusal: TextProblem | undefined,
): Promise<Parsed | undefined> {
  const placed = await place(text);
  if (placed === undefined) return undefined;
  const { places, values, duplicates: problems, problem } = placed;
  if (problem !== undefined) return unparsed(problem);
  // js-yaml does not accept duplicate keys either; here, they can be reported with all else.
  if (refusal !== undefined && problems.length === 0) return unparsed(refusal);
  return { documents: values, problems, positions: async () => positionsOf(places) };
}

async function parseInParts(text: string, documents: readonly unknown[]): Promise<Parsed> {
  const { readParts } = await import("./yaml-parts.ts");
  const values = readParts(text, documents, isUnusual);
  if (values === undefined) return unparsed(TOO_LONG);
  return { documents: values, problems: [], positions: () => partPositions(text, values) };
}

async function partPositions(text: string, documents: readonly unknown[]): Promise<Positions> {
  const { placeParts } = await import("./yaml-parts.ts");
  return placeParts(text, documents);
}

const TOO_LONG: TextProblem = {
  rule: "too-large",
  message: "too large for a YAML file with anchors, tags or nested brackets: split the file",
  span: { start: 0, end: 1 },
};

/** After the first character of a value, which follows a line break, a dash, a colon or a comma. */
const AT_START = "(?<=(?:^|[\\r\\n,[{]|[-:?][ \\t])[ \\t]*.)";
/** What a document marker is not followed by, if it is alone on its line. */
const NOT_ALONE = "(?![ \\t]*(?:[\\r\\n]|$)|[ \\t]+#)";

/**
 * Syntax of which js-yaml accepts more than YAML allows, or that it reads differently. The patterns
 * match more than they need to: they only decide that `yaml` reads the text. Each begins with a
 * string that few files contain often, so it is looked for first: `check` of thousands of files takes
 * a tenth less than with a search for the patterns.
 */
const UNUSUAL = Object.entries({
  // Anchors, tags, explicit keys, and list items that are not written.
  "&": `&${AT_START}\\S`,
  "!": `!${AT_START}(?:[!<]|\\s)`,
  "?": `\\?${AT_START}[ \\t\\r\\n]`,
  "-": `-(?=[ \\t]*[\\r\\n]|[ \\t]+#)${AT_START}`,
  // Quotes and brackets that do not end on their line, nested brackets, keys in brackets, and
  // comments without a space before them. Long strings need loops over single characters: V8 runs out
  // of memory for its stack in others.
  '"': `"(?:#|${AT_START}[^"\\\\\\r\\n]*(?:\\\\.[^"\\\\\\r\\n]*)*[\\r\\n])`,
  "'": `'(?:#|${AT_START}[^'\\r\\n]*(?:''[^'\\r\\n]*)*[\\r\\n])`,
  "[": `\\[${AT_START}(?![^[\\]{}#\\r\\n]*\\])`,
  "{": `\\{${AT_START}(?![^[\\]{}#\\r\\n]*\\})`,
  "]": "\\](?:#|\\s*:)",
  "}": "\\}(?:#|\\s*:)",
  // Directives, and documents that do not begin on a separate line.
  "%": "(?<=^|[\\r\\n])%",
  "---": `(?<=^|[\\r\\n])---${NOT_ALONE}`,
  "...": `(?<=^|[\\r\\n])\\.\\.\\.${NOT_ALONE}`,
  // Lines that begin with a tab, and blocks whose indentation or end is given, or that are a
  // complete document.
  "\t": "(?<=(?:^|[\\r\\n]) *)\\t",
  "|": "\\|(?:(?<=(?:^|[\\r\\n]) *\\|)|-?[1-9]|[1-9]?\\+)",
  ">": ">(?:(?<=(?:^|[\\r\\n]) *>)|-?[1-9]|[1-9]?\\+)",
  // Long escapes, escaped line breaks, lone carriage returns and byte order marks.
  "\\": "\\\\(?:U|\\r?\\n)",
  "\r": "\\r(?!\\n)",
  "\ufeff": "\\ufeff",
}).map(([beginning, pattern]) => ({ beginning, pattern: new RegExp(pattern, "y") }));

function isUnusual(text: string): boolean {
  return UNUSUAL.some(({ beginning, pattern }) => {
    for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, at + 1)) {
      pattern.lastIndex = at;
      if (pattern.test(text)) return true;
    }
    return false;
  });
}

/** The values that are words, by each of their forms. */
const WORDS: ReadonlyMap<string, null | boolean | number> = new Map(
  [
    [null, "", "~", "null", "Null", "NULL"] as const,
    [true, "true", "True", "TRUE"] as const,
    [false, "false", "False", "FALSE"] as const,
    [Number.POSITIVE_INFINITY, ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"] as const,
    [Number.NEGATIVE_INFINITY, "-.inf", "-.Inf", "-.INF"] as const,
    [Number.NaN, ".nan", ".NaN", ".NAN"] as const,
  ].flatMap(([value, ...forms]) => forms.map((form) => [form, value] as const)),
);
const NUMBER = /^(?:0o[0-7]+|0x[\da-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?)$/;
/** How the values above begin: most strings begin otherwise. */
const NOT_STRING = /^(?:$|[~nNtTfF.\d+-])/;

/** Null, a boolean or a number, by their forms. A value that is not written is null. */
function scalarType(name: string) {
  return new jsYaml.Type(`tag:yaml.org,2002:${name}`, {
    kind: "scalar",
    resolve: (written: string | null) => {
      const text = written ?? "";
      return NOT_STRING.test(text) && (WORDS.has(text) || NUMBER.test(text));
    },
    construct: (written: string | null) => constructScalar(written ?? ""),
  });
}

/**
 * YAML 1.2's core schema: dates and `no` are strings, and there are no merge keys. js-yaml tries
 * every implicit type on every unquoted value, so there is only one. Tags are read by `yaml`.
 */
const SCHEMA = jsYaml.FAILSAFE_SCHEMA.extend({
  implicit: [scalarType("scalar")],
  explicit: ["null", "bool", "int", "float"].map(scalarType),
});

function constructScalar(text: string): null | boolean | number {
  const word = WORDS.get(text);
  return word === undefined ? Number(text) : word;
}

/** Ends the parser where a limit is exceeded. */
class Refusal extends Error {
  readonly problem: TextProblem;
  constructor(problem: TextProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The documents. @throws YAMLException, Refusal */
function load(text: string): unknown[] {
  const documents: unknown[] = [];
  let depth = 0;
  let values = 0;
  const listener = (event: jsYaml.EventType, { kind, position }: jsYaml.State): void => {
    // The innermost value is a level, too.
    if (event === "open" && ++depth > MAX_DEPTH + 1) throw new Refusal(tooDeep(position));
    if (event === "open") return;
    depth--;
    // Half of the scalars of objects are keys.
    values += kind === "mapping" || kind === "sequence" ? 1 : 0.5;
    if (values > MAX_VALUES) throw new Refusal(tooMany("values", position));
  };
  const options = { schema: SCHEMA, listener };
  jsYaml.loadAll(text, (document: unknown) => documents.push(document), options);
  return documents;
}

/** What would take too much time or memory to parse. */
function findLimit(text: string): TextProblem | undefined {
  const nul = text.indexOf("\0");
  if (nul !== -1) {
    const message = "not valid YAML: NUL characters are not allowed";
    return { rule: "syntax", message, span: { start: nul, end: nul + 1 } };
  }
  const parts = findBeyond(text, /\n|\\.|''/g, MAX_YAML_PARTS);
  return parts === undefined ? undefined : tooMany("lines and escapes", parts);
}

/** The offset of the match after that many; undefined if there are fewer. */
function findBeyond(text: string, pattern: RegExp, most: number): number | undefined {
  if (text.length < most) return undefined;
  let matches = 0;
  for (const { index } of text.matchAll(pattern)) {
    if (++matches > most) return index;
  }
  return undefined;
}

/** An error of js-yaml in a source text in which `yaml` finds none, or that is too long for it. */
function loadProblem(error: unknown, text: string): TextProblem {
  const mark = isObject(error) && isObject(error.mark) ? error.mark : {};
  const end = text.trimEnd().length;
  const position = typeof mark.position === "number" ? Math.min(mark.position, end) : 0;
  const reason = isObject(error) && typeof error.reason === "string" ? error.reason : "";
  const message = `not valid YAML: ${reason === "" ? "it cannot be read" : truncate(reason)}`;
  return { rule: "syntax", message, span: position >= end ? { start: end, end } : oneAt(position) };
}

function controlProblem(text: string): TextProblem | undefined {
  const control = CONTROL.exec(text);
  if (control === null) return undefined;
  const code = control[0].charCodeAt(0).toString(16).padStart(4, "0").toUpperCase();
  const message = `not valid YAML: the control character U+${code} is not allowed; remove it`;
  return { rule: "syntax", message, span: oneAt(control.index) };
}

/** What YAML does not allow outside of comments. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;
