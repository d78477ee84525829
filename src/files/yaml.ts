/** Parses YAML 1.2 (core schema) into values, with positions when they are wanted. */
import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  parseEvents,
  YAMLException,
} from "js-yaml";
import { grouped } from "../base/text.ts";
import { isList, isMapping } from "../base/values.ts";
import { MAX_DEPTH, MAX_EXPANSION, TOO_DEEP } from "./limits.ts";
import type { Parsed, TextProblem } from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";
import { duplicateKeys, placeEvents } from "./yaml-places.ts";

/** Parses a YAML text. Never throws: what is wrong with the text is among the problems. */
export function parseYaml(text: string): Parsed {
  let events: Event[];
  try {
    events = parseEvents(text, { maxDepth: MAX_DEPTH });
  } catch (error) {
    return unparsed(problemOf(error, text));
  }
  const places = (): readonly PlacedNode[] =>
    placeEvents(parseEvents(text, { maxDepth: MAX_DEPTH }), text);
  try {
    const documents = constructFromEvents(events, { source: text, schema: CORE_SCHEMA });
    if (holdsAliases(events, text) && expandsTooFar(documents)) {
      return unparsed({
        rule: "too-many-aliases",
        message: `aliases stand for more than ${grouped(MAX_EXPANSION)} values in this file`,
        span: aliasSpan(events),
      });
    }
    return { documents, problems: [], places };
  } catch (error) {
    const repeated = duplicateKeys(events, text);
    if (repeated.length === 0) return unparsed(problemOf(error, text));
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

function problemOf(error: unknown, text: string): TextProblem {
  if (error instanceof YAMLException) {
    const start = Math.min(error.mark?.position ?? 0, text.length);
    const span = { start, end: start + 1 };
    return error.reason.startsWith("nesting exceeded")
      ? { rule: "too-deep", message: TOO_DEEP, span }
      : { rule: "syntax", message: `not valid YAML: ${error.reason}`, span };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { rule: "syntax", message: `not valid YAML: ${message}`, span: { start: 0, end: 0 } };
}

/** Hardly any course file has the sign of an alias at all, and a text is searched in no time. */
function holdsAliases(events: readonly Event[], text: string): boolean {
  return text.includes("*") && events.some((event) => event.type === EVENT_ID.ALIAS);
}

/** Whether the values, with every alias written out, are more than a course file can mean. */
function expandsTooFar(documents: readonly unknown[]): boolean {
  const open: unknown[] = [...documents];
  let values = 0;
  while (open.length > 0) {
    if (++values > MAX_EXPANSION) return true;
    const value = open.pop();
    if (isList(value)) open.push(...value);
    else if (isMapping(value)) open.push(...Object.values(value));
  }
  return false;
}

function aliasSpan(events: readonly Event[]): Span {
  for (const event of events) {
    if (event.type === EVENT_ID.ALIAS)
      return { start: event.anchorStart - 1, end: event.anchorEnd };
  }
  return { start: 0, end: 0 };
}
