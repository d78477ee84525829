/**
 * Reads YAML in which closing brackets are not indented, as many people and programs write it. The standard and js-yaml
 * require that a closing bracket is indented further than the key:
 *
 *     audio: [
 *       en
 *     ]
 *
 * js-yaml also rejects tabs between the items in brackets, which the standard allows.
 */
import {
  EVENT_ID,
  type Event,
  type ParserOptions,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from "js-yaml";
import { lineStart } from "./text-edit.ts";

/** An offset in a text, and how many spaces to insert there. */
interface Indentation {
  readonly at: number;
  readonly spaces: number;
}

/**
 * Parses a text as if its closing brackets were indented as far as js-yaml requires, and as if all tabs after the
 * indentation were spaces. The caller must read values from the text itself.
 *
 * @param error the error of js-yaml in the text itself
 * @returns the events, with offsets in the text itself; undefined if the error has another cause
 * @throws YAMLException with an offset in the text itself
 */
export function parseBrackets(
  source: string,
  error: unknown,
  options: ParserOptions,
): Event[] | undefined {
  if (!(error instanceof YAMLException) || error.reason !== "deficient indentation")
    return undefined;
  const at = error.mark?.position ?? 0;
  const missing = findMissing(source);
  const before = source.slice(lineStart(source, at), at);
  const indented = before.trimEnd();
  const isAfterTab = indented !== "" && before.includes("\t", indented.length);
  if (!isAfterTab && !missing.some((each) => each.at === at)) return undefined;
  const text = source.replace(/[^\s].*/g, (line) => line.replaceAll("\t", " "));
  const events = parseIndented(text, missing, options);
  // A bracket that closes nothing is not indented: it would continue the text above.
  const closing = outsideOfText(missing, events);
  return closing.length === missing.length ? events : parseIndented(text, closing, options);
}

/** The indentations that are not inside a plain scalar. Both lists are in the order of the text. */
function outsideOfText(missing: readonly Indentation[], events: readonly Event[]): Indentation[] {
  const texts = events.flatMap((event) =>
    event.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN ? [event] : [],
  );
  let next = 0;
  return missing.filter(({ at }) => {
    while ((texts[next]?.valueEnd ?? at + 1) <= at) next++;
    return (texts[next]?.valueStart ?? at) >= at;
  });
}

/** The indentation that is missing before each line that begins with a closing bracket. */
function findMissing(text: string): Indentation[] {
  const missing: Indentation[] = [];
  for (const { index, 0: own } of text.matchAll(/^[ \t]*(?=[\]}])/gm)) {
    if (index === 0) continue;
    let end = index;
    while (end > 0 && " \t\r\n".includes(text.charAt(end - 1))) end--;
    const line = text.slice(lineStart(text, end), end);
    // Brackets in successive lines are indented alike.
    const above = /^[ \t]*[\]}]/.test(line) ? missing.at(-1)?.spaces : undefined;
    missing.push({ at: index + own.length, spaces: above ?? Math.min(line.length, MAX_SPACES) });
  }
  return missing;
}

/** Limits the inserted spaces, because each line of a text may begin with a bracket. */
const MAX_SPACES = 64;

function parseIndented(
  text: string,
  missing: readonly Indentation[],
  options: ParserOptions,
): Event[] {
  const parts: string[] = [];
  /** The end of each insertion, and how many spaces were inserted up to there. */
  const inserted: { readonly end: number; readonly sum: number }[] = [{ end: 0, sum: 0 }];
  let from = 0;
  let sum = 0;
  for (const { at, spaces } of missing) {
    parts.push(text.slice(from, at), " ".repeat(spaces));
    from = at;
    sum += spaces;
    inserted.push({ end: at + sum, sum });
  }
  const original = (offset: number): number => {
    let low = 0;
    let high = inserted.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((inserted[middle]?.end ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return offset - (inserted[low]?.sum ?? 0);
  };
  try {
    const events = parseEvents(parts.join("") + text.slice(from), options);
    for (const event of events) moveOffsets(event, original);
    return events;
  } catch (error) {
    if (!(error instanceof YAMLException) || error.mark === undefined) throw error;
    throw new YAMLException(error.reason, {
      ...error.mark,
      position: original(error.mark.position),
    });
  }
}

const OFFSETS = [
  "start",
  "valueStart",
  "valueEnd",
  "anchorStart",
  "anchorEnd",
  "tagStart",
  "tagEnd",
];

function moveOffsets(event: object, original: (offset: number) => number): void {
  for (const name of OFFSETS) {
    const offset: unknown = Reflect.get(event, name);
    if (typeof offset === "number" && offset >= 0) Reflect.set(event, name, original(offset));
  }
}
