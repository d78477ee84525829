/** Parses NDJSON: one JSON value on each line. */
import { newBudget, parseJson } from "./json.ts";
import { MAX_COURSES, MAX_FINDINGS } from "./limits.ts";
import { type Parsed, positionsBy, type TextProblem } from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";

/** Parses an NDJSON text. Never throws: errors are among the problems. */
export async function parseNdjson(text: string): Promise<Parsed> {
  const documents: unknown[] = [];
  const problems: TextProblem[] = [];
  /** The line of each document. */
  const lines: Span[] = [];
  const budget = newBudget();
  for (const line of linesOf(text)) {
    const written = text.slice(line.start, line.end);
    if (written.trim() === "") continue;
    const parsed = await parseJson(written, budget);
    for (const problem of parsed.problems) problems.push(moveProblem(problem, line.start));
    if (problems.length > MAX_FINDINGS || documents.length > MAX_COURSES) break;
    if (problems.at(-1)?.rule === "too-large") break;
    for (const document of parsed.documents) {
      documents.push(document);
      lines.push(line);
    }
  }
  const positions: Parsed["positions"] = async () => {
    const { placeJson } = await import("./json-positions.ts");
    const placeLine = positionsBy(({ document }) => {
      const { start, end } = lines[document] ?? { start: 0, end: 0 };
      return moveNode(placeJson(text.slice(start, end)), start);
    }).place;
    return {
      place: ({ document, item }) => {
        const line = placeLine({ document });
        return item === undefined ? line : line?.items?.[item];
      },
    };
  };
  return { documents, problems, positions };
}

function* linesOf(text: string): Generator<Span> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    yield { start, end: end === -1 ? text.length : end };
    start = end === -1 ? text.length : end + 1;
  }
}

function move({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

function moveProblem({ span, earlier, ...problem }: TextProblem, by: number): TextProblem {
  const moved = { ...problem, span: move(span, by) };
  return earlier === undefined ? moved : { ...moved, earlier: move(earlier, by) };
}

function moveNode(node: PlacedNode, by: number): PlacedNode {
  return {
    span: move(node.span, by),
    ...(node.items && { items: node.items.map((item) => moveNode(item, by)) }),
    ...(node.entries && {
      entries: node.entries.map(({ name, key, value }) => ({
        name,
        key: move(key, by),
        value: moveNode(value, by),
      })),
    }),
  };
}
