/** Lists what other systems call the fields of a course, and how each field is written. */
import {
  hasStatuses,
  writeAddress,
  writeDuration,
  writeLanguages,
  writeLevels,
  writePace,
  writePlainText,
  writePrices,
  writePublished,
  writeString,
  writeUrl,
  writeVideo,
} from "./expressions.ts";
import { foldName, nameOf, type SourceColumn, type Written } from "./source-columns.ts";

/** A field, and the columns that contain it. */
export interface Guess {
  readonly field: string;
  /** The names of columns, the best first; commas separate them. */
  readonly names: string;
  /** The expression for a column; undefined if its values do not fit. */
  readonly write: (column: SourceColumn, others: readonly SourceColumn[]) => Written | undefined;
  /** Whether a column with another name contains the field, judged by its values. */
  readonly fits?: (column: SourceColumn) => boolean;
  /** For a required field: what to write if no column contains it. */
  readonly missing?: string;
}

/** The names of a list as `foldName` folds them. */
export function foldNames(names: string): readonly string[] {
  return names.split(",").map(foldName);
}

const NAMES =
  "name, title, full name, title rendered, course name, course title, post title, display name, long name, course, class name, class, seminar, training, program, product name, event name";

/** Every field for which columns are searched, in the order of a course file. */
export const FIELD_GUESSES: readonly Guess[] = [
  {
    field: "key",
    names:
      "key, sku, id number, course id, course key, external id, uuid, id, short name, code, course code, number, ref, slug",
    write: writeString,
  },
  {
    field: "name",
    names: NAMES,
    write: writePlainText,
    missing: "required: no column found",
  },
  {
    field: "url",
    names: "url, link, course url, course link, permalink, web url, homepage, href, slug, handle",
    write: writeAddress,
    // The links of the cells that have the names.
    fits: (column) =>
      nameOf(column).endsWith(" (link)") && foldNames(NAMES).includes(column.names[1]),
    missing:
      'required: no column found. For example: "https://academy.example/courses/" & <column>',
  },
  {
    field: "short_description",
    names:
      "short description, subtitle, excerpt rendered, excerpt, teaser, tagline, summary, course summary",
    write: writePlainText,
    missing: "required: no column found",
  },
  {
    field: "long_description",
    names:
      "long description, full description, content rendered, description, course description, content, overview, body, post content, about, text",
    write: writePlainText,
    missing: "required: no column found",
  },
  {
    field: "audio",
    names: "audio, language, languages, lang, course language, content language, locale",
    write: writeLanguages,
    missing: 'required: no column found. For example: ["en"]',
  },
  {
    field: "provider",
    names: "provider, provider slug",
    write: writePlainText,
    missing:
      'the slug of your provider ("catalog providers ls" lists it), here or in catalog.defaults.yaml',
  },
  {
    field: "pace",
    names: "pace, pacing, course pacing, pacing type, course mode, mode, delivery mode",
    write: writePace,
    missing: 'required: no column found. Write "self_paced" or "instructor_paced"',
  },
  {
    field: "published",
    names:
      "published, is published, publish, visible, visibility, post status, status, course status, state, active, enabled, online, show, on website, hidden, is hidden, draft, is draft, archived, private, retired, deleted",
    write: writePublished,
    fits: hasStatuses,
  },
  {
    field: "prices",
    names: "price, cost, regular price, variant price, course fee, fee, amount, course price",
    write: writePrices,
  },
  {
    field: "video",
    names: "video, video url, intro video, course video, course video uri, trailer",
    write: writeVideo,
  },
  {
    field: "level",
    names: "level, levels, difficulty, difficulty level, skill level, course level",
    write: writeLevels,
  },
  {
    field: "image_url",
    names:
      "image url, image, image src, course image, course image url, course image uri, thumbnail, featured image, featured media url, cover",
    write: writeUrl,
  },
  {
    field: "duration_in_hours",
    names:
      "duration in hours, duration, hours, course length, length, duration minutes, estimated minutes",
    write: writeDuration,
  },
];
