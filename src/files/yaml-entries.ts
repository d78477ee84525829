/**
 * Positions in a YAML file that is one object, from only the entry that a path is in: `yaml` takes
 * about a millisecond for a complete course. Only for source texts without the syntax that `yaml.ts`
 * calls unusual, in which every line that is not indented begins an entry, continues a list or is a
 * comment.
 */
import { isObject, type Path } from "../base/values.ts";
import { MAX_PLACED_VALUES } from "./limits.ts";
import type { PlacedNode, Span } from "./position.ts";
import type { PlacedYaml } from "./yaml-positions.ts";

/** Finds the positions in a part of a source text that is complete YAML. */
type Place = (part: Span) => Promise<PlacedYaml | undefined>;

/** The offsets of the entries of the only object of a source text; none if that takes its positions. */
export function outlineEntries(text: string, documents: readonly unknown[]): readonly number[] {
  const [root] = documents;
  if (documents.length !== 1 || !isObject(root) || text.length > MAX_PLACED_VALUES) return [];
  const starts = findEntries(text);
  return starts.length === Object.keys(root).length ? starts : [];
}

/** Returns a function that places the root with the entry of a path, if that is possible. */
export function entryPlacer(
  text: string,
  [root]: readonly unknown[],
  starts: readonly number[],
  place: Place,
): (path: Path) => Promise<PlacedNode | undefined> {
  if (!isObject(root) || starts.length === 0) return async () => undefined;
  const entries = new Map<number, Promise<PlacedNode | undefined>>();
  const placeEntry = (index: number): Promise<PlacedNode | undefined> => {
    const part = { start: starts[index] ?? 0, end: starts[index + 1] ?? text.length };
    const entry = entries.get(index) ?? place(part).then(onlyEntry);
    entries.set(index, entry);
    return entry;
  };
  return async ([name]) => {
    if (name === undefined || !Object.hasOwn(root, name)) {
      const last = await placeEntry(starts.length - 1);
      if (last === undefined) return undefined;
      return { span: { start: starts[0] ?? 0, end: last.span.end }, entries: [] };
    }
    const keys = [`${name}:`, `"${name}":`, `'${name}':`];
    const index = starts.findIndex((start) => keys.some((key) => text.startsWith(key, start)));
    const entry = index === -1 ? undefined : await placeEntry(index);
    return entry?.entries?.[0]?.name === name ? entry : undefined;
  };
}

function onlyEntry(placed: PlacedYaml | undefined): PlacedNode | undefined {
  const [root] = placed?.problem === undefined ? (placed?.places ?? []) : [];
  return root?.entries?.length === 1 ? root : undefined;
}

/** The offsets at which the entries of the only object of a source text begin. */
function findEntries(text: string): number[] {
  const starts: number[] = [];
  let at = 0;
  do {
    if (!NOT_ENTRY.test(text.slice(at, at + LONGEST_MARKER))) starts.push(at);
    at = text.indexOf("\n", at) + 1;
  } while (at > 0);
  return starts;
}

const LONGEST_MARKER = 3;
/** Indentation, an empty line, a comment, a list item or a document marker. */
const NOT_ENTRY = /^(?:$|[\s#]|-(?:\s|$)|---|\.\.\.)/;
