/** Finds the columns of other systems that contain the fields of a course, by their names and values. */
import { joinList } from "../base/text.ts";
import { choicesAt } from "../course/fields.ts";
import { hasStatuses, type WRITERS } from "./expressions.ts";
import { foldName, nameOf, type SourceColumn } from "./source-columns.ts";

/** A field for which columns are searched. */
export type GuessedField = keyof typeof WRITERS;

/** What other systems call each field, in the order of a course file; the best names first. */
const NAMES: Readonly<Record<GuessedField, string>> = {
  key: "key, sku, id number, course id, course key, external id, uuid, id, short name, code, course code, number, ref, slug",
  name: "name, title, full name, title rendered, course name, course title, post title, display name, long name, course, class name, class, seminar, training, program, product name, event name",
  url: "url, link, course url, course link, permalink, web url, homepage, href, slug, handle",
  short_description:
    "short description, subtitle, excerpt rendered, excerpt, teaser, tagline, summary, course summary",
  long_description:
    "long description, full description, content rendered, description, course description, content, overview, body, post content, about, text",
  audio: "audio, language, languages, lang, course language, content language, locale",
  provider: "provider, provider slug",
  pace: "pace, pacing, course pacing, pacing type, course mode, mode, delivery mode",
  published:
    "published, is published, publish, visible, visibility, post status, status, course status, state, active, enabled, online, show, on website, hidden, is hidden, draft, is draft, archived, private, retired, deleted",
  prices: "price, cost, regular price, variant price, course fee, fee, amount, course price",
  video: "video, video url, intro video, course video, course video uri, trailer",
  level: "level, levels, difficulty, difficulty level, skill level, course level",
  image_url:
    "image url, image, image src, course image, course image url, course image uri, thumbnail, featured image, featured media url, cover",
  duration_in_hours:
    "duration in hours, duration, hours, course length, length, duration minutes, estimated minutes",
};

export const GUESSED_FIELDS = Object.keys(NAMES) as readonly GuessedField[];

/** The comment on a field that a course needs, if no column contains it. */
export const MISSING: Partial<Record<GuessedField, string>> = {
  name: "required: no column found",
  url: 'required: no column found. For example: "https://academy.example/courses/" & <column>',
  short_description: "required: no column found",
  long_description: "required: no column found",
  audio: 'required: no column found. For example: ["en"]',
  provider:
    'the slug of your provider ("catalog providers ls" lists it), here or in catalog.defaults.yaml',
  pace: `required: no column found. Write ${joinList(choicesAt(["pace"]).map((pace) => `"${pace}"`))}`,
};

/** Whether a column with another name contains the field. */
const FITS: Partial<Record<GuessedField, (column: SourceColumn) => boolean>> = {
  // The links of the cells with the names.
  url: (column) => nameOf(column).endsWith(" (link)") && namesOf("name").includes(column.names[1]),
  published: hasStatuses,
};

function namesOf(field: GuessedField): readonly string[] {
  return NAMES[field].split(",").map(foldName);
}

/** The field that other systems call by the name: `title` gives `name`. */
export function fieldCalled(name: string): GuessedField | undefined {
  return GUESSED_FIELDS.find((field) => namesOf(field).includes(foldName(name)));
}

/** The columns with a name of the field, the best names first; then the columns whose values fit. */
export function findColumns(
  field: GuessedField,
  columns: readonly SourceColumn[],
): ReadonlySet<SourceColumn> {
  // A match of the complete path is better than a match of its last key.
  const byName = ([0, 1] as const).flatMap((which) =>
    namesOf(field).flatMap((name) => columns.filter((each) => each.names[which] === name)),
  );
  return new Set([...byName, ...columns.filter((column) => FITS[field]?.(column))]);
}
