/** Groups cards by provider. */
import { addTo } from "../../base/values.ts";
import { describeCard } from "./card.ts";
import type { CourseCard } from "./course-card.ts";
import type { CardGroup, Page } from "./page.ts";

/** With fewer cards per heading, headings would not help. */
const FEWEST = 3;

/** One group for each provider, sorted by name; a single group if headings would not help. */
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
