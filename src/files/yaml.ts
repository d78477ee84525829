/** Parses YAML 1.2 (core schema) into values, with positions when they are wanted. */
import { CORE_SCHEMA, constructFromEvents, type Event, parseEvents, YAMLException } from "js-yaml";
import { grouped } from "../base/text.ts";
import { MAX_DEPTH, MAX_EXPANSION, TOO_DEEP } from "./limits.ts";
import type { Parsed, TextProblem } from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";
import { openingBefore, yamlFault, yamlReason } from "./yaml-fault.ts";
import { tooManyAt } from "./yaml-limits.ts";
import { complexKeys, duplicateKeys, placeEvents } from "./yaml-places.ts";

/** The parser counts the value that stands deepest as a level of its own. */
const DEPTH_READ = MAX_DEPTH + 1;

/** Parses a YAML text. Never throws: what is wrong with the text is among the problems. */
export function parseYaml(text: string): Parsed {
  let events: Event[];
  try {
    events = parseEvents(text, { maxDepth: DEPTH_READ });
  } catch (error) {
    return unparsed(problemOf(error, text));
  }
  const places = (): readonly PlacedNode[] =>
    placeEvents(parseEvents(text, { maxDepth: DEPTH_READ }), text);
  try {
    const documents = constructFromEvents(events, { source: text, schema: CORE_SCHEMA });
    // Hardly any course file has the sign of an alias at all, and a text is searched in no time.
    const many = text.includes("*") ? tooManyAt(events, text, MAX_EXPANSION) : undefined;
    if (many !== undefined) {
      return unparsed({
        rule: "too-many-aliases",
        message: `aliases stand for more than ${grouped(MAX_EXPANSION)} values in this file`,
        span: many,
      });
    }
    return { documents, problems: [], places };
  } catch (error) {
    const repeated = duplicateKeys(events, text);
    if (repeated.length === 0)
      return unparsed(problemOf(error, text, complexKeys(events, text)[0]));
    return { documents: withoutRepeats(events, text), problems: repeated, places };
  }
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
  const message = error instanceof Error ? error.message : String(error);
  return { rule: "syntax", message: `not valid YAML: ${message}`, span: { start: 0, end: 0 } };
}
