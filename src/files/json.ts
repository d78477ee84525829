/** Parses JSON into values, with positions when they are wanted. */
import { isList, isObject } from "../base/values.ts";
import { endOfContent, jsonFault } from "./json-fault.ts";
import { placeJson, repeatedKeys } from "./json-places.ts";
import { scanJson } from "./json-scan.ts";
import { MAX_DEPTH, MAX_FINDINGS, MAX_JSON_VALUES, TOO_DEEP, tooManyValues } from "./limits.ts";
import type { Parsed, TextProblem } from "./parsed.ts";
import type { PlacedNode } from "./position.ts";

/** Parses a JSON text. Never throws: what is wrong with the text is among the problems. */
export function parseJson(text: string): Parsed {
  if (endOfContent(text) === 0) return { documents: [], problems: [], places: () => [] };
  const { tooDeep, tooMany, keys } = scanJson(text, MAX_DEPTH, MAX_JSON_VALUES);
  if (tooDeep !== undefined) {
    const span = { start: tooDeep, end: tooDeep + 1 };
    return unparsed({ rule: "too-deep", message: TOO_DEEP, span });
  }
  if (tooMany !== undefined) {
    const span = { start: tooMany, end: tooMany + 1 };
    return unparsed({ rule: "too-large", message: tooManyValues(MAX_JSON_VALUES), span });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unparsed(syntaxProblem(text));
  }
  const places = (): readonly PlacedNode[] => [placeJson(text)];
  const problems = keys === heldKeys(value) ? [] : repeatedKeys(text, MAX_FINDINGS);
  return { documents: [value], problems, places };
}

/** The usual reason for what does not belong where it stands. */
function remedy(text: string, at: number): string {
  const found = text[at] ?? "";
  const before = text
    .slice(Math.max(0, at - 200), at)
    .trimEnd()
    .slice(-1);
  if (before === "," && /[}\]]/.test(found)) return ": take away the comma before it";
  if (found === "'") return ": texts stand in double quotation marks";
  if (found === "/" || found === "#") return ": JSON knows no comments";
  if (/["}\]\w]/.test(before) && /["{[\w-]/.test(found)) return ": is a comma missing before it?";
  return "";
}

function unparsed(problem: TextProblem): Parsed {
  return { documents: [], problems: [problem], places: () => [] };
}

/** How many keys the parsed value holds; fewer than were written means that some repeat. */
function heldKeys(value: unknown): number {
  if (isList(value)) return value.reduce<number>((sum, item) => sum + heldKeys(item), 0);
  if (!isObject(value)) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, item) => sum + heldKeys(item), inner.length);
}

function syntaxProblem(text: string): TextProblem {
  const at = jsonFault(text);
  const found = text[at];
  const ends = at >= endOfContent(text);
  const what =
    ends || found === undefined
      ? "it ends too early"
      : `${JSON.stringify(found)} does not belong here${remedy(text, at)}`;
  const span = { start: at, end: ends ? at : at + 1 };
  return { rule: "syntax", message: `not valid JSON: ${what}`, span };
}
