/** Reads YAML as js-yaml's events, which have offsets in the text and no values. */
import { EVENT_ID, type Event, parseEvents, YAMLException } from "js-yaml";
import { truncate } from "../base/text.ts";
import { MAX_ALIASES, MAX_DEPTH, MAX_VALUES, tooDeep, tooManyAliases } from "./limits.ts";
import type { CoursePlace, TextProblem } from "./parsed.ts";
import { syntaxProblem } from "./text-problems.ts";

/** js-yaml also counts the innermost value as a level. */
const LEVELS = MAX_DEPTH + 1;

/** The events of a text, or the offset at which js-yaml refuses the text. */
export function readEvents(text: string, maxDepth = LEVELS): readonly Event[] | number {
  try {
    return parseEvents(text, { maxDepth });
  } catch (error) {
    return errorOffset(error);
  }
}

/** The offset of an error of js-yaml. */
export function errorOffset(error: unknown): number {
  // In a tag of millions of characters, a regular expression of js-yaml runs out of stack.
  if (error instanceof RangeError) return 0;
  if (!(error instanceof YAMLException)) throw error;
  return error.mark?.position ?? 0;
}

/** Whether a text is refused for its depth: with one more level, js-yaml reads further. */
export function isTooDeep(text: string): boolean {
  const at = readEvents(text);
  return typeof at === "number" && readEvents(text, LEVELS + 1) !== at;
}

/** What an alias adds to a document. */
interface Size {
  values: number;
  aliases: number;
  levels: number;
}

const ENDLESS: Size = {
  values: Number.POSITIVE_INFINITY,
  aliases: Number.POSITIVE_INFINITY,
  levels: 0,
};

/** The first alias that has no anchor, or with which the file gets too many values: a few can mean billions. */
export function findAliasProblem(text: string, events: readonly Event[]): TextProblem | undefined {
  const anchors = new Map<string, Size>();
  const open: (Size & { readonly anchor: string })[] = [];
  let [values, aliases] = [0, 0];
  const add = (size: Size, levels: number): void => {
    const parent = open.at(-1);
    if (parent === undefined) return;
    parent.values += size.values;
    parent.aliases += size.aliases;
    parent.levels = Math.max(parent.levels, size.levels + levels);
  };
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      const done = open.pop();
      if (done === undefined) continue;
      if (done.anchor !== "") anchors.set(done.anchor, done);
      add(done, 1);
      continue;
    }
    const anchor = "anchorStart" in event ? text.slice(event.anchorStart, event.anchorEnd) : "";
    if (event.type === EVENT_ID.DOCUMENT) {
      anchors.clear();
      open.push({ anchor, values: 0, aliases: 0, levels: 0 });
    } else if (event.type === EVENT_ID.SCALAR) {
      const size = { values: 1, aliases: 0, levels: 0 };
      if (anchor !== "") anchors.set(anchor, size);
      add(size, 0);
    } else if (event.type === EVENT_ID.ALIAS) {
      const span = { start: event.anchorStart - 1, end: event.anchorEnd };
      const size = anchors.get(anchor);
      if (size === undefined) {
        const message = `there is no anchor &${truncate(anchor)}; put a value that starts with * in quotes`;
        return syntaxProblem("YAML", message, span);
      }
      aliases += size.aliases + 1;
      values += size.values;
      if (aliases > MAX_ALIASES || values > MAX_VALUES) return tooManyAliases(span);
      // A document also counts as a level.
      if (open.length - 1 + size.levels > MAX_DEPTH) return tooDeep(span.start);
      add({ ...size, aliases: size.aliases + 1 }, 0);
    } else {
      if (anchor !== "") anchors.set(anchor, ENDLESS);
      open.push({ anchor, values: 1, aliases: 0, levels: 0 });
    }
  }
  return undefined;
}

/** Of each document, the offset at which it begins and, if it is a list, the offsets of its items. */
export type Starts = readonly { readonly start: number; readonly items: readonly number[] }[];

/** The offsets at which the courses of a text begin. */
export function findStarts(events: readonly Event[]): Starts {
  const starts: { start: number; items: number[] }[] = [];
  let [depth, last] = [0, 0];
  let isList = false;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      depth--;
      continue;
    }
    const found = starts.at(-1);
    if (depth === 1 || (depth === 2 && isList)) {
      // A value that is not written has no offset.
      last = Math.max(last, offsetOf(event));
      if (depth === 2) found?.items.push(last);
      else if (found !== undefined) found.start = last;
    }
    if (depth === 1) isList = event.type === EVENT_ID.SEQUENCE;
    if (event.type === EVENT_ID.DOCUMENT) starts.push({ start: last, items: [] });
    if ("explicitStart" in event || "start" in event) depth++;
  }
  return starts;
}

/** The offset at which a course begins; undefined if the text has no such course. */
export function startIn(starts: Starts, { document, item }: CoursePlace): number | undefined {
  const found = starts[document];
  return item === undefined ? found?.start : found?.items[item];
}

function offsetOf(event: Event): number {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  return "start" in event ? event.start : 0;
}
