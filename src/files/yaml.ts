/**
 * Parses YAML 1.2 with js-yaml. In its core schema, dates and `no` are strings, and there are no merge keys. Positions and
 * errors come from the package `yaml`, which takes several times as long and is loaded when they are needed.
 */
import {
  type AliasEvent,
  COLLECTION_STYLE,
  type CollectionStyle,
  constructFromEvents,
  EVENT_ID,
  type Event,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from "js-yaml";
import type { Problem } from "../course/problem.ts";
import { MAX_ALIASES, MAX_DEPTH, MAX_VALUES, tooDeep, tooMany, tooManyAliases } from "./limits.ts";
import {
  type CoursePlace,
  findCourses,
  type Parsed,
  rememberLast,
  type Starts,
  unparsed,
} from "./parsed.ts";
import { lineStart, oneAt, type PlacedNode, type Span } from "./position.ts";
import { addDuplicates, syntaxProblem, UNCLEAR, UNPLACED_DUPLICATE } from "./text-problems.ts";

/** Parses YAML: `name: Knitting` is the document `{ name: "Knitting" }`. Never throws: errors are among the problems. */
export async function parseYaml(text: string): Promise<Parsed> {
  // js-yaml would run out of memory while it describes a control character in a long line.
  const control = text.includes("\0") ? text.search(CONTROL) : -1;
  if (control !== -1) return unparsed(controlProblem(text, control));
  const beyond = text.search(BEYOND_UNICODE);
  if (beyond !== -1) {
    const message = "Unicode has no character with this number: remove the escape";
    return unparsed(syntaxProblem("YAML", message, { start: beyond, end: beyond + 10 }));
  }
  const limit = findBeyond(text);
  if (limit !== undefined) return unparsed(tooMany("lines, commas and escapes", limit));
  const read = (maxDepth: number) => attemptAt(() => parseEvents(text, { maxDepth }));
  const events = read(LEVELS);
  if (typeof events === "number") {
    // A text that is too deep is read further with one more level.
    const isTooDeep = read(LEVELS + 1) !== events;
    return isTooDeep ? unparsed(tooDeep(events)) : await readRefused(text, events);
  }
  const build = (options: { readonly json?: boolean; readonly maxAliases?: number }) =>
    attemptAt(() =>
      constructFromEvents(events, { source: text, maxAliases: MAX_ALIASES, ...options }),
    );
  const documents = build({});
  // With `json`, the last of two equal keys counts.
  const values = typeof documents === "number" ? build({ json: true }) : documents;
  if (typeof values === "number") {
    const isLimit = build({ json: true, maxAliases: -1 }) !== values;
    return isLimit ? unparsed(tooManyAliases(oneAt(values))) : await readRefused(text, values);
  }
  const alias = events.findLast((event) => event.type === EVENT_ID.ALIAS);
  const expanded = alias && findExpanded(values, spanOfAlias(alias));
  if (expanded !== undefined) return unparsed(expanded);
  const parsed = { documents: values, ...placesIn(text, findStarts(text, events)) };
  if (values === documents) return { ...parsed, problems: [] };
  const problems = await findDuplicateKeys(parsed);
  return { ...parsed, problems: problems.length > 0 ? problems : [UNPLACED_DUPLICATE] };
}

/** js-yaml also counts the innermost value as a level. */
const LEVELS = MAX_DEPTH + 1;

/** The result of js-yaml, or the offset at which it refuses the text. */
function attemptAt<Result>(work: () => Result): Result | number {
  try {
    return work();
  } catch (error) {
    // In a tag of millions of characters, a regular expression of js-yaml runs out of stack.
    if (error instanceof RangeError) return 0;
    if (!(error instanceof YAMLException)) throw error;
    return error.mark?.position ?? 0;
  }
}

/** Escapes such as `\U00110000`, which js-yaml reads as other characters. */
const BEYOND_UNICODE = /\\U(?!00(?:0|10))[\da-fA-F]{8}/;

/** Matches what events begin with, and what takes memory while a string is read. */
const PARTS = /[\n,[{]|''|\\.|[-?:](?=\s)/g;

/** The offset of the first part beyond the limit; undefined if there is none. */
function findBeyond(text: string): number | undefined {
  if (text.length < MAX_VALUES) return undefined;
  let parts = 0;
  for (const { index } of text.matchAll(PARTS)) if (++parts > MAX_VALUES) return index;
  return undefined;
}

/** The problem of values that aliases repeat: a few aliases of aliases can mean billions. */
function findExpanded(documents: readonly unknown[], alias: Span): Problem | undefined {
  const { values, levels } = measure(documents, new Map(), 0);
  if (values > MAX_VALUES) return tooManyAliases(alias);
  // The list of the documents is no level.
  return levels > LEVELS ? tooDeep(alias.start) : undefined;
}

interface Size {
  readonly values: number;
  readonly levels: number;
}

/** @param known the sizes of the objects that were measured: what an alias repeats is the same object */
function measure(value: unknown, known: Map<object, Size>, depth: number): Size {
  if (typeof value !== "object" || value === null) return { values: 1, levels: 0 };
  const found = known.get(value);
  if (found !== undefined) return found;
  if (depth > LEVELS) return { values: 1, levels: Number.POSITIVE_INFINITY };
  // An object within itself has no end.
  known.set(value, { values: Number.POSITIVE_INFINITY, levels: 0 });
  const parts = Object.values(value).map((part) => measure(part, known, depth + 1));
  const size = {
    values: parts.reduce((sum, part) => sum + part.values, 1),
    levels: parts.reduce((most, part) => Math.max(most, part.levels), 0) + 1,
  };
  known.set(value, size);
  return size;
}

function findStarts(text: string, events: readonly Event[]): Starts {
  const starts: { start: number; items: number[] }[] = [];
  let [depth, last] = [0, 0];
  let style: CollectionStyle | undefined;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      depth--;
      continue;
    }
    if (depth === 1) style = event.type === EVENT_ID.SEQUENCE ? event.style : undefined;
    if (depth === 1 || style !== undefined) {
      const { start, end } = spanOfEvent(event);
      // Not every scalar is written, and the offset of a block is after its indicator.
      const isAtDash = event.type === EVENT_ID.SCALAR && style === COLLECTION_STYLE.BLOCK;
      if (depth === 1) starts.push({ start: Math.max(start, 0), items: [] });
      else if (depth === 2) starts.at(-1)?.items.push(isAtDash ? findDash(text, last) + 1 : start);
      last = Math.max(last, end);
    }
    if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS) depth++;
  }
  return starts;
}

/** The span of a scalar or an alias, and the start of an object or a list; negative if it is not written. */
function spanOfEvent(event: Event): Span {
  if (event.type === EVENT_ID.ALIAS) return spanOfAlias(event);
  if (event.type !== EVENT_ID.SCALAR) {
    const start = "start" in event ? event.start : -1;
    return { start, end: start };
  }
  const { style, valueStart, valueEnd } = event;
  const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  const quote = isQuoted ? 1 : 0;
  return { start: valueStart - quote, end: valueEnd + quote };
}

function spanOfAlias({ anchorStart, anchorEnd }: AliasEvent): Span {
  return { start: anchorStart - 1, end: anchorEnd };
}

function findDash(text: string, from: number): number {
  const dash = /(?<=^[ \t]*)-(?=\s|$)/gm;
  dash.lastIndex = from;
  return dash.exec(text)?.index ?? from;
}

/** Finds the positions of each course in its part of the text: the package `yaml` takes much memory. */
function placesIn(text: string, starts: Starts): Pick<Parsed, "place" | "startOf"> {
  const find = ({ document, item }: CoursePlace): number | undefined =>
    item === undefined ? starts[document]?.start : starts[document]?.items[item];
  const place = async (of: CoursePlace): Promise<PlacedNode> => {
    const start = find(of) ?? 0;
    const marker = /^(?:---|\.\.\.)(?=\s|$)/gm;
    marker.lastIndex = start;
    const next = of.item === undefined ? undefined : find({ ...of, item: of.item + 1 });
    const end = next ?? marker.exec(text)?.index ?? text.length;
    const isInBrackets = of.item !== undefined && text[starts[of.document]?.start ?? -1] === "[";
    const { placeYaml } = await import("./yaml-places.ts");
    // The next item of a block begins with the dash on its line.
    const stop = isInBrackets || next === undefined ? end : lineStart(text, end);
    return placeYaml(text, { start, end: stop }, isInBrackets);
  };
  return { place: rememberLast(place), startOf: (of) => find(of) ?? 0 };
}

async function findDuplicateKeys(parsed: Pick<Parsed, "documents" | "place">): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const course of findCourses(parsed)) addDuplicates(problems, await parsed.place(course));
  return problems;
}

/** Characters that YAML does not allow outside of comments. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

function controlProblem(text: string, at: number): Problem {
  const code = text.charCodeAt(at).toString(16).padStart(4, "0").toUpperCase();
  const message = `the control character U+${code} is not allowed; remove it`;
  return syntaxProblem("YAML", message, oneAt(at));
}

/** Reads a text that js-yaml refuses at an offset, for its errors or for a closing bracket that is not indented. */
async function readRefused(text: string, at: number): Promise<Parsed> {
  if (CONTROL.test(text[at] ?? "")) return unparsed(controlProblem(text, at));
  if (!isTooLong(text)) {
    const { readYaml } = await import("./yaml-places.ts");
    const read = readYaml(text);
    if (read !== undefined && "rule" in read) return unparsed(read);
    if (read !== undefined) {
      const parsed = { documents: read.documents, ...placesIn(text, read.starts) };
      return { ...parsed, problems: await findDuplicateKeys(parsed) };
    }
  }
  const message =
    text[at - 1] === "*"
      ? "there is no anchor with this name; put a value that starts with * in quotes"
      : UNCLEAR;
  return unparsed(syntaxProblem("YAML", message, oneAt(text[at - 1] === "*" ? at - 1 : at)));
}

/** The package `yaml` takes much memory. */
const LONG = 1_000_000;
/** The package `yaml` would end the process at thousands of levels. Brackets and dashes in strings count as well. */
const MOST_OPEN = 2 * MAX_DEPTH;
const WIDEST = new RegExp(`^[ \\t?-]{${2 * MOST_OPEN}}`, "m");

function isTooLong(text: string): boolean {
  let [open, most] = [0, 0];
  for (const [bracket] of text.slice(0, LONG).matchAll(/[[\]{}]/g)) {
    open = "[{".includes(bracket) ? open + 1 : Math.max(0, open - 1);
    most = Math.max(most, open);
  }
  return text.length > LONG || most > MOST_OPEN || WIDEST.test(text);
}
