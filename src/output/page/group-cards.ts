/** Puts the cards of each provider together. */
import { addTo } from "../../base/values.ts";
import { describeCard } from "./card.ts";
import type { CourseCard } from "./course-card.ts";
import type { CardGroup, Page } from "./page.ts";

/** With fewer cards for each heading, the headings would take more room than they save. */
const FEWEST = 3;

/** One group for each provider, by name; one group of all cards where headings would not help. */
export function groupByProvider(
  cards: readonly CourseCard[],
  page: Pick<Page, "providers">,
): CardGroup[] {
  const groups = new Map<string, CourseCard[]>();
  for (const card of cards) addTo(groups, describeCard(card, page).provider, card);
  if (groups.size < 2 || groups.size * FEWEST > cards.length) return [{ cards }];
  return [...groups]
    .sort(([one], [other]) => one.localeCompare(other, "en"))
    .map(([title, own]) => ({ title: title === "" ? "Without a provider" : title, cards: own }));
}
