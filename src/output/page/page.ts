/** Writes a page of courses: one document that loads nothing (docs/how-to/review-changes.md). */
import { createHash } from "node:crypto";
import { pluralize } from "../../base/text.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import type { FailureFacts } from "../failure.ts";
import { type ListedRisk, LOOK_FIRST } from "../plan.ts";
import { courseCard, describeCard, failureHtml, problemHtml } from "./card.ts";
import type { CourseCard, CourseState } from "./course-card.ts";
import { Html, html, type Part } from "./html.ts";
import style from "./page.css?raw";
import script from "./page.js?raw";

/** What a page shows. */
export interface Page {
  readonly title: string;
  /** Facts about the run, each with a name: `Target`, `Time`. */
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** What was done, or would be done, in sentences. */
  readonly outcome: readonly string[];
  /** What to look at first. */
  readonly risks?: readonly ListedRisk[];
  /** Why there is a banner: `This run failed`, or the errors to correct. */
  readonly banner?: string | undefined;
  readonly failures?: readonly FailureFacts[];
  /** The problems that are not on a card. */
  readonly problems?: readonly Diagnostic[];
  readonly cards: readonly CourseCard[];
  /** The names of providers by their ids and slugs in lowercase. */
  readonly providers: ReadonlyMap<string, string>;
}

/** Outside the template of the page, because bundlers rewrite templates that contain the end of a script. */
const SCRIPT = new Html(`<script>${script}</script>`);

/** The changes that are shown first, after cards with problems and changes that are rarely intended. */
const ORDER: readonly (CourseState["kind"] | undefined)[] = ["deleted", "changed", "new", "same"];

/** The cards by rank, and of one rank by name, with the numbers in names as numbers. */
function sortCards(page: Page): readonly CourseCard[] {
  const { compare } = new Intl.Collator("en", { numeric: true });
  const risky = new Set<unknown>(page.risks?.flatMap(({ id }) => id ?? []));
  const ranked = page.cards.map((card) => {
    const { name, id, errors, isConcerned, state } = describeCard(card);
    const first = [errors > 0, isConcerned, risky.has(id)].indexOf(true);
    const rank = first < 0 ? ORDER.indexOf(state?.kind ?? "same") : first - 3;
    return { card, name, rank };
  });
  return ranked
    .sort((one, other) => one.rank - other.rank || compare(one.name, other.name))
    .map(({ card }) => card);
}

/** The complete document. */
export function renderPage(given: Page): string {
  const page = { ...given, cards: sortCards(given) };
  const { title, facts, outcome, risks = [], banner, failures = [], cards, providers } = page;
  const listed = facts.map(([name, text]) => html`<dt>${name}</dt><dd><bdi>${text}</bdi></dd>`);
  const problems = [
    ...(page.problems ?? []).map((problem) => problemHtml(problem)),
    ...cards.flatMap(({ problems: own = [] }, index) =>
      own.map((problem) => problemHtml(problem, index + 1)),
    ),
  ];
  const isOpen = problems.length + failures.length === 0;
  const body = html`<a class="skip" href="#courses">Skip to the courses</a>
<header>
<h1>${title}</h1>
${listed.length === 0 ? undefined : html`<dl class="run">${listed}</dl>`}
${
  banner
    ? html`<section class="banner" aria-labelledby="failed"><h2 id="failed">${banner}</h2>${failures.map((failure) => html`<p>${failureHtml(failure)}</p>`)}</section>`
    : undefined
}
<div class="outcome">${outcome.map((text) => html`<p>${text}</p>`)}</div>
</header>
${listHtml("problems", "Problems", problems)}
${listHtml("risks", LOOK_FIRST, linkRisks(risks, cards))}
${toolbar(cards)}
<main id="courses" tabindex="-1">
<div class="cards">
${cards.map((card, index) => courseCard(card, index + 1, { providers, isOpen }))}</div>
</main>
${SCRIPT}`;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`.toString();
}

/** The risks, each with a link to the card of its course. */
function linkRisks(risks: readonly ListedRisk[], cards: readonly CourseCard[]): Html[] {
  const numbers = new Map(cards.map(({ course }, index) => [Object(course).id, index + 1]));
  return risks.map(({ id, text }) => {
    const number = id === undefined ? undefined : numbers.get(id);
    const shown = html`<bdi>${text}</bdi>`;
    return number === undefined ? shown : html`<a href="#c${number}">${shown}</a>`;
  });
}

/** A list with a heading; undefined if it is empty. */
function listHtml(id: string, title: string, items: readonly Part[]): Html | undefined {
  if (items.length === 0) return undefined;
  const list = items.map(
    (item) => html`<li>${item}</li>
`,
  );
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><ul class="plain">${list}</ul></section>`;
}

/** The content security policy: a page loads nothing. */
function contentPolicy(): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** The search. It is hidden until the script runs, because it needs it. */
function toolbar({ length }: readonly CourseCard[]): Html | undefined {
  if (length < 2) return undefined;
  return html`<search class="tools" aria-label="Courses" hidden>
<label>Search <input type="search" name="q" autocomplete="off" spellcheck="false"></label>
<button type="button" name="fold">Open or close all</button>
<output aria-live="polite">${pluralize(length, "course")}</output>
</search>`;
}
