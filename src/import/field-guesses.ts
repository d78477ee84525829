/** Lists how each field of a course is found among the columns of other systems. */
import type { ColumnKind } from "./column-names.ts";
import {
  allMatch,
  hasLanguages,
  hasLevels,
  hasLongTexts,
  hasPrices,
  hasStatuses,
  hasUrls,
  hasVideos,
  isText,
  writeDuration,
  writeFree,
  writeLanguages,
  writeLevels,
  writePace,
  writePeople,
  writePlainText,
  writePrices,
  writePublished,
  writeString,
  writeTopics,
  writeUrl,
  writeYesOrNo,
} from "./expressions.ts";
import { type SourceColumn, type Surroundings, textsOf, type Written } from "./source-columns.ts";

/** How a field is found among the columns: first by the names of columns, then by their values. */
export interface Guess {
  readonly field: ColumnKind;
  /** The kind of columns that contains the field, if that is not the field itself. */
  readonly named?: ColumnKind;
  /** The expression for a column; undefined if its values do not fit. */
  readonly write: (
    column: SourceColumn,
    surroundings: Surroundings,
  ) => string | Written | undefined;
  /** Whether a column with another name contains the field, judged by its values. */
  readonly fits?: (column: SourceColumn) => boolean;
  /** Whether the field may use a column that another field uses, if there is no other column. */
  readonly isShared?: true;
  /** A field whose column this field also uses. */
  readonly sameAs?: ColumnKind;
  /** The value and the note if no column contains the field. */
  readonly missing?: { readonly value: string; readonly note: string };
}

const NO_TEXT = { value: '""', note: "required: no column found" };

/** Every field for which columns are searched, in the order of a course file. */
export const FIELD_GUESSES: readonly Guess[] = [
  { field: "key", write: writeString },
  { field: "name", write: writePlainText, missing: NO_TEXT },
  {
    field: "url",
    write: writeUrl,
    fits: (column) =>
      allMatch(column, /^https?:\/\/(?!.*\/api\/)(?!.*\.(?:png|jpe?g|gif|webp|svg|mp4)$)/i) &&
      !hasVideos(column),
    missing: {
      value: '""',
      note: 'required: no column found. For example: "https://academy.example/courses/" & id',
    },
  },
  {
    field: "short_description",
    write: (column) => {
      const text = writePlainText(column);
      const isLong = textsOf(column).some((value) => value.length > 300);
      return isLong ? `$substring(${text}, 0, 200)` : text;
    },
    fits: hasLongTexts,
    missing: NO_TEXT,
  },
  {
    field: "long_description",
    write: writePlainText,
    isShared: true,
    fits: hasLongTexts,
    missing: NO_TEXT,
  },
  {
    field: "audio",
    write: writeLanguages,
    fits: (column) =>
      !allMatch(column, /^\d/) && allMatch(column, /^.{2,30}$/) && hasLanguages(column),
    missing: {
      value: '["en"]',
      note: "required: no column found. English is a guess; list the languages spoken",
    },
  },
  {
    field: "provider",
    write: writePlainText,
    missing: {
      value: '""',
      note: 'required: write the slug of your provider ("catalog providers ls" lists it), or set provider in catalog.defaults.yaml',
    },
  },
  {
    field: "pace",
    write: writePace,
    missing: {
      value: '"self_paced"',
      note: "required: no column found. self_paced is a guess; the other value is instructor_paced",
    },
  },
  { field: "published", write: writePublished, fits: hasStatuses },
  { field: "published", named: "hidden", write: writePublished },
  { field: "prices", write: writePrices, fits: hasPrices },
  {
    field: "offered_by",
    write: (column) =>
      isText(column)
        ? `[{ "type": "other", "name": ${column.expression}, "main": true }]`
        : undefined,
  },
  {
    field: "video",
    write: (column) => (hasUrls(column) ? `$video(${column.expression})` : undefined),
    fits: hasVideos,
  },
  { field: "free_content", write: writeYesOrNo },
  { field: "free_content", sameAs: "prices", write: writeFree },
  { field: "paid_content", write: writeYesOrNo },
  { field: "level", write: writeLevels, fits: hasLevels },
  { field: "instructors", write: writePeople },
  { field: "what_you_will_learn", write: writeTopics },
  { field: "subtitles_text", write: writeLanguages },
  { field: "image_url", write: writeUrl },
  {
    field: "number_of_lessons",
    write: (column) => (allMatch(column, /^\d+$/) ? `$number(${column.expression})` : undefined),
  },
  { field: "duration_in_hours", write: writeDuration },
];
