/** The changes of courses as a table: old and new values side by side, with the changed words marked. */
import { isList } from "../../base/values.ts";
import type { StepChange } from "../../core/step.ts";
import { shapeAt } from "../../course/fields.ts";
import { isEmpty } from "../cells.ts";
import { SIDES } from "../plan-text.ts";
import { compareWords, shortenSame, type TextPart } from "../text-changes.ts";
import type { Described } from "./card.ts";
import { type Html, html } from "./html.ts";
import { labelPath, NONE, priceText, textAttributes, valueHtml } from "./values.ts";

/**
 * The changes of each course, with a link to its card; undefined without changes.
 *
 * @param first the ids of the courses to look at first
 */
export function changesTable(
  cards: readonly Described[],
  first: ReadonlySet<unknown>,
): Html | undefined {
  const groups = cards.flatMap((card, index) => {
    const { state, changes = [], name, provider, language } = card;
    if (state === undefined || (state.kind === "same" && changes.length === 0)) return [];
    const rank = first.has(card.id) ? html` class="first"` : undefined;
    return html`<tbody id="d${index + 1}"${rank} data-id="${card.id}">
<tr><th colspan="3" scope="rowgroup"><a href="#c${index + 1}"><bdi${textAttributes(name, language)}>${name}</bdi></a> <span class="badge ${state.kind}">${state.text}</span> <small><bdi>${provider}</bdi></small></th></tr>
${changes.map((change) => changeRow(change, language, state.kind === "new"))}</tbody>
`;
  });
  if (groups.length === 0) return undefined;
  return html`<table><caption>Changes</caption>
<thead><tr><th scope="col">What changes</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
${groups}</table>`;
}

/** @param isNew whether there is nothing before, so that the new value needs no second column */
function changeRow(change: StepChange, language: string | undefined, isNew: boolean): Html {
  const { path, changedIn = "file" } = change;
  const { old, value } = bothSides(change, language);
  // If only the file has changed, the side needs no words.
  const note = changedIn === "file" ? undefined : html` <small>changed ${SIDES[changedIn]}</small>`;
  const cells = isNew
    ? html`<td colspan="2">${value}</td>`
    : html`<td>${old}</td><td>${value}</td>`;
  return html`<tr><th scope="row">${labelPath(path)}${note}</th>${cells}</tr>
`;
}

function bothSides({ path, old, new: value }: StepChange, language: string | undefined) {
  const shape = shapeAt(path);
  const [before, after] = shape?.kind === "enum" ? [] : [textOf(old), textOf(value)];
  const parts =
    before === undefined || after === undefined ? undefined : compareWords(before, after);
  if (parts !== undefined) {
    return { old: marked(parts, "old", language), value: marked(parts, "new", language) };
  }
  return {
    old: isEmpty(old) ? NONE : html`<del>${valueHtml(old, language, shape)}</del>`,
    value: isEmpty(value) ? NONE : html`<ins>${valueHtml(value, language, shape)}</ins>`,
  };
}

/** A text, or a list of texts or prices. */
function textOf(value: unknown): string | undefined {
  const texts = (isList(value) ? value : [value]).map((item) => priceText(item) ?? item);
  return texts.every((item) => typeof item === "string") ? texts.join("; ") : undefined;
}

/** Characters of a long unchanged part that are shown next to a change. */
const AROUND = 100;

/** The old or the new text, with the parts marked that the other text does not have. */
function marked(
  parts: readonly TextPart[],
  side: "old" | "new",
  language: string | undefined,
): Html {
  const pieces = shortenSame(parts, AROUND).map(({ text, side: changed }) => {
    if (changed === undefined) return text;
    if (changed !== side) return undefined;
    return side === "old" ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
  });
  const attributes = textAttributes(parts.map(({ text }) => text).join(""), language);
  return html`<p class="text"${attributes}>${pieces}</p>`;
}
