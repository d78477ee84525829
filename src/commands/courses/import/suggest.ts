/** `import --suggest`: prints a mapping, or asks what only the user knows, and writes the mapping. */
import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import { findEntry, writeFileAtomically } from "../../../base/atomic-write.ts";
import { usageError } from "../../../base/errors.ts";
import { requireLinksInside } from "../../../base/folders.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { escapeControls, escapeName, quoteShell, truncate } from "../../../base/text.ts";
import { isObject } from "../../../base/values.ts";
import { askText, canAsk, confirm } from "../../../command-support/ask.ts";
import { requireYes } from "../../../command-support/confirm-steps.ts";
import type { Context } from "../../../command-support/context.ts";
import { textDiagnostics } from "../../../files/diagnostic.ts";
import { isPage, type SourceRows } from "../../../files/rows.ts";
import { isPublished } from "../../../import/mapping-functions.ts";
import { requireRows } from "../../../import/rows.ts";
import { SCHEMA_ORG_MAPPING } from "../../../import/schema-org.ts";
import {
  type Answers,
  distinctTexts,
  nameOf,
  type SourceColumn,
} from "../../../import/source-columns.ts";
import {
  importCommand,
  type Source,
  type Suggestion,
  suggestMapping,
} from "../../../import/suggest.ts";
import { splitTitles } from "../../../import/title-rows.ts";

/** The options of `import --suggest`. */
export interface SuggestOptions extends Source {
  /** The file of the mapping; by default, the mapping is printed. */
  readonly out: string | undefined;
  readonly yes: boolean;
}

/**
 * Suggests a mapping from the columns or, for HTML pages, the built-in mapping.
 *
 * @param read reads the files, with the header of tables in the given row, or where catalog finds it
 */
export async function suggest(
  read: (headerRow: number | undefined) => Promise<readonly SourceRows[]>,
  options: SuggestOptions,
  context: Context,
): Promise<void> {
  const { out, paths, yes } = options;
  const exists = out !== undefined && (await confirmOverwriting(out, yes, context));
  const asks = out !== undefined && !yes && !paths.includes(STANDARD_INPUT) && canAsk(context);
  const found = await read(options.headerRow);
  const headerRow = asks ? await askHeader(found, context) : undefined;
  const isFound = headerRow === undefined || headerRow === found[0]?.foundHeader;
  const files = isFound ? found : await read(headerRow);
  const source = { ...options, headerRow: headerRow ?? options.headerRow };
  const problems = files.flatMap((file) => textDiagnostics(file));
  await context.messages.diagnose(problems);
  if (files.every(({ rows }) => rows.length === 0) && problems.length > 0) return;
  for (const file of files) {
    const [only] = file.rows;
    if (isObject(only?.value) && !("name" in only.value)) requireRows(only, file);
  }
  const isSchemaOrg = paths.every(isPage);
  const mapping = isSchemaOrg
    ? `${SCHEMA_ORG_MAPPING}\n`
    : await mappingFor(files, source, asks, context);
  const text = escapeControls(mapping);
  if (out === undefined) await context.io.out.write(text, "data");
  else await writeMapping(text, out, { exists, source }, context);
}

async function mappingFor(
  files: readonly SourceRows[],
  source: Source,
  asks: boolean,
  context: Context,
): Promise<string> {
  const courses = files.map((file) => ({ ...file, rows: splitTitles(file).rows }));
  const first = suggestMapping(courses, source);
  const { mapping, warning } = asks
    ? suggestMapping(courses, source, await askAll(first, context))
    : first;
  if (warning !== undefined) await context.messages.warn(warning);
  return mapping;
}

/** Asks which row is the header if rows above the found header are skipped; undefined if the header is clear. */
async function askHeader(
  [file, ...others]: readonly SourceRows[],
  context: Context,
): Promise<number | undefined> {
  const { foundHeader } = file ?? {};
  if (foundHeader === undefined || others.length > 0) return undefined;
  return await askNumber(
    { message: "Which row is the header?", usual: String(foundHeader) },
    (row) =>
      (Number.isInteger(row) && row > 0) ||
      "Type the number of the row, as your spreadsheet shows it.",
    context,
  );
}

async function askAll({ status, days }: Suggestion, context: Context): Promise<Answers> {
  const published = status && {
    column: status.expression,
    values: await askStatus(status, context),
  };
  if (days === undefined) return { published };
  const message = `How many hours are a day in ${quote(days, context)}? Type 0 to skip such values.`;
  const dayHours = await askNumber(
    { message, usual: "8" },
    (hours) => (hours >= 0 && hours <= 1000) || "Type a number of hours, for example 8 or 7.5.",
    context,
  );
  return { published, dayHours: dayHours || undefined };
}

/** The values of a column that mean published: known words, and values that the user confirms. */
async function askStatus(column: SourceColumn, context: Context): Promise<readonly string[]> {
  const published: string[] = [];
  for (const text of distinctTexts(column)) {
    const question = `Does ${quote(text, context)} in column ${quote(nameOf(column), context)} mean published?`;
    if (isPublished(text) ?? (await confirm(question, context))) published.push(text);
  }
  return published;
}

async function askNumber(
  question: { readonly message: string; readonly usual: string },
  validate: (number: number) => string | true,
  context: Context,
): Promise<number> {
  const read = (answer: string): number => Number(answer.replace(",", "."));
  return read(await askText(question, (answer) => validate(read(answer)), context));
}

/** Quotes a text of the source for a question, with control characters as escapes. */
function quote(text: string, { io }: Context): string {
  return escapeName(io.err.mask(JSON.stringify(truncate(text))));
}

/** Whether the file of the mapping exists; asks before it is overwritten. @throws CatalogError if it must not be */
async function confirmOverwriting(out: string, yes: boolean, context: Context): Promise<boolean> {
  const path = resolve(context.folder, out);
  requireLinksInside(out, path, context.folder);
  const exists = findEntry(out, path, lstatSync) !== undefined;
  if (!exists || yes) return exists;
  if (!canAsk(context)) {
    throw usageError(
      `${out} already exists`,
      "Choose another name, or pass --yes to overwrite it.",
    );
  }
  requireYes(await confirm(`${out} already exists. Overwrite it?`, context));
  return true;
}

async function writeMapping(
  text: string,
  out: string,
  { exists, source }: { readonly exists: boolean; readonly source: Source },
  { folder, messages, processes }: Context,
): Promise<void> {
  const mode = exists ? "replace" : "new";
  await writeFileAtomically(resolve(folder, out), text, { name: out, processes, mode });
  const command = importCommand(source, quoteShell(out));
  await messages.info(`Wrote the mapping to ${out}. Check the mapping, then run: ${command}`);
}
