/** Parses JSON into values, with positions when they are wanted. */
import { type AnyNode, type DocumentNode, parse } from "@humanwhocodes/momoa";
import { isList, isMapping, once } from "../base/values.ts";
import { MAX_DEPTH } from "./limits.ts";
import type { Parsed, TextProblem } from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";

/** Parses a JSON text. Never throws: what is wrong with the text is among the problems. */
export function parseJson(text: string): Parsed {
  if (text.trim() === "") return { documents: [], problems: [], places: () => [] };
  const deep = tooDeepAt(text);
  if (deep !== undefined) {
    const message = `not valid JSON: more than ${MAX_DEPTH} mappings and lists inside one another`;
    return unparsed({ rule: "syntax", message, span: { start: deep, end: deep + 1 } });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return unparsed(syntaxProblem(text, error));
  }
  const tree = once(() => parse(text, { ranges: true }));
  const places = once(() => [placeOf(tree().body)]);
  const problems = writtenKeys(text) === heldKeys(value) ? [] : repeatedKeys(tree());
  return { documents: [value], problems, places };
}

function unparsed(problem: TextProblem): Parsed {
  return { documents: [], problems: [problem], places: () => [] };
}

/** The offset at which nesting passes the limit; strings are stepped over. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[{]|[\]}]/gs)) {
    const first = match[0];
    if (first === "[" || first === "{") {
      if (++depth > MAX_DEPTH) return match.index;
    } else if (first === "]" || first === "}") depth--;
  }
  return undefined;
}

/** How many keys a valid JSON text writes: its strings that a colon follows. */
function writtenKeys(text: string): number {
  let keys = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/gs)) {
    if (match[1] !== undefined) keys++;
  }
  return keys;
}

/** How many keys the parsed value holds; fewer than were written means that some repeat. */
function heldKeys(value: unknown): number {
  if (isList(value)) return value.reduce<number>((sum, item) => sum + heldKeys(item), 0);
  if (!isMapping(value)) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, item) => sum + heldKeys(item), inner.length);
}

function syntaxProblem(text: string, error: unknown): TextProblem {
  const at = offsetOf(text, error);
  const found = text[at];
  const what =
    found === undefined || at >= text.length
      ? "it ends too early"
      : `${JSON.stringify(found)} does not belong here`;
  return { rule: "syntax", message: `not valid JSON: ${what}`, span: { start: at, end: at + 1 } };
}

/** Where the text stops being JSON. The second parser knows the place, which the first may not say. */
function offsetOf(text: string, error: unknown): number {
  try {
    parse(text);
  } catch (again) {
    if (isMapping(again) && /end of input/.test(String(again.message)))
      return text.trimEnd().length;
    if (isMapping(again) && typeof again.offset === "number") return again.offset;
  }
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
  return position === undefined ? 0 : Number(position);
}

function repeatedKeys(tree: DocumentNode): TextProblem[] {
  const problems: TextProblem[] = [];
  const open: AnyNode[] = [tree.body];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "Array") open.push(...node.elements.map((element) => element.value));
    if (node.type !== "Object") continue;
    const names = new Set<string>();
    for (const member of node.members) {
      const name = nameOf(member.name);
      if (names.has(name)) {
        const message = `${name} stands twice in one mapping`;
        problems.push({ rule: "duplicate-key", message, span: spanOf(member.name) });
      }
      names.add(name);
      open.push(member.value);
    }
  }
  return problems.sort((one, other) => one.span.start - other.span.start);
}

function placeOf(node: AnyNode): PlacedNode {
  const span = spanOf(node);
  if (node.type === "Array") {
    return { span, items: node.elements.map((element) => placeOf(element.value)) };
  }
  if (node.type !== "Object") return { span };
  const entries = node.members.map(
    (member) =>
      [nameOf(member.name), { key: spanOf(member.name), value: placeOf(member.value) }] as const,
  );
  return { span, entries: new Map(entries) };
}

function nameOf(node: AnyNode): string {
  if (node.type === "String") return node.value;
  return node.type === "Identifier" ? node.name : "";
}

function spanOf(node: AnyNode): Span {
  const [start, end] = node.range ?? [0, 0];
  return { start, end };
}
