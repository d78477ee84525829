/** How columns with a few different values are written in JSONata: pace, status, yes or no. */
import { safeJson } from "../base/text.ts";
import { rankOfName } from "./column-names.ts";
import { noteUnknown } from "./expressions.ts";
import { foldChoice, isPublished } from "./mapping-functions.ts";
import {
  distinctTexts,
  type SourceColumn,
  type Surroundings,
  textsOf,
  type Written,
} from "./source-columns.ts";
import { pacesIn, statusMeaning, yesOrNo } from "./words.ts";

/** A choice among the values of a column, each on a line of its own. */
function writeChoice(column: SourceColumn, chosen: (text: string) => unknown): string {
  const texts = new Map<string, string>();
  for (const text of distinctTexts(column)) {
    if (!texts.has(foldChoice(text))) texts.set(foldChoice(text), text);
  }
  const lines = [...texts.values()].map(
    (text) => `    ${safeJson(text)}: ${safeJson(chosen(text))}`,
  );
  return `$choice(${column.expression}, {\n${lines.join(",\n")}\n  })`;
}

/** A column with more different values is not one of a few choices. */
const MOST_CHOICES = 30;

/** The pace, from words or from a column such as `self_paced`. */
export function writePace(column: SourceColumn): Written | undefined {
  const { expression, names } = column;
  if (names[1].includes("selfpaced")) {
    return { expression: `$published(${expression}) = true ? "self_paced" : "instructor_paced"` };
  }
  const texts = distinctTexts(column);
  if (texts.length > MOST_CHOICES || !texts.some(paceOf)) return undefined;
  const unknown = noteUnknown(column, paceOf);
  return {
    expression: writeChoice(column, (text) => paceOf(text) ?? ""),
    note: unknown && `${unknown}; write self_paced or instructor_paced`,
  };
}

/** The only pace that a value names. */
function paceOf(value: unknown): string | undefined {
  const [pace, ...others] = pacesIn(String(value));
  return others.length === 0 ? pace : undefined;
}

/** Whether all values say whether a course is published, one of them in words that say nothing else. */
export function hasStatuses(column: SourceColumn): boolean {
  return (
    column.values.every((value) => isPublished(value) !== undefined) &&
    textsOf(column).some((text) => statusMeaning(text) !== undefined)
  );
}

/** Whether the name or the values say which courses are published. */
export function isStatusLike(column: SourceColumn): boolean {
  const isNamed = column.names.some(
    (name) => (rankOfName("published", name) ?? rankOfName("hidden", name)) !== undefined,
  );
  return column.values.length > 0 && (isNamed || hasStatuses(column));
}

/** Whether the course is published. What is not understood is not. */
export function writePublished(
  column: SourceColumn,
  { answers }: Surroundings,
): Written | undefined {
  const { expression, values, names } = column;
  const { status } = answers;
  if (status?.column === expression) {
    const published = new Set(status.published.map(foldChoice));
    const choice = writeChoice(column, (text) => published.has(foldChoice(text)));
    return { expression: `${choice} = true` };
  }
  if (!values.some((value) => isPublished(value) !== undefined)) return undefined;
  const isHidden = names.some((name) => rankOfName("hidden", name) !== undefined);
  if (values.every((value) => typeof value === "boolean")) {
    return { expression: isHidden ? `$not(${expression})` : expression };
  }
  const unknown = noteUnknown(column, isPublished);
  return {
    expression: isHidden
      ? `$not($published(${expression}) = true)`
      : `$published(${expression}) = true`,
    note: unknown && `${unknown}, which is therefore ${isHidden ? "" : "not "}published`,
  };
}

/** True or false, from words for yes and no. */
export function writeYesOrNo(column: SourceColumn): Written | undefined {
  const { expression, values } = column;
  if (values.every((value) => typeof value === "boolean")) return { expression };
  const texts = distinctTexts(column);
  if (texts.length > MOST_CHOICES || !texts.some((text) => yesOrNo(text) !== undefined)) {
    return undefined;
  }
  return {
    expression: writeChoice(column, (text) => yesOrNo(text) ?? ""),
    note: noteUnknown(column, (text) => yesOrNo(String(text))),
  };
}
