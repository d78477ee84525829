/** Lists how each field of a course is found among the columns of other systems. */
import type { ColumnKind } from "./column-names.ts";
import {
  allMatch,
  hasLevels,
  hasLongTexts,
  hasPrices,
  hasStatuses,
  hasUrls,
  hasVideos,
  isText,
  writeDuration,
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
import type { SourceColumn, Surroundings, Written } from "./source-columns.ts";

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
  /** The note for a required field that no column contains, and its value if the mapping gives one. */
  readonly missing?: { readonly value?: string; readonly note: string };
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
    write: writePlainText,
    missing: NO_TEXT,
  },
  {
    field: "long_description",
    write: writePlainText,
    fits: hasLongTexts,
    missing: NO_TEXT,
  },
  {
    field: "audio",
    write: writeLanguages,
    missing: { note: 'the languages that are spoken, such as ["en"]' },
  },
  {
    field: "provider",
    write: writePlainText,
    missing: {
      note: 'the slug of your provider ("catalog providers ls" lists it), here or in catalog.defaults.yaml',
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
