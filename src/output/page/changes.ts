/** Changes of a course as HTML: the old and the new value side by side, with the changed words marked. */
import { cutText } from "../../base/text.ts";
import { isList } from "../../base/values.ts";
import type { StepChange } from "../../core/step.ts";
import { compareWords, shortenSame, type TextPart } from "../text-changes.ts";
import { type Html, html } from "./html.ts";
import { directionOf, labelPath, readableText } from "./labels.ts";
import { NONE, priceText, valueHtml } from "./values.ts";

const SIDES = {
  file: "changed in the file",
  catalog: "changed in the catalog",
  both: "changed in the file and in the catalog",
} as const;

/** The changes of one course, in order. @param language the `lang` attribute of texts of the course */
export function changesHtml(changes: readonly StepChange[], language: Html | undefined): Html {
  // If only the file has changed, the side needs no words.
  const isGrouped = changes.some(({ changedIn = "file" }) => changedIn !== "file");
  const shown = changes.map((change) => changeHtml(change, language, isGrouped));
  return html`<div class="changes">${shown}</div>`;
}

/** Each change on a line of a table: the label, the old and the new value; of long texts, the words that change. */
export function changesSummary(changes: readonly StepChange[]): Html {
  return html`${changes.map(({ path, old, new: value }) => {
    const [before, after] = [briefText(old, path), briefText(value, path)];
    const all: readonly TextPart[] = [
      { text: before, side: "old" },
      { text: after, side: "new" },
    ];
    const parts = compareWords(before, after) ?? all.filter(({ text }) => text !== "");
    return html`<div>${labelPath(path)}: ${markedLine(shortenSame(parts, 20))}</div>`;
  })}`;
}

/** Both texts on one line, the parts that change marked. */
function markedLine(parts: readonly TextPart[]): Html {
  return html`<bdi>${parts.map(({ text, side }) => {
    const shown = cutText(text, BRIEF);
    if (side === undefined) return shown;
    return side === "old" ? html`<del>${shown}</del> ` : html`<ins>${shown}</ins> `;
  })}</bdi>`;
}

/** Characters of a value in a table. */
const BRIEF = 60;

function briefText(value: unknown, path: StepChange["path"]): string {
  if (isNothing(value)) return "";
  const prices = isList(value) ? value.map(priceText) : [undefined];
  if (!prices.includes(undefined)) return prices.join("; ");
  return (
    textOf(value, path) ??
    priceText(value) ??
    (typeof value === "boolean" ? (value ? "Yes" : "No") : JSON.stringify(value))
  );
}

function changeHtml(change: StepChange, language: Html | undefined, isGrouped: boolean): Html {
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
}</div>
`;
}

function bothSides({ path, old, new: value }: StepChange): { old: Html; value: Html } {
  const [before, after] = [textOf(old, path), textOf(value, path)];
  const parts =
    before === undefined || after === undefined ? undefined : compareWords(before, after);
  if (parts !== undefined) return { old: marked(parts, "old"), value: marked(parts, "new") };
  return {
    old: isNothing(old) ? NONE : html`<del>${valueHtml(old, path)}</del>`,
    value: isNothing(value) ? NONE : html`<ins>${valueHtml(value, path)}</ins>`,
  };
}

function isNothing(value: unknown): boolean {
  return (value ?? null) === null || (isList(value) && value.length === 0);
}

/** A text, or a list of texts, in words. */
function textOf(value: unknown, path: StepChange["path"]): string | undefined {
  if (typeof value === "string") return readableText(value, path);
  if (!isList(value) || !value.every((item) => typeof item === "string")) return undefined;
  return value.map((item) => readableText(item, path)).join(", ");
}

/** Characters of a long unchanged part that are shown next to a change. */
const AROUND = 200;

/** The old or the new text, with the parts marked that the other text does not have. */
function marked(parts: readonly TextPart[], side: "old" | "new"): Html {
  const pieces = shortenSame(parts, AROUND).map(({ text, side: changed }) => {
    if (changed === undefined) return text;
    if (changed !== side) return undefined;
    return side === "old" ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
  });
  const direction = directionOf(parts.map(({ text }) => text).join(""));
  return html`<p class="text" dir="${direction}">${pieces}</p>`;
}
