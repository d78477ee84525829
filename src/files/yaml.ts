/**
 * Parses YAML 1.2 with js-yaml. In its core schema, dates and `no` are strings, and there are no merge keys. Positions come
 * from the events of the same parser; the package `yaml`, which takes several times as long, finds what is wrong.
 */
import { constructFromEvents, type Event, parseEvents, YAMLException } from "js-yaml";
import { attempt } from "../base/errors.ts";
import { memoize } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import { oneAt } from "./diagnostic.ts";
import { parseJson } from "./json.ts";
import { LIMITS, tooDeep, tooMany, tooManyAliases } from "./limits.ts";
import {
  type CoursePlace,
  findDuplicates,
  type Parsed,
  rememberLast,
  syntaxProblem,
  UNCLEAR,
  unparsed,
} from "./parsed.ts";
import { YamlPlaces } from "./yaml-places.ts";

/** Parses YAML: `name: Knitting` is the document `{ name: "Knitting" }`. Never throws: errors are among the problems. */
export async function parseYaml(text: string): Promise<Parsed> {
  if (/^\s*[[{]/.test(text)) {
    // JSON is YAML, and is read faster and at any size.
    const json = await parseJson(text);
    if (!json.problems.some(({ rule }) => rule === "syntax")) return json;
  }
  const fault = findFault(text);
  return fault === undefined ? await parseDocuments(text) : unparsed(fault);
}

/** @param isRepaired whether the text is already what js-yaml should read instead of a text that it refuses */
async function parseDocuments(text: string, isRepaired = false): Promise<Parsed> {
  let events: Event[];
  let documents: readonly unknown[];
  let hasDuplicates = false;
  try {
    // js-yaml also counts the innermost value as a level.
    events = parseEvents(text, { maxDepth: LIMITS.depth + 1 });
    const options = { source: text, maxAliases: LIMITS.aliases };
    const strict = attempt(() => constructFromEvents(events, options));
    hasDuplicates = strict === undefined;
    // Of equal keys of an object, the last one counts.
    documents = strict ?? constructFromEvents(events, { ...options, json: true });
  } catch (error) {
    // In a tag of millions of characters, a regular expression of js-yaml runs out of stack.
    const { reason = "", mark } = error instanceof YAMLException ? error : {};
    const at = mark?.position ?? 0;
    if (reason.includes("maxDepth")) return unparsed(tooDeep(at));
    if (reason.includes("maxAliases")) return unparsed(tooManyAliases(at));
    if (isRepaired) return unparsed(syntaxProblem("YAML", UNCLEAR, oneAt(at)));
    const { readRefused } = await import("./yaml-errors.ts");
    const repaired = readRefused(text, at);
    return typeof repaired === "string" ? await parseDocuments(repaired, true) : unparsed(repaired);
  }
  const alias = text.lastIndexOf("*");
  if (alias !== -1 && isExpanded(documents)) return unparsed(tooManyAliases(alias));
  const places = memoize(() => new YamlPlaces(text, events));
  const place = rememberLast(async (of) => places().place(of));
  const startOf = (of: CoursePlace): number => {
    const [, root] = events;
    // Most files have one course, for which nothing is measured.
    const isOnly = of.document === 0 && of.item === undefined;
    return isOnly && root !== undefined && "start" in root ? root.start : places().startOf(of);
  };
  const parsed = { documents, place, startOf };
  return { ...parsed, problems: hasDuplicates ? await findDuplicates(parsed) : [] };
}

/**
 * Characters that YAML does not allow, and escapes of characters that Unicode does not have. js-yaml would run out of
 * memory while it describes one in a long line, and reads such an escape as other characters.
 */
const UNKNOWN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|\\U(?!00(?:0|10))[\da-fA-F]{8}/;

/** What values begin with, and what takes memory while a string is read: js-yaml needs hundreds of bytes for each. */
const PARTS = /[\n,[{]|''|\\.|[-?:](?=\s)/g;

/** The problem of a text that js-yaml cannot read. */
function findFault(text: string): Problem | undefined {
  const at = text.search(UNKNOWN);
  const message = "YAML does not allow this character: remove it";
  if (at !== -1) return syntaxProblem("YAML", message, oneAt(at));
  let parts = 0;
  for (const { index } of text.length < LIMITS.values ? [] : text.matchAll(PARTS)) {
    if (++parts > LIMITS.values) return tooMany("values", index);
  }
  return undefined;
}

/** Whether aliases repeat too many values or levels: a few aliases of aliases can mean billions. */
function isExpanded(documents: readonly unknown[]): boolean {
  let values = 0;
  const isBeyond = (value: unknown, depth: number): boolean => {
    if (++values > LIMITS.values || depth > LIMITS.depth) return true;
    if (typeof value !== "object" || value === null) return false;
    return Object.values(value).some((part) => isBeyond(part, depth + 1));
  };
  return documents.some((value) => isBeyond(value, 0));
}
