/** Parses YAML 1.2 (core schema) into values, with positions when they are wanted. */
import { CORE_SCHEMA, constructFromEvents, type Event, parseEvents, YAMLException } from "js-yaml";
import { formatNumber } from "../base/text.ts";
import {
  MAX_DEPTH,
  MAX_EXPANSION,
  MAX_YAML_SIZE,
  MAX_YAML_VALUES,
  TOO_DEEP,
  tooManyValues,
} from "./limits.ts";
import type { Parsed, TextProblem } from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";
import { escapeBeyond } from "./yaml-escapes.ts";
import { openingBefore, yamlFault, yamlReason } from "./yaml-fault.ts";
import { tooManyAt } from "./yaml-limits.ts";
import { complexKeys, duplicateKeys, placeEvents } from "./yaml-places.ts";

/** The parser counts the value that stands deepest as a level of its own. */
const DEPTH_READ = MAX_DEPTH + 1;

/** Parses a YAML text. Never throws: what is wrong with the text is among the problems. */
export function parseYaml(text: string): Parsed {
  const refused = refusedBefore(text);
  if (refused !== undefined) return unparsed(refused);
  let events: Event[];
  try {
    events = parseEvents(text, { maxDepth: DEPTH_READ });
  } catch (error) {
    return unparsed(problemOf(error, text));
  }
  const beyond = escapeBeyond(events, text);
  if (beyond !== undefined) return unparsed(beyond);
  const places = (): readonly PlacedNode[] =>
    placeEvents(parseEvents(text, { maxDepth: DEPTH_READ }), text);
  // Hardly any course file has the sign of an alias at all, and a text is searched in no time.
  const many = text.includes("*") ? tooManyAt(events, text, MAX_EXPANSION) : undefined;
  if (many !== undefined) {
    return unparsed({
      rule: "too-many-aliases",
      message: `aliases stand for more than ${formatNumber(MAX_EXPANSION)} values in this file`,
      span: many,
    });
  }
  try {
    const documents = constructFromEvents(events, { source: text, schema: CORE_SCHEMA });
    return { documents, problems: [], places };
  } catch (error) {
    const repeated = duplicateKeys(events, text);
    if (repeated.length === 0)
      return unparsed(problemOf(error, text, complexKeys(events, text)[0]));
    return { documents: withoutRepeats(events, text), problems: repeated, places };
  }
}

/** What the parser would take long, or much memory, to refuse, or to read. */
function refusedBefore(text: string): TextProblem | undefined {
  const nul = text.indexOf("\0");
  if (nul !== -1) {
    const message = "not valid YAML: a NUL character stands here";
    return { rule: "syntax", message, span: { start: nul, end: nul + 1 } };
  }
  if (text.length > MAX_YAML_SIZE) {
    const most = MAX_YAML_SIZE / 1024 / 1024;
    const message = `larger than ${most} MiB, the most for a YAML file: make several files of it, or JSON`;
    return { rule: "too-large", message, span: { start: 0, end: 1 } };
  }
  const at = beyondValues(text);
  if (at === undefined) return undefined;
  return {
    rule: "too-large",
    message: tooManyValues(MAX_YAML_VALUES),
    span: { start: at, end: at + 1 },
  };
}

/** The offset at which a text has more lines, commas and opening brackets than values are allowed. */
function beyondValues(text: string): number | undefined {
  // Each takes a character at the least.
  if (text.length < MAX_YAML_VALUES) return undefined;
  let values = 0;
  for (const { index } of text.matchAll(/[\n,[{]/g)) {
    if (++values > MAX_YAML_VALUES) return index;
  }
  return undefined;
}

/** The documents all the same, so that the rest of their mistakes can be told with these. */
function withoutRepeats(events: Event[], text: string): readonly unknown[] {
  try {
    return constructFromEvents(events, { source: text, schema: CORE_SCHEMA, json: true });
  } catch {
    return [];
  }
}

function unparsed(problem: TextProblem): Parsed {
  return { documents: [], problems: [problem], places: () => [] };
}

function problemOf(error: unknown, text: string, complexKey?: Span): TextProblem {
  if (error instanceof YAMLException) {
    if (error.reason.startsWith("nesting exceeded")) {
      return { rule: "too-deep", message: TOO_DEEP, span: openingBefore(error, text) };
    }
    const span =
      complexKey !== undefined && error.reason.includes("complex keys")
        ? complexKey
        : yamlFault(error, text);
    return { rule: "syntax", message: `not valid YAML: ${yamlReason(error, text)}`, span };
  }
  // Such as a tag of megabytes, on which the parser runs out of stack.
  const message = "not valid YAML: it could not be read";
  return { rule: "syntax", message, span: { start: 0, end: 0 } };
}
