/**
 * Parses YAML 1.2 with js-yaml. In its core schema, dates and `no` are strings, and there are no merge keys. js-yaml
 * reports events with offsets, from which values, positions and errors are derived.
 */
import { constructFromEvents, EVENT_ID, type Event, parseEvents, SCALAR_STYLE } from "js-yaml";
import { attempt } from "../base/errors.ts";
import { MAX_DEPTH, MAX_VALUES, tooDeep, tooMany } from "./limits.ts";
import { type Parsed, type TextProblem, unparsed } from "./parsed.ts";
import { describeYamlError, invalidCharacter, invalidEscape, unknownTag } from "./yaml-errors.ts";
import { parseBrackets } from "./yaml-leniency.ts";
import { findYamlProblems, offsetOf, placeYaml } from "./yaml-positions.ts";

/** Parses YAML: `name: Knitting` is the document `{ name: "Knitting" }`. Never throws: errors are among the problems. */
export async function parseYaml(text: string): Promise<Parsed> {
  // js-yaml would run out of memory while it describes a NUL in a long line.
  const nul = text.indexOf("\0");
  if (nul !== -1) return unparsed(invalidCharacter(text, nul));
  const limit = findBeyond(text, PARTS, MAX_VALUES);
  if (limit !== undefined) return unparsed(tooMany("lines, commas and escapes", limit));
  const events = readEvents(text);
  if ("rule" in events) return unparsed(events);
  const parsed = construct(text, events);
  if ("rule" in parsed) return unparsed(parsed);
  const [, first] = events;
  // The events take far more memory than the text, and are rarely needed after the file was checked.
  const held = new WeakRef(events);
  return {
    ...parsed,
    positions: async () => {
      const again = held.deref() ?? readEvents(text);
      return placeYaml(text, "rule" in again ? [] : again);
    },
    ...(parsed.documents.length === 1 && first?.type === EVENT_ID.MAPPING
      ? { start: first.start }
      : {}),
  };
}

/** The events of a text, or the text's first syntax error. */
function readEvents(text: string): Event[] | TextProblem {
  // js-yaml also counts the innermost value as a level.
  const options = { maxDepth: MAX_DEPTH + 1 };
  try {
    return parseEvents(text, options);
  } catch (error) {
    try {
      return parseBrackets(text, error, options) ?? describeYamlError(error, text);
    } catch (next) {
      return describeYamlError(next, text);
    }
  }
}

/** The documents with the problems of their keys, or why there are no documents. */
function construct(
  text: string,
  events: Event[],
): Pick<Parsed, "documents" | "problems"> | TextProblem {
  const refusal = exceeded(events) ?? findBeyondUnicode(text, events);
  if (refusal !== undefined) return refusal;
  const options = { source: text };
  const hasAliases = events.some(({ type }) => type === EVENT_ID.ALIAS);
  const documents = attempt(() => constructFromEvents(events, options));
  if (documents !== undefined && !hasAliases) return { documents, problems: [] };
  const problems = findYamlProblems(text, events);
  const [fatal] = problems.filter(({ rule }) => rule !== "duplicate-key");
  if (fatal !== undefined) return fatal;
  if (documents !== undefined) return { documents, problems: [] };
  try {
    // With `json`, the last of two equal keys counts.
    return { documents: constructFromEvents(events, { ...options, json: true }), problems };
  } catch (error) {
    return unknownTag(error, text);
  }
}

/** Matches what events begin with, and what takes memory while a string is read. */
const PARTS = /[\n,[{]|''|\\.|[-?:](?=\s)/g;

/** The offset of the first match after `most` matches; undefined if there is none. */
function findBeyond(text: string, pattern: RegExp, most: number): number | undefined {
  if (text.length < most) return undefined;
  let matches = 0;
  for (const { index } of text.matchAll(pattern)) {
    if (++matches > most) return index;
  }
  return undefined;
}

function exceeded(events: readonly Event[]): TextProblem | undefined {
  let values = 0;
  // A document also counts as a level.
  let depth = -1;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) depth--;
    else if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS) depth++;
    if (depth > MAX_DEPTH) return tooDeep(offsetOf(event));
    // An entry has two scalars, and a collection has two events.
    if (event.type !== EVENT_ID.ALIAS) values += 0.5;
    if (values > MAX_VALUES) return tooMany("values", offsetOf(event));
  }
  return undefined;
}

/** Finds an escape such as `\U00110000`, which Unicode does not have, and js-yaml reads as other characters. */
function findBeyondUnicode(text: string, events: readonly Event[]): TextProblem | undefined {
  if (!text.includes("\\U")) return undefined;
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.DOUBLE_QUOTED) continue;
    const escapes = text.slice(event.valueStart, event.valueEnd).matchAll(ESCAPES);
    for (const { index, groups } of escapes) {
      if (groups?.beyond !== undefined) return invalidEscape(text, event.valueStart + index);
    }
  }
  return undefined;
}

const ESCAPES = /\\(?:(?<beyond>U(?!00(?:0|10)))|.)/gs;
