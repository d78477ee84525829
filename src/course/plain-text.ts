/** Turns HTML into plain text. */
import { decodeHTMLStrict } from "entities/decode";
import { addTo } from "../base/values.ts";

/** What separates two texts, by its width. */
const GAPS = ["", " ", "\n", "\n\n"];
const [NONE, SPACE, LINE, PARAGRAPH] = [0, 1, 2, 3] as const;

/** The elements of HTML, each with the gap before and after it. */
const ELEMENTS = new Map([
  ...elements(
    NONE,
    "a abbr acronym area audio b base bdi bdo big br button canvas cite code col data datalist del dfn em embed font head i iframe img input ins kbd label link map mark meta meter noscript object output param picture progress q rp rt ruby s samp script select small source span strike strong style sub sup svg template textarea time track tt u var video wbr",
  ),
  ...elements(SPACE, "td th"),
  ...elements(LINE, "dd dt li option tr"),
  ...elements(
    PARAGRAPH,
    "address article aside blockquote body caption center details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend main menu nav ol optgroup p pre section summary table tbody tfoot thead title ul",
  ),
]);
/** Elements without an end tag, and elements that the next one of their kind can end. */
const EMPTY = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
const UNENDED = ["dd", "dt", "li", "option", "p", "td", "th", "tr"];
const HIDDEN = /^(?:head|noscript|script|style|template)$/;

function elements(gap: number, names: string): [string, number][] {
  return names.split(" ").map((name) => [name, gap]);
}

const TAG = /<(\/?)([a-z][a-z\d]*)(?=[\s/>])(?:[^<>"'=]|=\s*"[^"]*"|=\s*'[^']*'|=)*>/gi;

/** A tag with its place in the text. */
interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * The text of HTML: `<p>A &amp; B</p><ul><li>c</li></ul>` gives `A & B\n\n- c`. Only elements of HTML that are empty or
 * that end in the text, comments and entities are markup, so `List<T>` stays. Outside of blocks, line breaks stay, because
 * systems such as WordPress write paragraphs without tags.
 *
 * @returns the same text if it has no markup
 */
export function plainText(text: string): string {
  const parts = partsOf(withoutComments(text));
  const hasBlocks = parts.some((part) => typeof part !== "string" && gapAround(part) > NONE);
  if (hasBlocks) return joinBlocks(parts);
  const isShown = (part: string | Tag): boolean => typeof part === "string" || part.name === "br";
  return parts
    .filter(isShown)
    .map((part) => (typeof part === "string" ? part : "\n"))
    .join("");
}

function gapAround({ name }: Tag): number {
  return ELEMENTS.get(name) ?? NONE;
}

function withoutComments(text: string): string {
  const [first = "", ...others] = text.split("<!--");
  const rest = others.map((part) => {
    const end = part.indexOf("-->");
    return end === -1 ? `<!--${part}` : part.slice(end + "-->".length);
  });
  return [first, ...rest].join("");
}

/** The tags and the texts between them, without what is hidden. */
function partsOf(html: string): (string | Tag)[] {
  const parts: (string | Tag)[] = [];
  let from = 0;
  let hidden: string | undefined;
  const addText = (to: number): void => {
    const text = html.slice(from, to);
    const isAfterBreak = Object(parts.at(-1)).name === "br";
    // The line break after a <br> is the same one.
    const shown = isAfterBreak ? text.replace(/^[ \t]*\r?\n/, "") : text;
    if (hidden === undefined && shown !== "") parts.push(decode(shown));
  };
  for (const tag of findTags(html)) {
    const { name, isEnd, start, end } = tag;
    if (hidden !== undefined && hidden !== name) continue;
    addText(start);
    from = end;
    if (HIDDEN.test(name)) hidden = isEnd ? undefined : name;
    else parts.push(tag);
  }
  addText(html.length);
  return parts;
}

/** The tags of elements of HTML that are empty or that end in the text. */
function findTags(html: string): Tag[] {
  const tags: Tag[] = [];
  /** The starts without an end. */
  const open = new Map<string, Tag[]>();
  for (const { 0: source, 1: slash, 2: written = "", index } of html.matchAll(TAG)) {
    const name = written.toLowerCase();
    const tag = { name, isEnd: slash !== "", start: index, end: index + source.length };
    if (EMPTY.test(name)) tags.push(tag);
    else if (ELEMENTS.has(name) && !tag.isEnd) addTo(open, name, tag);
    else {
      const start = open.get(name)?.pop();
      if (start !== undefined) tags.push(start, tag);
    }
  }
  for (const name of UNENDED) {
    // A type such as List<P> is not HTML.
    const starts = (open.get(name) ?? []).filter(({ start }) => html.startsWith(name, start + 1));
    if (starts.length > 1 || tags.some((tag) => tag.name === name)) {
      for (const tag of starts) tags.push(tag);
    }
  }
  return tags.sort((one, other) => one.start - other.start);
}

function decode(text: string): string {
  return text.includes("&") ? decodeHTMLStrict(text.replace(/&(?:nbsp|#160|#xa0);/gi, " ")) : text;
}

/** Joins texts with line breaks and blank lines where blocks start and end. */
function joinBlocks(parts: readonly (string | Tag)[]): string {
  const joined: string[] = [];
  let gap: number = NONE;
  let bullet = "";
  let blocks = 0;
  let preformatted = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string") {
      // In a block, a line break is a space; preformatted, and outside of blocks, it stays.
      const isFlowing = blocks > 0 && preformatted === 0;
      const text = isFlowing
        ? part.replace(/\s+/g, (space) => (gapOf(space) === PARAGRAPH ? "\n\n" : " "))
        : part;
      const core = text.trim();
      const start = text.length - text.trimStart().length;
      const [before, after] = [text.slice(0, start), text.slice(start + core.length)];
      // Where a block starts or ends, whitespace in a block has no meaning.
      const isEdge = (next: string | Tag = ""): boolean =>
        isFlowing && typeof next !== "string" && gapAround(next) > NONE;
      const [isFirst, isLast] = [isEdge(parts[index - 1]), isEdge(parts[index + 1])];
      if (!isFirst && !(core === "" && isLast)) gap = Math.max(gap, gapOf(before));
      if (core === "") continue;
      joined.push((joined.length > 0 && GAPS[gap]) || "", bullet, core);
      [gap, bullet] = [isLast ? NONE : gapOf(after), ""];
      continue;
    }
    const { name, isEnd } = part;
    if (name === "br") gap = Math.max(LINE, Math.min(PARAGRAPH, gap + 1));
    gap = Math.max(gap, gapAround(part));
    if (gapAround(part) === NONE || EMPTY.test(name)) continue;
    const step = isEnd ? -1 : 1;
    blocks = Math.max(0, blocks + step);
    if (name === "pre") preformatted += step;
    if (name === "li") bullet = isEnd ? "" : "- ";
  }
  return joined.join("");
}

/** The width of whitespace as a gap. */
function gapOf(whitespace: string): number {
  const lines = whitespace.split(/\r\n?|\n/).length - 1;
  return lines === 0 ? Math.min(SPACE, whitespace.length) : Math.min(PARAGRAPH, lines + 1);
}
