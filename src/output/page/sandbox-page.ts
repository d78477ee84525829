/** The page of the sandbox for a browser: courses, providers and latest requests (docs/sandbox.md). */
import { formatNumber, pluralize } from "../../base/text.ts";
import type { PlainObject } from "../../base/values.ts";
import { type Provider, providerNames } from "../../course/provider.ts";
import type { LoggedRequest } from "../../sandbox/request-log.ts";
import { groupByProvider } from "./group-cards.ts";
import { type Html, html } from "./html.ts";
import type { Page } from "./page.ts";
import { linkHtml } from "./values.ts";

/** What the sandbox contains, without API keys. */
export interface SandboxView {
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly providers: readonly Provider[];
  readonly courses: readonly PlainObject[];
  /** How many courses there are. */
  readonly amount: number;
  /** The newest first. */
  readonly requests: readonly LoggedRequest[];
}

/** The most courses that have cards: more would make the page slow. */
export const MAX_COURSES = 2000;

/** The page of a running sandbox. */
export function sandboxPage(view: SandboxView): Page {
  const { time, courses, amount } = view;
  const providers = new Map(Object.entries(providerNames(view.providers)));
  const cards = courses.map((course) => ({ course }));
  return {
    title: "Sandbox of the course catalog",
    facts: [
      [
        "As of",
        `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC. Reload the page to update it.`,
      ],
    ],
    outcome: [
      `${pluralize(amount, "course")}. This page changes nothing.`,
      ...(amount > courses.length
        ? [`This page shows only the first ${formatNumber(courses.length)}.`]
        : []),
    ],
    groups: groupByProvider(cards, { providers }),
    appendix: html`${requestTable(view)}${providerTable(view)}`,
    providers,
  };
}

function requestTable({ requests }: SandboxView): Html {
  const rows = requests.map(
    ({ time, method, target, status, milliseconds, hint }) =>
      html`<tr><td>${new Date(time).toISOString().slice(11, 19)}</td><td>${method}</td><td><bdi>${target}</bdi></td><td>${
        status === 0 ? "dropped" : status
      }</td><td>${Math.round(milliseconds)}</td><td><bdi>${hint}</bdi></td></tr>
`,
  );
  if (rows.length === 0) return html`<p>The sandbox has received no requests yet.</p>`;
  const heads = ["Time", "Method", "Path", "Status", "Milliseconds", "Hint"];
  return table("Latest requests, newest first", heads, rows);
}

function providerTable({ providers, courses }: SandboxView): Html {
  const counts = new Map<unknown, number>();
  for (const { provider_id: id } of courses) counts.set(id, (counts.get(id) ?? 0) + 1);
  const rows = providers.map(
    ({ id, name, slug, url }) =>
      html`<tr><td><bdi>${name}</bdi></td><td><bdi>${slug}</bdi></td><td>${linkHtml(url)}</td><td>${
        counts.get(id) ?? 0
      }</td><td>${id}</td></tr>
`,
  );
  return table("Providers", ["Name", "Slug", "Web page", "Courses", "Id"], rows);
}

function table(caption: string, heads: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="wide"><table><caption>${caption}</caption><thead><tr>${heads.map(
    (head) => html`<th scope="col">${head}</th>`,
  )}</tr></thead><tbody>
${rows}</tbody></table></div>
`;
}
