/** Changes of a course as HTML: the old and the new value side by side, with the changed words marked. */
import { isList } from "../../base/values.ts";
import type { StepChange } from "../../core/step.ts";
import { compareWords, type TextPart } from "../word-diff.ts";
import { type Html, html } from "./html.ts";
import { labelOf, labelPath, readableText } from "./labels.ts";
import { NONE, valueHtml } from "./values.ts";

const SIDES = {
  file: "changed in the file",
  catalog: "changed in the catalog",
  both: "changed in the file and in the catalog",
} as const;

/**
 * The changes of one course, in order.
 *
 * @param language the `lang` attribute of texts of the course
 * @param problemsOf takes the problems of a field, which are shown after the last change of the field
 */
export function changesHtml(
  changes: readonly StepChange[],
  language: Html | undefined,
  problemsOf: (field: string) => readonly Html[],
): Html {
  // If only the file has changed, the side needs no words.
  const isGrouped = changes.some(({ changedIn = "file" }) => changedIn !== "file");
  const shown = changes.map((change, index) => {
    const field = change.path[0];
    const isLast = changes[index + 1]?.path[0] !== field;
    const problems = isLast ? problemsOf(String(field)) : [];
    return changeHtml(change, { language, isGrouped, problems });
  });
  return html`<div class="changes">${shown}</div>`;
}

/** If there are more changes, only the fields are named. */
const MAX_SUMMED_UP = 4;

/** The changes on one line: fields with old and new values where these are short, otherwise only the fields. */
export function changesSummary(changes: readonly StepChange[]): Html {
  const labels = [...new Set(changes.map(({ path }) => labelOf(String(path[0]))))];
  if (changes.length > MAX_SUMMED_UP) return html`${labels.join(", ")}`;
  const parts = changes.map(({ path, old, new: value }, index) => {
    const separator = index > 0 ? ", " : "";
    if (!isBrief(old) || !isBrief(value)) return [separator, labelPath(path)];
    const sides = html`<del>${valueHtml(old, path)}</del> → <ins>${valueHtml(value, path)}</ins>`;
    return [separator, html`${labelPath(path)} ${sides}`];
  });
  return html`${parts}`;
}

/** Whether a value takes only a few letters. */
function isBrief(value: unknown): boolean {
  if (isList(value)) return value.length > 0 && value.length <= 3 && value.every(isShortText);
  return typeof value !== "object" ? isShortText(value) : value === null;
}

function isShortText(value: unknown): boolean {
  return typeof value !== "object" && String(value).length <= 24 && !String(value).includes("\n");
}

interface ChangeOptions {
  readonly language: Html | undefined;
  readonly isGrouped: boolean;
  readonly problems: readonly Html[];
}

function changeHtml(change: StepChange, { language, isGrouped, problems }: ChangeOptions): Html {
  const { path, changedIn, base } = change;
  const { old, value } = bothSides(change);
  const note =
    isGrouped && changedIn !== undefined ? html` <small>${SIDES[changedIn]}</small>` : undefined;
  const side = (kind: string, title: string, content: Html): Html =>
    html`<div class="${kind}"><i>${title}</i><div${language}>${content}</div></div>`;
  // If only one side has changed, the base is the old or the new value.
  const hasBase = changedIn === "both" && base !== undefined;
  return html`<div class="change"><p class="label"><b>${labelPath(path)}</b>${note}</p>
${side("old", "Before", old)}${side("new", "After", value)}${
  hasBase ? side("base", "At the base", valueHtml(base, path)) : undefined
}${problems}</div>
`;
}

function bothSides({ path, old, new: value }: StepChange): { old: Html; value: Html } {
  if (typeof old === "string" && typeof value === "string") {
    const parts = compareWords(old, value);
    const isCode = readableText(old, path) !== old || readableText(value, path) !== value;
    if (parts !== undefined && !isCode) {
      return { old: marked(parts, "old"), value: marked(parts, "new") };
    }
  }
  if (isTextList(old) && isTextList(value)) {
    const only = (list: readonly string[], others: readonly string[], tag: Mark): Html =>
      list.length === 0 ? NONE : markedList(list, new Set(others), path, tag);
    return { old: only(old, value, "del"), value: only(value, old, "ins") };
  }
  const side = (side: unknown, tag: Mark): Html =>
    (side ?? null) === null ? NONE : wrapIn(tag, valueHtml(side, path));
  return { old: side(old, "del"), value: side(value, "ins") };
}

type Mark = "del" | "ins";

function wrapIn(tag: Mark, content: Html): Html {
  return tag === "del" ? html`<del>${content}</del>` : html`<ins>${content}</ins>`;
}

function isTextList(value: unknown): value is readonly string[] {
  return isList(value) && value.every((item) => typeof item === "string");
}

function markedList(
  list: readonly string[],
  others: ReadonlySet<string>,
  path: StepChange["path"],
  tag: Mark,
): Html {
  return html`${list.map((item, index) => {
    const shown = valueHtml(item, path);
    return [index > 0 ? ", " : "", others.has(item) ? shown : wrapIn(tag, shown)];
  })}`;
}

/** Of longer unchanged parts, only the characters next to changes are shown. */
const LONGEST_SAME = 400;
const SHOWN_AROUND = 150;

/** The old or the new text, with the parts marked that the other text does not have. */
function marked(parts: readonly TextPart[], side: "old" | "new"): Html {
  const own = parts.filter((part) => part.side === undefined || part.side === side);
  const last = own.length - 1;
  const pieces = own.map(({ text, side: changed }, index) => {
    if (changed !== undefined) return wrapIn(side === "old" ? "del" : "ins", html`${text}`);
    if (text.length <= LONGEST_SAME) return html`${text}`;
    const start = index === 0 ? "" : text.slice(0, SHOWN_AROUND).toWellFormed();
    const end = index === last ? "" : text.slice(-SHOWN_AROUND).toWellFormed();
    return html`${start}<span class="gap">[…]</span>${end}`;
  });
  return html`<p class="text" dir="auto">${pieces}</p>`;
}
