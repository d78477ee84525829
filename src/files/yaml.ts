/**
 * Parses YAML 1.2 with js-yaml. In its core schema, dates and `no` are strings, and there are no merge keys. Positions and
 * errors come from the package `yaml`, which takes several times as long and is loaded when they are needed.
 */
import { loadAll, YAMLException } from "js-yaml";
import { isList } from "../base/values.ts";
import type { Problem, Span } from "../course/problem.ts";
import { oneAt } from "./diagnostic.ts";
import { parseJson } from "./json.ts";
import { MAX_ALIASES, MAX_DEPTH, MAX_VALUES, tooDeep, tooMany, tooManyAliases } from "./limits.ts";
import {
  findDuplicates,
  type Parsed,
  type Part,
  type Place,
  rememberLast,
  spanIn,
  startIn,
  syntaxProblem,
  UNCLEAR,
  unparsed,
} from "./parsed.ts";

/** Parses YAML: `name: Knitting` is the document `{ name: "Knitting" }`. Never throws: errors are among the problems. */
export async function parseYaml(text: string): Promise<Parsed> {
  if (/^\s*[[{]/.test(text)) {
    // JSON is YAML, and is read faster and at any size.
    const json = await parseJson(text);
    if (!json.problems.some(({ rule }) => rule === "syntax")) return json;
  }
  const fault = findFault(text);
  if (fault !== undefined) return unparsed(fault);
  const strict = load(text, false);
  const isDuplicate = "reason" in strict && strict.reason.startsWith("duplicated");
  // The last of two equal keys counts.
  const loaded = isDuplicate ? load(text, true) : strict;
  const documents = "reason" in loaded ? await readRefused(text, loaded) : loaded;
  if ("rule" in documents) return unparsed(documents);
  const alias = text.lastIndexOf("*");
  if (alias !== -1 && isExpanded(documents)) return unparsed(tooManyAliases(alias));
  const parsed = { documents, problems: [], ...placesIn(text, documents) };
  if (documents === strict) return parsed;
  return { ...parsed, problems: await findDuplicates(parsed, isDuplicate) };
}

/** Why and where js-yaml refuses a text. */
interface Refusal {
  readonly reason: string;
  readonly at: number;
}

/** @param json whether an object may have a key twice */
function load(text: string, json: boolean): unknown[] | Refusal {
  try {
    // js-yaml also counts the innermost value as a level.
    return loadAll(text, { maxDepth: MAX_DEPTH + 1, maxAliases: MAX_ALIASES, json });
  } catch (error) {
    // In a tag of millions of characters, a regular expression of js-yaml runs out of stack.
    if (!(error instanceof YAMLException)) return { reason: "", at: 0 };
    return { reason: error.reason, at: error.mark?.position ?? 0 };
  }
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
  for (const { index } of text.length < MAX_VALUES ? [] : text.matchAll(PARTS)) {
    if (++parts > MAX_VALUES) return tooMany("values", index);
  }
  return undefined;
}

/** Whether aliases repeat too many values or levels: a few aliases of aliases can mean billions. */
function isExpanded(documents: readonly unknown[]): boolean {
  let values = 0;
  const isBeyond = (value: unknown, depth: number): boolean => {
    if (++values > MAX_VALUES || depth > MAX_DEPTH) return true;
    if (typeof value !== "object" || value === null) return false;
    return Object.values(value).some((part) => isBeyond(part, depth + 1));
  };
  return documents.some((value) => isBeyond(value, 0));
}

/** Finds the positions of each course in its part of the text: the package `yaml` takes much memory. */
function placesIn(text: string, documents: readonly unknown[]): Pick<Parsed, "place" | "startOf"> {
  const found = findDocuments(text);
  const isSplit = found.length === documents.length;
  const parts = documents.map((value, index): Part => {
    const span = (isSplit ? found[index] : undefined) ?? { start: 0, end: text.length };
    const items = isList(value) ? findItems(text, span) : [];
    return { ...span, items: isList(value) && items.length === value.length ? items : [] };
  });
  const place: Place = async (of) => {
    const { items = [] } = parts[of.document] ?? {};
    if (of.item === undefined && items.length > 0) {
      const placed = await Promise.all(items.map((_, item) => place({ ...of, item })));
      const [start = 0, end = 0] = [items[0], placed.at(-1)?.span.end];
      return { span: { start, end }, items: placed };
    }
    const { placeYaml } = await import("./yaml-places.ts");
    const inPart = { document: isSplit ? 0 : of.document, item: items.length > 0 ? 0 : of.item };
    return placeYaml(text, spanIn(parts, of), inPart);
  };
  return { place: rememberLast(place), startOf: startIn(text, parts) };
}

/** The spans of the documents of a text, each after its marker; not the right number if a document has none after `...`. */
function findDocuments(text: string): Span[] {
  const markers = Array.from(text.matchAll(/^---(?=\s|$)/gm), ({ index }) => index);
  const isFirst = /^(?!%)[ \t]*[^#\s]/m.test(text.slice(0, markers[0]));
  const starts = [...(isFirst ? [0] : []), ...markers.map((index) => index + "---".length)];
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? text.length }));
}

/** The offsets of the lines on which the items of a block begin: those with the indentation of the first dash. */
function findItems(text: string, { start, end }: Span): number[] {
  const dashes = [...text.slice(start, end).matchAll(/^( *)-(?=\s|$)/gm)];
  const items = dashes.filter(([, indentation]) => indentation === dashes[0]?.[1]);
  return items.map(({ index }) => start + index);
}

/** Finds what is wrong with a text that js-yaml refuses or, if nothing is, reads it with the package `yaml`. */
async function readRefused(text: string, { reason, at }: Refusal) {
  if (reason.includes("maxDepth")) return tooDeep(at);
  if (reason.includes("maxAliases")) return tooManyAliases(at);
  const { isTooLong, readYaml } = await import("./yaml-places.ts");
  const read = isTooLong(text) ? undefined : readYaml(text);
  if (read !== undefined) return read;
  const isAlias = reason.includes("alias");
  const message = isAlias ? "no anchor has this name: put the text with * in quotes" : UNCLEAR;
  return syntaxProblem("YAML", message, oneAt(isAlias ? at - 1 : at));
}
