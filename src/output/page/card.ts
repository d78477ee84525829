/** A course as a card: what a student would see, all other fields, and problems. */
import { pluralize } from "../../base/text.ts";
import { isList, isObject, type PlainObject } from "../../base/values.ts";
import { FIELD_NAMES } from "../../course/fields.ts";
import { hostOf, withoutWww } from "../../course/provider.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import { plainCell } from "../cells.ts";
import { type CourseCard, type CourseState, problemText } from "../diagnostics.ts";
import type { FailureFacts } from "../failure.ts";
import { type Html, html } from "./html.ts";
import { humanize, linkHtml, textAttributes, valueHtml } from "./values.ts";

/** The names of providers by their ids and slugs in lowercase. */
export type Providers = ReadonlyMap<string, string>;

/** What a page says about a course in short. */
export function describeCard(card: CourseCard, providers: Providers) {
  const { problems = [], failure, state } = card;
  const course = isObject(card.course) ? card.course : { value: card.course };
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return {
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
export function courseCard(card: CourseCard, at: number, providers: Providers, isOpen: boolean) {
  const { failure, file, line, problems = [] } = card;
  const facts = describeCard(card, providers);
  const { course, name, provider, language, kind } = facts;
  const { short_description: short, url } = course;
  const title = typeof url === "string" ? linkHtml(url, name) : name;
  const about =
    typeof short === "string" ? html`<p${textAttributes(short, language)}>${short}</p>` : undefined;
  const fields = details(course, language);
  // The table shows what changes.
  const folded = html`<details${isOpen && (facts.isConcerned || kind !== "changed") ? html` open` : undefined}><summary>All fields</summary>${fields}</details>`;
  const place = [file, line].filter((part) => (part ?? null) !== null).join(":");
  return html`<article id="c${at}" class="card ${kind}" aria-labelledby="n${at}">
${provider === "" ? undefined : html`<small class="provider"><bdi>${provider}</bdi></small>`}<h2 id="n${at}"${textAttributes(name, language)}>${title}</h2>${badges(facts, card.state)}${problems.map((problem) => problemHtml(problem))}${failure && html`<p class="problem error"><b>Failed</b> ${failureHtml(failure)}</p>`}${about}${fields && folded}${place === "" ? undefined : html`<small><bdi>${place}</bdi></small>`}</article>
`;
}

function nameOf({ name, url, id }: PlainObject): string {
  const found = [name, url, id].find((text) => typeof text === "string" && text.trim() !== "");
  return typeof found === "string" ? found : "A course without a name";
}

function providerOf({ provider, provider_id: id, url }: PlainObject, providers: Providers): string {
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

function badges(
  { course, errors, warnings }: ReturnType<typeof describeCard>,
  state?: CourseState,
) {
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

const FIRST = ["long_description", "what_you_will_learn"];

/** The fields that the card does not show elsewhere. */
function details(course: PlainObject, language: string | undefined): Html | undefined {
  const names = [...new Set([...FIRST, ...FIELD_NAMES, ...Object.keys(course)])];
  const rows = names.flatMap((name) => {
    const value = Object.hasOwn(course, name) ? (course[name] ?? null) : null;
    if (value === null || (ABOVE.includes(name) && typeof value === "string")) return [];
    // The name of an unknown field may be in any language.
    return html`<div><dt><bdi>${humanize(name)}</bdi></dt><dd>${valueHtml(value, language)}</dd></div>
`;
  });
  return rows.length === 0 ? undefined : html`<dl>${rows}</dl>`;
}

/** The reasons of a failure in one sentence, and what to do. */
export function failureHtml({ message, hint, details, next }: FailureFacts): Html {
  const reasons = [message, hint, details].filter((part) => (part ?? "").trim() !== "");
  return html`<bdi>${reasons.join(": ")}</bdi>${next === undefined ? undefined : html`. <bdi>${next}</bdi>`}`;
}

/** A problem: the severity, the sentence, the position and the rule. @param card the number of the card to link to */
export function problemHtml(problem: Diagnostic, card?: number): Html {
  const { severity, file, line, column, rule } = problem;
  const text = html`<bdi>${problemText(problem)}</bdi>`;
  const linked = card === undefined ? text : html`<a href="#c${card}">${text}</a>`;
  return html`<p class="problem ${severity}"><b>${humanize(severity)}</b> ${linked} <small><bdi>${file}:${line}:${column}</bdi> ${rule}</small></p>`;
}
