/**
 * Parses YAML 1.2 with js-yaml. In its core schema, dates and `no` are strings, and there are no merge keys. Positions and
 * errors come from the package `yaml`, which takes several times as long and is loaded when they are needed.
 */
import { constructFromEvents, EVENT_ID, type Event } from "js-yaml";
import { MAX_DEPTH, MAX_VALUES, tooDeep, tooMany } from "./limits.ts";
import { type Parsed, type Positions, type TextProblem, unparsed } from "./parsed.ts";
import { oneAt } from "./position.ts";
import { findDuplicateKeys, syntaxProblem, UNPLACED_DUPLICATE } from "./text-problems.ts";
import {
  errorOffset,
  findAliasProblem,
  findStarts,
  isTooDeep,
  readEvents,
  type Starts,
  startIn,
} from "./yaml-events.ts";

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
  const limit = findBeyond(text, PARTS, MAX_VALUES);
  if (limit !== undefined) return unparsed(tooMany("lines, commas and escapes", limit));
  const events = readEvents(text);
  if (typeof events === "number") return await readRefused(text, events);
  const hasAliases = events.some(({ type }) => type === EVENT_ID.ALIAS);
  const problem = hasAliases ? findAliasProblem(text, events) : undefined;
  if (problem !== undefined) return unparsed(problem);
  const starts = findStarts(events);
  const startOf = (of: Parameters<Parsed["startOf"]>[0]): number => startIn(starts, of) ?? 0;
  const parsed = { positions: () => findPositions(text, starts), startOf };
  const documents = construct(events, { source: text });
  if (Array.isArray(documents)) return { ...parsed, documents, problems: [] };
  // With `json`, the last of two equal keys counts.
  const last = construct(events, { source: text, json: true });
  if (!Array.isArray(last)) return await readRefused(text, errorOffset(last));
  const found = findDuplicateKeys({ documents: last }, await parsed.positions());
  const problems = found.length > 0 ? found : [UNPLACED_DUPLICATE];
  return { ...parsed, documents: last, problems };
}

/** The documents, or the error of js-yaml. */
function construct(
  events: readonly Event[],
  options: Parameters<typeof constructFromEvents>[1],
): unknown {
  try {
    return constructFromEvents([...events], options);
  } catch (error) {
    return error;
  }
}

/** The package `yaml` takes much memory: in a longer text, it reads one course at a time. */
const LONG = 1_000_000;

async function findPositions(text: string, starts: Starts): Promise<Positions> {
  const { placeYaml, placeSlices } = await import("./yaml-places.ts");
  return text.length <= LONG ? placeYaml(text) : placeSlices(text, starts);
}

/** Escapes such as `\U00110000`, which js-yaml reads as other characters. */
const BEYOND_UNICODE = /\\U(?!00(?:0|10))[\da-fA-F]{8}/;

/** Characters that YAML does not allow outside of comments. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

function controlProblem(text: string, at: number): TextProblem {
  const code = text.charCodeAt(at).toString(16).padStart(4, "0").toUpperCase();
  const message = `the control character U+${code} is not allowed; remove it`;
  return syntaxProblem("YAML", message, oneAt(at));
}

/** Reads a text that js-yaml refuses at an offset, for its errors or for a closing bracket that is not indented. */
async function readRefused(text: string, at: number): Promise<Parsed> {
  if (isTooDeep(text)) return unparsed(tooDeep(at));
  if (CONTROL.test(text[at] ?? "")) return unparsed(controlProblem(text, at));
  // The package `yaml` would end the process at thousands of open brackets.
  if (text.length > LONG || countOpen(text) > MAX_OPEN) return unparsed(unclear(at));
  const { readYaml } = await import("./yaml-places.ts");
  return readYaml(text) ?? unparsed(unclear(at));
}

function unclear(at: number): TextProblem {
  return syntaxProblem("YAML", "check the quotes, brackets and indentation here", oneAt(at));
}

/** Brackets in strings count as well. */
const MAX_OPEN = 2 * MAX_DEPTH;

/** How many brackets are open at once, at most. */
function countOpen(text: string): number {
  let [open, most] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = "[{".includes(bracket) ? open + 1 : Math.max(0, open - 1);
    most = Math.max(most, open);
  }
  return most;
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
