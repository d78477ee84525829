/** Changes of a course as HTML: the old and the new value side by side, with the changed words marked. */
import { formatPath, isList } from "../../base/values.ts";
import type { StepChange } from "../../core/step.ts";
import { compareWords, shortenSame, type TextPart } from "../text-changes.ts";
import { type Html, html } from "./html.ts";
import { directionOf, humanize } from "./labels.ts";
import { NONE, valueHtml } from "./values.ts";

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

function changeHtml(change: StepChange, language: Html | undefined, isGrouped: boolean): Html {
  const { path, changedIn, base } = change;
  const { old, value } = bothSides(change);
  const note =
    isGrouped && changedIn !== undefined ? html` <small>${SIDES[changedIn]}</small>` : undefined;
  const side = (kind: string, title: string, content: Html): Html =>
    html`<div class="${kind}"><i>${title}</i><div${language}>${content}</div></div>`;
  // If only one side has changed, the base is the old or the new value.
  const hasBase = changedIn === "both" && base !== undefined;
  return html`<div class="change"><p class="label"><b>${humanize(formatPath(path))}</b>${note}</p>
${side("old", "Before", old)}${side("new", "After", value)}${
  hasBase ? side("base", "At the base", valueHtml(base)) : undefined
}</div>
`;
}

function bothSides({ old, new: value }: StepChange) {
  const [before, after] = [textOf(old), textOf(value)];
  const parts =
    before === undefined || after === undefined ? undefined : compareWords(before, after);
  if (parts !== undefined) return { old: marked(parts, "old"), value: marked(parts, "new") };
  return {
    old: isNothing(old) ? NONE : html`<del>${valueHtml(old)}</del>`,
    value: isNothing(value) ? NONE : html`<ins>${valueHtml(value)}</ins>`,
  };
}

function isNothing(value: unknown): boolean {
  return (value ?? null) === null || (isList(value) && value.length === 0);
}

/** A text, or a list of texts. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const isTexts = isList(value) && value.every((item) => typeof item === "string");
  return isTexts ? value.join(", ") : undefined;
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
