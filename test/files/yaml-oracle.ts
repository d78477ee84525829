/** Where the package `yaml`, which the program does not use for this, finds the values of YAML and JSON. */
import { isMap, isNode, isScalar, isSeq, type Node, parseAllDocuments } from "yaml";
import type { Path } from "../../src/base/values.ts";
import type { Span } from "../../src/course/problem.ts";

/** Where a value or a key begins and ends. */
type Found = Pick<Span, "start"> & Partial<Span>;

/** A value of a text, and its key if it has one. */
export interface FoundValue {
  /** The index of its document, and its path there. */
  readonly path: Path;
  readonly value: Found;
  readonly key?: Found;
}

/** What `yaml` reads; undefined if it refuses the text, as it does with very long keys and aliases of no anchor. */
export function readWithYaml(
  text: string,
): { readonly documents: readonly unknown[]; readonly values: readonly FoundValue[] } | undefined {
  const parsed = parseAllDocuments(text, { schema: "core", logLevel: "silent" });
  if (!Array.isArray(parsed) || parsed.some(({ errors }) => errors.length > 0)) return;
  try {
    return {
      documents: parsed.map((document) => asObjects(document.toJS({ mapAsMap: true }))),
      values: parsed.flatMap(({ contents }, index) => partsOf(text, contents, [index])),
    };
  } catch (error) {
    if (error instanceof ReferenceError) return;
    throw error;
  }
}

/** A value with objects for maps: a key that is null is called so. */
function asObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asObjects);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries(Array.from(value, ([key, each]) => [String(key), asObjects(each)]));
}

/** A value that is written and its parts. */
function partsOf(text: string, node: unknown, path: Path, key?: unknown): FoundValue[] {
  if (!isNode(node)) return [];
  const inner = isMap(node)
    ? node.items.flatMap((pair) => partsOf(text, pair.value, [...path, nameOf(pair.key)], pair.key))
    : isSeq(node)
      ? node.items.flatMap((item, index) => partsOf(text, item, [...path, index]))
      : [];
  const value = spanOf(text, node);
  if (value.start === value.end) return [];
  return [{ path, value, ...(isNode(key) ? { key: spanOf(text, key) } : {}) }, ...inner];
}

function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

/** The span of a value. Lists and objects in blocks have no end: `yaml` counts what follows them. */
function spanOf(text: string, node: Node): Found {
  const [start = 0, end = 0] = node.range ?? [];
  if ((isMap(node) || isSeq(node)) && node.flow !== true) return { start };
  return { start, end: start + text.slice(start, end).trimEnd().length };
}
