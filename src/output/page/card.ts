/** A course as a card: what a student would see, all other fields, and problems. */
import { pluralize } from "../../base/text.ts";
import { isList, isObject, type PlainObject } from "../../base/values.ts";
import { FIELDS, shapeAt } from "../../course/fields.ts";
import { hostOf, withoutWww } from "../../course/provider.ts";
import { EXTERNAL_KEY, PROVIDER_KEYS } from "../../course/special-fields.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import { isEmpty, plainCell } from "../cells.ts";
import { type CourseCard, problemText } from "../diagnostics.ts";
import type { FailureFacts } from "../failure.ts";
import { type Html, html } from "./html.ts";
import { humanize, linkHtml, textAttributes, valueHtml } from "./values.ts";

/** A card, with what a page says about its course in short. */
export type Described = ReturnType<typeof describeCard>;

/** Adds to a card what a page says about its course in short. @param providers their names by their ids and slugs in lowercase */
export function describeCard(card: CourseCard, providers: ReadonlyMap<string, string>) {
  const { problems = [], failure, state } = card;
  const course = isObject(card.course) ? card.course : { value: card.course };
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return {
    ...card,
    problems,
    course,
    name: nameOf(course),
    provider: providerOf(course, providers),
    language: languageOf(course),
    isConcerned: problems.length > 0 || failure !== undefined,
    kind: state?.kind ?? "same",
    errors,
    warnings: problems.length - errors,
  };
}

/** A card. @param at the position of the card on the page, by which links lead to it: `#c1` */
export function courseCard(card: Described, at: number, isOpen: boolean): Html {
  const { course, name, provider, language, kind, failure, file, line, problems } = card;
  const { short_description: short, url } = course;
  const title = typeof url === "string" ? linkHtml(url, name) : name;
  const about =
    typeof short === "string" ? html`<p${textAttributes(short, language)}>${short}</p>` : undefined;
  const fields = detailsHtml(course, language);
  // The table shows what changes.
  const folded = html`<details${isOpen && (card.isConcerned || kind !== "changed") ? html` open` : undefined}><summary>All fields</summary>${fields}</details>`;
  const place = [file, line].filter((part) => (part ?? null) !== null).join(":");
  const missing = OPTIONAL.filter(({ name: field }) => isEmpty(course[field]));
  const lacks = missing.map(({ name: field }) => humanize(field)).join("|");
  return html`<article id="c${at}" class="card ${kind}" aria-labelledby="n${at}" data-lacks="${lacks}">
${provider === "" ? undefined : html`<small class="provider"><bdi>${provider}</bdi></small>`}<h2 id="n${at}"${textAttributes(name, language)}>${title}</h2>${badgesHtml(card)}${problems.map((problem) => problemHtml(problem))}${failure && html`<p class="problem error"><b>Failed</b> ${failureHtml(failure)}</p>`}${about}${fields && folded}${place === "" ? undefined : html`<small><bdi>${place}</bdi></small>`}</article>
`;
}

function nameOf({ name, url, id }: PlainObject): string {
  const found = [name, url, id].find((text) => typeof text === "string" && text.trim() !== "");
  return typeof found === "string" ? found : "A course without a name";
}

function providerOf(
  { provider, provider_id: id, url }: PlainObject,
  providers: Parameters<typeof describeCard>[1],
): string {
  const [name] = [id, provider].flatMap((known) => {
    return providers.get(plainCell(known).toLowerCase()) ?? [];
  });
  // Without the names, one file may have the slug of a provider and another the id, but both have a url.
  return name ?? withoutWww(hostOf(url) ?? (typeof provider === "string" ? provider : ""));
}

/** The language of the texts, by which a browser chooses letters: Chinese and Japanese letters differ. */
function languageOf({ audio }: PlainObject): string | undefined {
  const [only, ...others] = isList(audio) ? audio : [];
  const isCode = typeof only === "string" && /^[a-z]{2}(?:-[A-Z]{2})?$/.test(only);
  return isCode && others.length === 0 ? only : undefined;
}

function badgesHtml({ course, errors, warnings, state }: Described) {
  const { published, approval_status: approval, free_content: free, prices } = course;
  const isFree = free === true && !(isList(prices) && prices.length > 0);
  const shown = [
    state && badge(state.kind, state.text),
    isFree && badge("good", "Free"),
    published === true && badge("good", "Published"),
    published === false && badge("off", "Not published"),
    typeof approval === "string" && badge("approval", `Approval: ${approval}`),
    errors > 0 && badge("failed", pluralize(errors, "error")),
    warnings > 0 && badge("warn", pluralize(warnings, "warning")),
  ].flatMap((each) => each || []);
  return shown.length === 0 ? undefined : html`<ul class="plain badges">${shown}</ul>`;
}

function badge(kind: string, text: string): Html {
  return html`<li class="badge ${kind}"><bdi>${text}</bdi></li>`;
}

/** What the card shows above the other fields, if it is a text. */
const ABOVE = ["name", "short_description"];

/** The texts, which are as wide as the card. */
const TEXTS = ["long_description", "what_you_will_learn"];

/** What only programs need. */
export const TECHNICAL = [
  ...["id", EXTERNAL_KEY, "slug", ...PROVIDER_KEYS],
  ...FIELDS.flatMap(({ name, readOnly }) => (readOnly ? name : [])),
];

const OPTIONAL = FIELDS.filter(
  ({ name, required }) => !required && !TECHNICAL.includes(name) && name !== "published",
);

/** The fields that the card does not show elsewhere: texts, other fields, and technical ones, which are folded. */
function detailsHtml(course: PlainObject, language: string | undefined): Html | undefined {
  const names = [...new Set([...TEXTS, ...FIELDS.map(({ name }) => name), ...Object.keys(course)])];
  const listHtml = (kind: string, isListed: (name: string) => boolean): Html | undefined => {
    const rows = names.filter(isListed).flatMap((name) => {
      const value = Object.hasOwn(course, name) ? (course[name] ?? null) : null;
      if (value === null || (ABOVE.includes(name) && typeof value === "string")) return [];
      const shown = valueHtml(value, language, shapeAt([name]));
      // The name of an unknown field may be in any language.
      return html`<div><dt><bdi>${humanize(name)}</bdi></dt><dd>${shown}</dd></div>
`;
    });
    return rows.length === 0 ? undefined : html`<dl class="${kind}">${rows}</dl>`;
  };
  const isText = (name: string) => TEXTS.includes(name);
  const isTechnical = (name: string) => TECHNICAL.includes(name);
  const technical = listHtml("fields", isTechnical);
  const parts = [
    listHtml("texts", isText),
    listHtml("fields", (name) => !isText(name) && !isTechnical(name)),
    technical && html`<details><summary>Technical fields</summary>${technical}</details>`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : html`${parts}`;
}

/** The reasons of a failure in one sentence, and what to do. */
export function failureHtml({ message, hint, details, next }: FailureFacts): Html {
  const reasons = [message, hint, details].filter((part) => (part ?? "").trim() !== "");
  return html`<bdi>${reasons.join(": ")}</bdi>${next === undefined ? undefined : html`. <bdi>${next}</bdi>`}`;
}

/** A problem: the severity and the sentence; then the position and the rule. */
export function problemHtml(problem: Diagnostic): Html {
  const { severity, file, line, column, rule } = problem;
  const place = html`<code><bdi>${file}:${line}:${column}</bdi> · ${rule}</code>`;
  return html`<p class="problem ${severity}"><b>${humanize(severity)}</b> <bdi>${problemText(problem)}</bdi> ${place}</p>`;
}
