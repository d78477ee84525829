/** Writes a page of courses: one document that loads nothing (docs/how-to/review-courses-in-a-browser.md). */
import { createHash } from "node:crypto";
import { pluralize } from "../../base/text.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import type { FailureFacts } from "../failure.ts";
import { LOOK_FIRST } from "../plan.ts";
import { courseCard, describeCard, failureHtml, problemHtml } from "./card.ts";
import { changesSummary } from "./changes.ts";
import type { CourseCard } from "./course-card.ts";
import { Html, html } from "./html.ts";
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
  readonly risks?: readonly string[];
  /** Whether the run failed, because of a failure or of an error in a file. */
  readonly isFailed?: boolean;
  readonly failures?: readonly FailureFacts[];
  /** The problems that are not on a card. */
  readonly problems?: readonly Diagnostic[];
  readonly cards: readonly CourseCard[];
  /** The names of providers by their ids and slugs in lowercase. */
  readonly providers: ReadonlyMap<string, string>;
}

/** Outside the template of the page, because bundlers rewrite templates that contain the end of a script. */
const SCRIPT = new Html(`<script>${script}</script>`);

/** If a page has more cards, their details are folded. */
const FEW = 3;
/** If there are more changes, they are not listed above the cards. */
const MAX_LISTED = 1000;

/** The complete document. */
export function renderPage(page: Page): string {
  const { title, facts, outcome, risks = [], isFailed, failures = [], problems = [], cards } = page;
  const listed = facts.map(([name, text]) => html`<dt>${name}</dt><dd><bdi>${text}</bdi></dd>`);
  const sentences = html`<div class="outcome">${outcome.map((text) => html`<p>${text}</p>`)}</div>`;
  const reasons = failures.map(
    (failure) => html`<p>${failureHtml(failure)}</p>
`,
  );
  const first = risks.map(
    (text) => html`<li>${text}</li>
`,
  );
  const left = problems.map(
    (problem) => html`<li>${problemHtml(problem)}</li>
`,
  );
  const body = html`<a class="skip" href="#courses">Skip to the courses</a>
<header>
<h1>${title}</h1>
${listed.length === 0 ? undefined : html`<dl class="run">${listed}</dl>`}
${isFailed ? html`<section class="banner" aria-labelledby="failed"><h2 id="failed">This run failed</h2>${reasons}${sentences}</section>` : sentences}
</header>
${first.length === 0 ? undefined : html`<section aria-labelledby="risks"><h2 id="risks">${LOOK_FIRST}</h2><ul class="plain">${first}</ul></section>`}
${left.length === 0 ? undefined : html`<section aria-labelledby="problems"><h2 id="problems">Problems outside the courses</h2><ul class="plain">${left}</ul></section>`}
${toolbar(cards, page)}
<main id="courses" tabindex="-1">
${overview(cards, page)}
${cardsHtml(page)}
</main>
${SCRIPT}`;
  const policy = contentPolicy();
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
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

/** The words of cards by which they can be filtered, with the labels of the filters. */
const FILTERS = {
  new: "New",
  changed: "Changed",
  deleted: "Deleted",
  failed: "Failed",
  differs: "All that differ",
  error: "With errors",
  warning: "With warnings",
  unpublished: "Not published",
  pending: "Pending approval",
} as const;

/** The search and the filters. They are hidden until the script runs, because they need it. */
function toolbar(cards: readonly CourseCard[], page: Page): Html | undefined {
  if (cards.length < 2) return undefined;
  const counts = new Map<string, number>();
  const providers = new Map<string, number>();
  for (const card of cards) {
    const { words, provider } = describeCard(card, page);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    providers.set(provider, (providers.get(provider) ?? 0) + 1);
  }
  const states = Object.entries(FILTERS).flatMap(([word, text]) => {
    const count = counts.get(word) ?? 0;
    return count === 0 ? [] : [html`<option value="${word}">${text} (${count})</option>`];
  });
  const names = [...providers].sort(([one], [other]) => one.localeCompare(other, "en"));
  const owners = names.map(
    ([name, count]) => html`<option value="${name}" dir="auto">${name} (${count})</option>`,
  );
  const total = pluralize(cards.length, "course");
  return html`<search class="tools" aria-label="Courses" hidden>
<label>Search <input type="search" name="q" autocomplete="off" spellcheck="false"></label>
${states.length === 0 ? undefined : html`<label>Show <select name="is"><option value="">All ${total}</option>${states}</select></label>`}
${owners.length < 2 ? undefined : html`<label>Provider <select name="by"><option value="">All ${pluralize(owners.length, "provider")}</option>${owners}</select></label>`}
<button type="button" name="fold" aria-expanded="false">Open all details</button>
<output aria-live="polite">${total}</output>
</search>`;
}

/** One line for each course that changes, with a link to the card. */
function overview(cards: readonly CourseCard[], page: Page): Html | undefined {
  const rows: Html[] = [];
  for (const [index, card] of cards.entries()) {
    const { state, name } = describeCard(card, page);
    if (state === undefined || state.kind === "same") continue;
    rows.push(html`<tr><td><span class="badge ${state.kind}">${state.text}</span></td><td><a href="#c${index + 1}"><bdi>${name}</bdi></a></td><td>${changesSummary(card.changes ?? [])}</td></tr>
`);
  }
  if (rows.length < 2 || rows.length > MAX_LISTED) return undefined;
  return html`<table class="overview"><caption>Changes</caption><thead><tr><th scope="col">Change</th><th scope="col">Course</th><th scope="col">What changes</th></tr></thead><tbody>
${rows}</tbody></table>`;
}

function cardsHtml({ cards, providers }: Page): Html {
  const options = { providers, isOpen: cards.length <= FEW };
  return html`<div class="cards">
${cards.map((card, index) => courseCard(card, index + 1, options))}</div>`;
}
