/** Defines the functions that mappings may call besides JSONata's own functions. */
import { isObject } from "../base/values.ts";
import { plainText } from "../course/plain-text.ts";
import { amountOf, byWord, hoursOf, languageCodes, readOffers, videoOf } from "./quantities.ts";

/** A function with its signature in JSONata's notation. `run` returns undefined for a value that it does not understand. */
interface MappingFunction {
  readonly signature: string;
  readonly run: (value: unknown, options?: unknown) => unknown;
  /** The parts of a value that are counted separately; by default, the value is counted. */
  readonly parts?: (value: unknown) => ReturnType<typeof readOffers>["named"];
}

/** The functions by name; docs/how-to/import-from-another-system.md describes them. */
export const MAPPING_FUNCTIONS: Readonly<Record<string, MappingFunction>> = {
  languages: { signature: "<x?:a>", run: languageCodes },
  plainText: {
    signature: "<x?:s>",
    run: (value) =>
      typeof value === "string" || typeof value === "number" ? plainText(String(value)) : undefined,
  },
  hours: { signature: "<x?:n>", run: hoursOf },
  price: { signature: "<x?x?:s>", run: amountOf },
  offers: {
    signature: "<x?:o>",
    run: (value) => {
      const { prices, isFree } = readOffers(value);
      return { prices, isFree };
    },
    parts: (value) => readOffers(value).named,
  },
  choice: { signature: "<x?o:x>", run: choose },
  published: { signature: "<x?:b>", run: isPublished },
  video: { signature: "<x?:o>", run: videoOf },
};

/** What a status means; the other words of `YES` and `NO` also answer other questions. */
const STATUSES = new Map<string, boolean>([
  ...byWord(true, "published, publish, public"),
  ...byWord(
    false,
    "draft, auto-draft, unpublished, not published, private, hidden, pending, scheduled, future, archived, trash",
  ),
]);
const ANSWERS = new Map<string, boolean>([
  ...byWord(true, "yes, y, true, on, 1, x, ✓, active, enabled, visible, online, live"),
  ...byWord(false, "no, n, false, off, 0, -, inactive, disabled, invisible, offline"),
]);

/** Whether a text is a word that only a status of publishing has. */
export function isStatus(text: string): boolean {
  return STATUSES.has(foldChoice(text));
}

/** Whether a value of another system means published: `"draft"` gives false; undefined for unknown words. */
export function isPublished(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = foldChoice(String(value));
  return STATUSES.get(text) ?? ANSWERS.get(text);
}

/** The entry of `choices` for a value; case and surrounding spaces do not matter. */
function choose(value: unknown, choices: unknown): unknown {
  if (value === undefined || !isObject(choices)) return undefined;
  const wanted = foldChoice(String(value));
  return Object.entries(choices).find(([key]) => foldChoice(key) === wanted)?.[1];
}

/** The form of a value in which `$choice` compares values. */
function foldChoice(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase();
}
