/** Parses JSON into values, with positions when they are wanted. */
import { type AnyNode, type DocumentNode, parse } from "@humanwhocodes/momoa";
import { isList, isMapping } from "../base/values.ts";
import { endOfContent, jsonFault } from "./json-fault.ts";
import { scanJson } from "./json-scan.ts";
import { MAX_DEPTH, TOO_DEEP } from "./limits.ts";
import { duplicateKey, type Parsed, type TextProblem } from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";

/** Parses a JSON text. Never throws: what is wrong with the text is among the problems. */
export function parseJson(text: string): Parsed {
  if (text.trim() === "") return { documents: [], problems: [], places: () => [] };
  const { tooDeep, keys } = scanJson(text, MAX_DEPTH);
  if (tooDeep !== undefined) {
    const span = { start: tooDeep, end: tooDeep + 1 };
    return unparsed({ rule: "too-deep", message: TOO_DEEP, span });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unparsed(syntaxProblem(text));
  }
  const places = (): readonly PlacedNode[] => [placeOf(parse(text, { ranges: true }).body)];
  const problems = keys === heldKeys(value) ? [] : repeatedKeys(parse(text, { ranges: true }));
  return { documents: [value], problems, places };
}

function unparsed(problem: TextProblem): Parsed {
  return { documents: [], problems: [problem], places: () => [] };
}

/** How many keys the parsed value holds; fewer than were written means that some repeat. */
function heldKeys(value: unknown): number {
  if (isList(value)) return value.reduce<number>((sum, item) => sum + heldKeys(item), 0);
  if (!isMapping(value)) return 0;
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
      : `${JSON.stringify(found)} does not belong here`;
  const span = { start: at, end: ends ? at : at + 1 };
  return { rule: "syntax", message: `not valid JSON: ${what}`, span };
}

function repeatedKeys(tree: DocumentNode): TextProblem[] {
  const problems: TextProblem[] = [];
  const open: AnyNode[] = [tree.body];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "Array") for (const { value } of node.elements) open.push(value);
    if (node.type !== "Object") continue;
    const first = new Map<string, Span>();
    for (const member of node.members) {
      const name = nameOf(member.name);
      const span = spanOf(member.name);
      const earlier = first.get(name);
      if (earlier === undefined) first.set(name, span);
      else problems.push(duplicateKey(name, span, earlier));
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
