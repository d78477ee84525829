/**
 * Reads a YAML text that is too long for `yaml` part by part: the items of its list, or its documents.
 * Aliases of an anchor in another part are refused.
 */
import { isList } from "../base/values.ts";
import { MAX_SLOW_YAML } from "./limits.ts";
import { type ParsedCourse, type Positions, positionsBy } from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";
import { placeYaml } from "./yaml-positions.ts";

/** The parts of a source text; undefined if it is neither a list nor several documents. */
function findParts(text: string, documents: readonly unknown[]): readonly Span[] | undefined {
  const [root] = documents;
  const isOneList = documents.length === 1 && isList(root);
  const count = isOneList ? root.length : documents.length;
  const starts = Array.from(
    text.matchAll(isOneList ? /(?<![^\r\n])-(?=\s|$)/g : /(?<![^\r\n])---(?=\s|$)/g),
    ({ index }) => index,
  );
  // The first document needs no marker.
  if (!isOneList && starts.length === count - 1) starts.unshift(0);
  if (starts.length !== count) return undefined;
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? text.length }));
}

/** The positions of each course, found when they are asked for. */
export function placeParts(text: string, documents: readonly unknown[]): Positions {
  const parts = findParts(text, documents);
  if (parts === undefined) return { place: () => undefined };
  return positionsBy(({ document, item }) => {
    const part = parts[documents.length === 1 ? (item ?? 0) : document] ?? { start: 0, end: 0 };
    return placeCourse(text, part, documents.length === 1 ? 0 : item) ?? { span: part };
  });
}

function placeCourse(text: string, part: Span, item: ParsedCourse["item"]): PlacedNode | undefined {
  const [root] = placeYaml(text, part)?.places ?? [];
  return item === undefined ? root : root?.items?.[item];
}

/** Matches every alias: one of an anchor in another part could add any number of values. */
const ALIAS = /(?:^|[\s,[{])\*\S/;

/**
 * The documents, with the values of `yaml` for the parts that it has to read; undefined if it cannot,
 * or if they are too long together.
 *
 * @param documents as the other parser has read them
 */
export function readParts(
  text: string,
  documents: readonly unknown[],
  isUnusual: (part: string) => boolean,
): readonly unknown[] | undefined {
  const [root] = documents;
  const values = documents.length === 1 && isList(root) ? [...root] : [...documents];
  let length = 0;
  const parts = findParts(text, documents);
  if (parts === undefined) return undefined;
  for (const [index, part] of parts.entries()) {
    const written = text.slice(part.start, part.end);
    if (!isUnusual(written) && !ALIAS.test(written)) continue;
    length += part.end - part.start;
    if (length > MAX_SLOW_YAML) return undefined;
    const placed = placeYaml(text, part);
    if (placed?.problem !== undefined || placed?.duplicates.length !== 0) return undefined;
    const [value, ...others] = placed.values;
    const found = documents.length === 1 ? (isList(value) ? value : []) : [value];
    if (others.length > 0 || found.length !== 1) return undefined;
    values[index] = found[0];
  }
  return documents.length === 1 ? [values] : values;
}
