/** Writes a page of courses: one document that loads nothing (docs/how-to/review-changes.md). */
import { createHash } from "node:crypto";
import { pluralize } from "../../base/text.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import { type CourseCard, type CourseState, countProblems } from "../diagnostics.ts";
import type { FailureFacts } from "../failure.ts";
import { type ListedRisk, LOOK_FIRST } from "../plan-text.ts";
import { courseCard, describeCard, failureHtml, problemHtml } from "./card.ts";
import { changesTable } from "./changes.ts";
import { Html, html, type Part } from "./html.ts";
import style from "./page.css?raw";
import script from "./page.js?raw";
import reviewScript from "./review.js?raw";

/** What a page shows. */
export interface Page {
  readonly title: string;
  /** Facts about the run, each with a name: `Target`, `Time`. */
  readonly facts: Readonly<Record<string, string | undefined>>;
  /** What was done, or would be done, in sentences. */
  readonly outcome: readonly string[];
  /** What to look at first. */
  readonly risks?: readonly ListedRisk[];
  readonly failures?: readonly FailureFacts[];
  /** The problems that are not on a card. */
  readonly problems?: readonly Diagnostic[];
  readonly cards: readonly CourseCard[];
  readonly providers: ReadonlyMap<string, string>;
  /** The plan on whose changes the reader decides. */
  readonly planText?: string | undefined;
}

/** Outside the template of the page, because bundlers rewrite templates that contain the end of a script. */
const toScript = (text: string): Html => new Html(`<script>${text}</script>`);

/** The changes that are shown first, after cards with problems and changes that are rarely intended. */
const ORDER: readonly CourseState["kind"][] = ["failed", "deleted", "changed", "new", "same"];

/** The cards by rank, and of one rank by risk or name, with the numbers in names as numbers. */
function rankCards({ cards, risks = [], providers }: Page) {
  const { compare } = new Intl.Collator("en", { numeric: true });
  // The first risk of a course counts.
  const order = new Map<unknown, number>(risks.map(({ id }, at) => [id, at] as const).reverse());
  const ranked = cards.map((card) => {
    const described = describeCard(card, providers);
    const { course, errors, isConcerned, kind } = described;
    const risk = order.get(card.id ?? course.id ?? "") ?? -1;
    const isFailed = errors > 0 || card.failure !== undefined;
    const first = [isFailed, risk >= 0, isConcerned].indexOf(true);
    return { ...described, risk, rank: first < 0 ? ORDER.indexOf(kind) : first - 3 };
  });
  return ranked.sort(
    (one, other) => one.rank - other.rank || one.risk - other.risk || compare(one.name, other.name),
  );
}

/** The complete document. */
export function renderPage(page: Page): string {
  const { title, facts, outcome, risks = [], failures = [], planText } = page;
  const scripts = planText === undefined ? [script] : [script, reviewScript];
  const cards = rankCards(page);
  const listed = Object.entries(facts).flatMap(([name, text]) =>
    text ? html`<div><dt>${name}</dt><dd><bdi>${text}</bdi></dd></div>` : [],
  );
  const problems = [
    ...(page.problems ?? []).map((problem) => problemHtml(problem)),
    ...cards.flatMap((card, index) => {
      const { name, errors, warnings } = card;
      if (errors + warnings === 0) return [];
      const link = html`<a href="#c${index + 1}"><bdi>${name}</bdi></a>`;
      return html`<p class="problem ${errors > 0 ? "error" : "warning"}">${link}: ${countProblems(errors, warnings)}</p>`;
    }),
  ];
  const failed = failures.map((each) => html`<p class="problem error">${failureHtml(each)}</p>`);
  const numbers = new Map(cards.map(({ id, course }, index) => [id ?? course.id, index + 1]));
  const first = risks.map(({ id, text }) => {
    const number = numbers.get(id ?? "");
    const linked = number === undefined ? text : html`<a href="#d${number}">${text}</a>`;
    return html`<p class="problem warning">${linked}</p>`;
  });
  // With problems, the courses without problems and changes, which are last, are folded.
  const hasProblems = problems.length + failed.length > 0;
  const open = cards.filter(({ rank }) => !hasProblems || rank < ORDER.indexOf("same")).length;
  const isMany = cards.length > MOST_OPEN;
  const shown = cards.map((card, index) => {
    return courseCard(card, index + 1, isMany ? card.isConcerned : index < open);
  });
  const rest = pluralize(cards.length - open, open === 0 ? "course" : "other course");
  const problemList = listHtml("problems", "Problems", problems);
  const riskList = listHtml("risks", LOOK_FIRST, first);
  // Old warnings do not come before new risks.
  const hasErrors = [...(page.problems ?? []), ...cards.flatMap(({ problems: own }) => own)].some(
    ({ severity }) => severity === "error",
  );
  const body = html`<header>
<h1>${title}</h1>
<dl class="facts">${listed}</dl>
<div class="outcome">${outcome.map((text) => html`<p>${text}</p>`)}</div>
</header>
${listHtml("failed", "This run failed", failed)}
${hasErrors ? [problemList, riskList] : [riskList, problemList]}
${toolbar(cards)}
<main${isMany ? html` class="many"` : undefined}>
${changesTable(cards, new Set(risks.map(({ id }) => id)))}
${planText === undefined ? undefined : reviewBar(planText)}
<div class="cards">
${shown.slice(0, open)}</div>
${open < cards.length ? html`<details><summary>${rest}</summary><div class="cards">${shown.slice(open)}</div></details>` : undefined}
</main>
${scripts.map(toScript)}`;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(scripts)}">
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
function contentPolicy(scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${scripts.map(hashOf).join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** The most cards that are open; above that, a page has filters. */
const MOST_OPEN = 50;

/** The search, to which the script adds filters. It is hidden until the script runs, because it needs it. */
function toolbar({ length }: readonly unknown[]): Html | undefined {
  if (length < 2) return undefined;
  return html`<search class="tools" aria-label="Courses" hidden>
<label>Search <input type="search" name="q" placeholder="a word in any field" autocomplete="off" spellcheck="false"></label>
<button type="button" name="fold">Expand all</button>
<output aria-live="polite">${pluralize(length, "course")}</output>
</search>`;
}

/** What decides on each change, and the bar with the rest. Both need the script. The plan is encoded, so it stays as it is. */
function reviewBar(planText: string): Html {
  return html`<template id="decision"><fieldset class="decision"><legend></legend>
<label><input type="radio" value="ok"> OK</label><label><input type="radio" value="no"> Not OK</label>
<label class="remark">What is wrong? <textarea rows="2" cols="24" maxlength="1000"></textarea></label></fieldset></template>
<section class="review" aria-label="Review" data-plan="${encodeURIComponent(planText)}" hidden>
<output></output> <button type="button">OK for all others</button>
<label>Your name <input type="text" autocomplete="name" size="12" maxlength="100"></label> <button type="button">Save</button>
</section>`;
}
