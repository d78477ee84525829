/** A course as a card: what a student would see, all other fields, problems, and changes. */
import { isList, isObject, type PlainObject } from "../../base/values.ts";
import { FIELD_NAMES } from "../../course/field-names.ts";
import { hostOf } from "../../course/provider.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import { isWebUrl } from "../cells.ts";
import { problemText } from "../diagnostics.ts";
import type { FailureFacts } from "../failure.ts";
import { changesHtml } from "./changes.ts";
import type { CourseCard } from "./course-card.ts";
import { type Html, html } from "./html.ts";
import { humanize, labelOf, languageName } from "./labels.ts";
import { linkHtml, priceText, valueHtml } from "./values.ts";

/** What all cards of a page have in common. */
export interface CardOptions {
  /** The names of providers by their ids and slugs in lowercase. */
  readonly providers: ReadonlyMap<string, string>;
  /** Whether every detail is shown from the beginning. */
  readonly isOpen: boolean;
}

/** What a card says about a course in short, and the words by which the filters of the page find the card. */
export function describeCard(card: CourseCard, { providers }: Pick<CardOptions, "providers">) {
  const { problems = [], changes = [], state } = card;
  const course = fieldsOf(card);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  const approval = typeof course.approval_status === "string" ? course.approval_status : undefined;
  const differs = changes.length > 0 || (state !== undefined && state.kind !== "same");
  return {
    name: nameOf(course),
    provider: providerOf(course, providers),
    ...{ state, errors, warnings, approval },
    words: [
      ...(errors > 0 ? ["error"] : []),
      ...(warnings > 0 ? ["warning"] : []),
      ...(course.published === false ? ["unpublished"] : []),
      ...(approval === "pending" ? ["pending"] : []),
      ...(differs ? ["differs"] : []),
      ...(state === undefined ? [] : [state.kind]),
    ],
  };
}

/** A card. @param number the position of the card on the page, by which links lead to it: `#c1` */
export function courseCard(card: CourseCard, number: number, options: CardOptions): Html {
  const { changes = [], failure, file, line, problems = [] } = card;
  const course = fieldsOf(card);
  const facts = describeCard(card, options);
  const texts = ["name", "short_description"].filter((name) => typeof course[name] === "string");
  const shown = new Set(texts);
  const at = problemsBy(problems);
  const language = languageOf(course);
  const head = [
    facts.provider === "" ? undefined : html`<p class="provider"><bdi>${facts.provider}</bdi></p>`,
    heading(course, facts.name, number),
    badges(facts, course),
    at.take(""),
  ];
  const failed =
    failure && html`<p class="problem error"><b>Failed</b> ${failureHtml(failure)}</p>`;
  const isWhole = changes.length === 0;
  const { short_description: short } = course;
  const about = [
    typeof short === "string"
      ? html`<p class="short" dir="auto"${language}>${short}</p>`
      : undefined,
    factList(course, shown),
    isWhole ? FIELD_NAMES.flatMap((name) => (shown.has(name) ? at.take(name) : [])) : [],
  ];
  const outer = isWhole
    ? about
    : [changesHtml(changes, language, at.take), at.names().map(at.takeNamed)];
  const isOpen = options.isOpen || at.names().length > 0;
  const inner = details(course, shown, at, language);
  const summary = isWhole ? contents(course) : "The complete course";
  const folded = html`<details${isOpen ? html` open` : undefined}><summary>${summary}</summary>${isWhole ? undefined : about}${inner}</details>`;
  const place = [file, line].filter((part) => (part ?? null) !== null).join(":");
  const foot = place === "" ? undefined : html`<p class="place"><bdi>${place}</bdi></p>`;
  return html`<article id="c${number}" class="card ${facts.state?.kind ?? ""}" data-is="${facts.words.join(" ")}" data-by="${facts.provider}" aria-labelledby="n${number}">
${head}${failed}${outer}${inner === undefined ? undefined : folded}${foot}</article>
`;
}

function fieldsOf({ course }: CourseCard): PlainObject {
  return isObject(course) ? course : { value: course };
}

function nameOf({ name, url, id }: PlainObject): string {
  const found = [name, url, id].find((text) => typeof text === "string" && text.trim() !== "");
  return typeof found === "string" ? found : "A course without a name";
}

function providerOf(
  { provider, provider_id: id, url }: PlainObject,
  providers: ReadonlyMap<string, string>,
): string {
  for (const known of [id, provider]) {
    const name = typeof known === "string" ? providers.get(known.toLowerCase()) : undefined;
    if (name !== undefined) return name;
  }
  return typeof provider === "string" ? provider : (hostOf(url)?.replace(/^www\./, "") ?? "");
}

/** The language of the texts, by which a browser chooses letters: Chinese and Japanese letters differ. */
function languageOf({ audio }: PlainObject): Html | undefined {
  const [only, ...others] = isList(audio) ? audio : [];
  const isCode = typeof only === "string" && /^[a-z]{2}(?:-[A-Z]{2})?$/.test(only);
  return isCode && others.length === 0 ? html` lang="${only}"` : undefined;
}

function heading({ url, ...course }: PlainObject, name: string, number: number): Html {
  const language = languageOf(course);
  const text = typeof url === "string" && isWebUrl(url) ? linkHtml(url, name) : html`${name}`;
  return html`<h2 id="n${number}" dir="auto"${language}>${text}</h2>`;
}

function badges(
  facts: ReturnType<typeof describeCard>,
  { published }: PlainObject,
): Html | undefined {
  const { state, errors, warnings, approval } = facts;
  const shown = [
    state === undefined ? undefined : badge(state.kind, state.text),
    published === true ? badge("good", "Published") : undefined,
    published === false ? badge("off", "Not published") : undefined,
    approval === undefined ? undefined : badge("approval", `Approval: ${approval}`),
    errors > 0 ? badge("failed", errors === 1 ? "1 error" : `${errors} errors`) : undefined,
    warnings > 0 ? badge("warn", warnings === 1 ? "1 warning" : `${warnings} warnings`) : undefined,
  ].filter((each) => each !== undefined);
  return shown.length === 0 ? undefined : html`<ul class="badges">${shown}</ul>`;
}

function badge(kind: string, text: string): Html {
  return html`<li class="badge ${kind}"><bdi>${text}</bdi></li>`;
}

/** The facts by which students choose, on one line. @param shown the names of these fields are added to it */
function factList(course: PlainObject, shown: Set<string>): Html | undefined {
  const facts: Html[] = [];
  const add = (name: string, text: string | undefined): void => {
    if (text === undefined || text === "") return;
    shown.add(name);
    facts.push(html`<li><span class="unseen">${labelOf(name)}: </span><bdi>${text}</bdi></li>`);
  };
  const languageText = (code: unknown): string | undefined =>
    typeof code === "string" ? languageName(code) : undefined;
  const count = (amount: unknown, noun: string): string | undefined =>
    typeof amount === "number" ? `${amount} ${amount === 1 ? noun : `${noun}s`}` : undefined;
  add("prices", joinAll(course.prices, priceText, " · "));
  add("level", joinAll(course.level, humanizeText, ", "));
  add("audio", joinAll(course.audio, languageText, ", "));
  add("duration_in_hours", count(course.duration_in_hours, "hour"));
  add("number_of_lessons", count(course.number_of_lessons, "lesson"));
  add("pace", humanizeText(course.pace));
  return facts.length === 0 ? undefined : html`<ul class="facts">${facts}</ul>`;
}

function humanizeText(value: unknown): string | undefined {
  return typeof value === "string" ? humanize(value) : undefined;
}

/** The texts of a list; undefined unless every element has one. */
function joinAll(
  value: unknown,
  textOf: (element: unknown) => string | undefined,
  separator: string,
): string | undefined {
  if (!isList(value)) return undefined;
  const texts = value.map(textOf);
  return texts.every((text) => text !== undefined) ? texts.join(separator) : undefined;
}

/** The contents of the details that people look for: `Description, syllabus (3) and all fields`. */
function contents({ long_description: text, syllabus, instructors }: PlainObject): string {
  const count = (name: string, value: unknown): string[] =>
    isList(value) && value.length > 0 ? [`${name} (${value.length})`] : [];
  const parts = [
    ...(typeof text === "string" ? ["description"] : []),
    ...count("syllabus", syllabus),
    ...count("instructors", instructors),
  ];
  return humanize([...parts, "all fields"].join(", ").replace(/, (?=all fields$)/, " and "));
}

const FIRST = ["long_description", "what_you_will_learn", "syllabus", "instructors"];

/** The fields that the card does not show elsewhere, and the problems of fields that are missing. */
function details(
  course: PlainObject,
  shown: ReadonlySet<string>,
  problems: ReturnType<typeof problemsBy>,
  language: Html | undefined,
): Html | undefined {
  const own = Object.keys(course);
  const order = [...FIRST, ...FIELD_NAMES, ...own, ...problems.names()];
  const left = [...new Set(order)].filter((name) => !shown.has(name));
  const rows = left.flatMap((name) => {
    const value = Object.hasOwn(course, name) ? course[name] : undefined;
    const found = problems.take(name);
    if ((value ?? null) === null && found.length === 0) return [];
    return [
      html`<dt>${labelHtml(name)}</dt><dd${language}>${valueHtml(value, [name])}${found}</dd>
`,
    ];
  });
  return rows.length === 0 ? undefined : html`<dl>${rows}</dl>`;
}

/** The label of a field; the name of an unknown field may be in any language. */
function labelHtml(name: string): Html {
  const isKnown = FIELD_NAMES.some((field) => field === name);
  return isKnown ? html`${labelOf(name)}` : html`<bdi>${labelOf(name)}</bdi>`;
}

/** The problems by field; each problem can be taken once. */
function problemsBy(problems: readonly Diagnostic[]) {
  const left = new Map<string, Html[]>();
  for (const problem of problems) {
    const name = String(problem.path[0] ?? "");
    left.set(name, [...(left.get(name) ?? []), problemHtml(problem)]);
  }
  const take = (name: string): readonly Html[] => {
    const found = left.get(name) ?? [];
    left.delete(name);
    return found;
  };
  return {
    take,
    /** Takes the problems of a field, with the label of the field. */
    takeNamed: (name: string): Html =>
      html`<p class="label"><b>${labelHtml(name)}</b></p>${take(name)}`,
    names: (): readonly string[] => [...left.keys()],
  };
}

/** The reasons of a failure in one sentence, and what to do. */
export function failureHtml({ message, hint, details, next }: FailureFacts): Html {
  const reasons = [message, hint, details].filter((part) => (part ?? "").trim() !== "");
  return html`<bdi>${reasons.join(": ")}</bdi>${next === undefined ? undefined : html`. <bdi>${next}</bdi>`}`;
}

/** A problem: the severity, the sentence, the position and the rule. */
export function problemHtml(problem: Diagnostic): Html {
  const { severity, file, line, column, rule } = problem;
  const text = problemText(problem);
  return html`<p class="problem ${severity}"><b>${humanize(severity)}</b> <bdi>${text}</bdi> <small><bdi>${file}:${line}:${column}</bdi> ${rule}</small></p>`;
}
