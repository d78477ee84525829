/** Which columns of other systems fit the fields of a course. */
import { hasStatuses, writePace, writePublished, writeYesOrNo } from "./choices.ts";
import type { ColumnKind } from "./column-names.ts";
import {
  allLanguages,
  allMatch,
  hasLevels,
  hasLongTexts,
  hasPrices,
  hasUrls,
  hasVideos,
  isText,
  writeDuration,
  writeFree,
  writeLanguages,
  writeLevels,
  writePeople,
  writePlainText,
  writePrices,
  writeString,
  writeTopics,
  writeUrl,
} from "./expressions.ts";
import { type SourceColumn, type Surroundings, textsOf, type Written } from "./source-columns.ts";

/** How a field is found among the columns, first by the names in the table for it. */
export interface Guess {
  readonly field: ColumnKind;
  /** Another kind of columns that contains the field. */
  readonly named?: ColumnKind;
  /** The expression for a column; undefined if its values do not fit. */
  readonly write: (
    column: SourceColumn,
    surroundings: Surroundings,
  ) => string | Written | undefined;
  /** Whether the values of a column with another name are those of the field. */
  readonly fits?: (column: SourceColumn) => boolean;
  /** Whether a column that another field uses may be used again if there is no other. */
  readonly isShared?: true;
  /** The field whose column is used, too. */
  readonly sameAs?: ColumnKind;
  /** What to write if there is no column. */
  readonly missing?: { readonly value: string; readonly note: string };
}

/** Every field for which columns are searched, in the order of a course file. */
export const FIELD_GUESSES: readonly Guess[] = [
  {
    field: "key",
    write: writeString,
  },
  {
    field: "name",
    write: writePlainText,
    missing: { value: '""', note: "required: no column found" },
  },
  {
    field: "url",
    write: writeUrl,
    fits: (column) =>
      allMatch(column, /^https?:\/\/(?!.*\/api\/)(?!.*\.(?:png|jpe?g|gif|webp|svg|mp4)$)/i) &&
      !hasVideos(column),
    missing: {
      value: '""',
      note: 'required: no column found; for example, "https://academy.example/courses/" & id',
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
    missing: { value: '""', note: "required: no column found" },
  },
  {
    field: "long_description",
    write: writePlainText,
    isShared: true,
    fits: hasLongTexts,
    missing: { value: '""', note: "required: no column found" },
  },
  {
    field: "audio",
    write: writeLanguages,
    fits: (column) =>
      !allMatch(column, /^\d/) && allMatch(column, /^.{2,30}$/) && allLanguages(column),
    missing: { value: '["en"]', note: "required: no column found; the languages spoken" },
  },
  {
    field: "provider",
    write: writePlainText,
    missing: {
      value: '""',
      note: 'required: the slug of your provider ("catalog providers ls"), or leave it empty and set it in catalog.defaults.yaml',
    },
  },
  {
    field: "pace",
    write: writePace,
    missing: { value: '"self_paced"', note: "required: no column found; or instructor_paced" },
  },
  {
    field: "published",
    fits: hasStatuses,
    write: writePublished,
  },
  { field: "published", named: "hidden", write: writePublished },
  {
    field: "prices",
    fits: hasPrices,
    write: writePrices,
  },
  {
    field: "offered_by",
    write: (column) =>
      isText(column)
        ? `[{ "type": "other", "name": ${column.expression}, "main": true }]`
        : undefined,
  },
  {
    field: "video",
    fits: hasVideos,
    write: (column) => (hasUrls(column) ? `$video(${column.expression})` : undefined),
  },
  { field: "free_content", write: writeYesOrNo },
  { field: "free_content", sameAs: "prices", write: writeFree },
  { field: "paid_content", write: writeYesOrNo },
  {
    field: "level",
    fits: hasLevels,
    write: writeLevels,
  },
  {
    field: "instructors",
    write: writePeople,
  },
  {
    field: "what_you_will_learn",
    write: writeTopics,
  },
  {
    field: "subtitles_text",
    write: writeLanguages,
  },
  {
    field: "image_url",
    write: writeUrl,
  },
  {
    field: "number_of_lessons",
    write: (column) => (allMatch(column, /^\d+$/) ? `$number(${column.expression})` : undefined),
  },
  {
    field: "duration_in_hours",
    write: writeDuration,
  },
];
