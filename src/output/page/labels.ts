/** The words that pages use for fields and values. */
import { attempt } from "../../base/errors.ts";
import { memoize, type Path } from "../../base/values.ts";
import { isTimeField } from "../../course/field-names.ts";
import { briefTime } from "../cells.ts";

/** The labels of fields whose names readers without knowledge of course files would not understand. */
const LABELS: Readonly<Record<string, string>> = {
  audio: "Spoken languages",
  duration_in_hours: "Duration in hours",
  id: "Id",
  image_url: "Image",
  key: "Your key",
  last_fetched_at: "Last fetched",
  level: "Levels",
  number_of_lessons: "Lessons",
  offered_by: "Offered by",
  provider_id: "Provider",
  subtitles_text: "Subtitles",
  url: "Web page",
};

/** The label of a field: `Short description`. */
export function labelOf(name: string): string {
  return Object.hasOwn(LABELS, name) ? (LABELS[name] ?? name) : humanize(name);
}

/** The label of a place in a course: `Prices 2: currency`. */
export function labelPath(path: Path): string {
  const [field = "", ...inner] = path;
  const parts = inner.map((step) =>
    typeof step === "number" ? ` ${step + 1}` : `: ${words(step)}`,
  );
  return labelOf(String(field)) + parts.join("");
}

/** A name as words, the first one capitalized: `self_paced` is `Self paced`. */
export function humanize(name: string): string {
  const text = words(name);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function words(name: string): string {
  return /^[a-z]+(?:_[a-z]+)*$/.test(name) ? name.replaceAll("_", " ") : name;
}

const LANGUAGE_FIELDS: ReadonlySet<unknown> = new Set(["audio", "subtitles_text"]);
const CHOICES: ReadonlySet<unknown> = new Set([
  ...["approval_status", "customer_type", "level", "pace", "plan_type", "type", "unit"],
]);

/** A text of a course in words: the name of a language instead of the code, `Self paced` instead of `self_paced`. */
export function readableText(text: string, path: Path): string {
  const name = path.findLast((step) => typeof step === "string");
  if (LANGUAGE_FIELDS.has(name)) return languageName(text);
  if (CHOICES.has(name)) return humanize(text);
  return isTimeField(String(name)) ? briefTime(text) : text;
}

const languageNames = memoize(
  () => new Intl.DisplayNames("en", { type: "language", fallback: "none" }),
);

/** `Brazilian Portuguese` for `pt-BR`; a text that is not a code is returned unchanged. */
function languageName(code: string): string {
  return (
    (/^[a-z]{2}(?:-[A-Z]{2})?$/.test(code) ? attempt(() => languageNames().of(code)) : undefined) ??
    code
  );
}

/** The direction of a text in which most letters run from right to left, even after a Latin word; else the browser's. */
export function directionOf(text: string): "rtl" | "auto" {
  const [all, fromRight] = [/\p{L}/gu, /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/gu].map(
    (letters) => text.match(letters)?.length ?? 0,
  );
  return 2 * (fromRight ?? 0) > (all ?? 0) ? "rtl" : "auto";
}
