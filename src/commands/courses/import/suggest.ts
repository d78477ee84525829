/** `import --suggest`: prints a mapping, or writes it with the answers to what only its user knows. */
import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import { findEntry, writeFileAtomically } from "../../../base/atomic-write.ts";
import { usageError } from "../../../base/errors.ts";
import { requireLinksInside } from "../../../base/folders.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { escapeControls, escapeName, listSome, quoteShell, truncate } from "../../../base/text.ts";
import { isObject } from "../../../base/values.ts";
import { askText, canAsk, confirm } from "../../../command-support/ask.ts";
import { requireYes } from "../../../command-support/confirm-steps.ts";
import type { Context } from "../../../command-support/context.ts";
import { textDiagnostics } from "../../../files/diagnostic.ts";
import { isPage, type SourceRows } from "../../../files/rows.ts";
import { foldChoice, isPublished } from "../../../import/mapping-functions.ts";
import { requireRows } from "../../../import/rows.ts";
import { SCHEMA_ORG_MAPPING } from "../../../import/schema-org.ts";
import { type Answers, distinctTexts, type SourceColumn } from "../../../import/source-columns.ts";
import {
  importCommand,
  type Source,
  type Suggestion,
  suggestMapping,
} from "../../../import/suggest.ts";
import { splitTitles } from "../../../import/title-rows.ts";

/** What `--suggest` reads, and where it writes. */
export interface SuggestOptions extends Source {
  /** The file of the mapping; standard output if it is left out. */
  readonly out: string | undefined;
  readonly yes: boolean;
}

/**
 * Suggests a mapping made from the columns, or the built-in one for pages.
 *
 * @param read reads the files, with the header of tables in a row or where it is found
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
    : await answeredMapping(files.map(withoutTitles), source, asks, context);
  const text = escapeControls(mapping);
  if (out === undefined) await context.io.out.write(text, "data");
  else await writeMapping(text, out, { exists, source }, context);
}

/** The file without the rows that are titles of sections. */
function withoutTitles(file: SourceRows): SourceRows {
  return { ...file, rows: splitTitles(file).rows };
}

async function answeredMapping(
  files: readonly SourceRows[],
  source: Source,
  asks: boolean,
  context: Context,
): Promise<string> {
  const first = suggestMapping(files, source);
  const { mapping, warning } = asks
    ? suggestMapping(files, source, await askAll(first, context))
    : first;
  if (warning !== undefined) await context.messages.warn(warning);
  return mapping;
}

/** Asks in which row the header of the only file is, if rows above it are skipped; undefined if it is clear. */
async function askHeader(
  [file, ...others]: readonly SourceRows[],
  context: Context,
): Promise<number | undefined> {
  const foundHeader = others.length > 0 ? undefined : file?.foundHeader;
  if (foundHeader === undefined) return undefined;
  const question = {
    message: "Which row is the header?",
    usual: String(foundHeader),
    advice: "Answer with the number of a row, as a spreadsheet shows it.",
  };
  const read = (answer: string) => (/^0*[1-9]\d{0,8}$/.test(answer) ? Number(answer) : undefined);
  return await ask(question, read, context);
}

async function askAll({ status, units }: Suggestion, context: Context): Promise<Answers> {
  const published = status && {
    column: status.expression,
    published: await askStatus(status, context),
  };
  const hours: Record<string, number> = {};
  for (const { unit, value } of units.slice(0, MOST_UNITS)) {
    const answer = await askHours(unit, value, context);
    if (answer > 0) hours[unit] = answer;
  }
  return { ...(published === undefined ? {} : { status: published }), hours };
}

const MOST_UNITS = 3;

/** Asks which values of a column mean published. */
async function askStatus(column: SourceColumn, context: Context): Promise<readonly string[]> {
  const texts = distinctTexts(column);
  const usual = texts.filter((text) => isPublished(text) === true).join(", ") || NONE;
  const values = listSome(texts.map(truncate), texts.length);
  const name = JSON.stringify(truncate(column.path.join(".")));
  const advice = `Name those that mean published, with commas between them, or answer ${NONE}.`;
  await context.messages.important(`The values of ${name} are ${values}. ${advice}`);
  // The usual answer is escaped, too.
  const known = new Map(texts.map((text) => [foldChoice(escapeName(text)), text]));
  const question = { message: "Which values mean published?", usual, advice };
  return await ask(question, (answer) => readValues(answer, known), context);
}

const NONE = "none";

/** The values in an answer, one of which may itself contain a comma; undefined if one is not known. */
function readValues(answer: string, known: ReadonlyMap<string, string>): string[] | undefined {
  if (answer === NONE) return [];
  const isOne = known.has(foldChoice(answer));
  const parts = isOne ? [answer] : answer.split(",").filter((part) => part.trim() !== "");
  const values = parts.flatMap((part) => known.get(foldChoice(part)) ?? []);
  return values.length === parts.length ? values : undefined;
}

/** Asks for the hours of a unit; 0 to leave it out. */
async function askHours(unit: string, value: string, context: Context): Promise<number> {
  const [what, usual] = unit === "day" ? ["a day", "8"] : [JSON.stringify(truncate(unit)), "0"];
  const question = {
    message: `How many hours are in ${what}, as in ${JSON.stringify(truncate(value))}? 0 leaves these values out.`,
    usual,
    advice: "Answer with a number, such as 8 or 0.75.",
  };
  const read = (answer: string) => {
    const hours = Number(answer.replace(",", "."));
    return hours >= 0 && hours <= 1000 ? hours : undefined;
  };
  return await ask(question, read, context);
}

/** Asks until the answer means something; of one that does not, the prompt shows the advice. */
async function ask<Meaning>(
  question: { readonly message: string; readonly usual: string; readonly advice: string },
  read: (answer: string) => Meaning | undefined,
  context: Context,
): Promise<Meaning> {
  const show = (text: string): string => escapeName(context.io.err.mask(text));
  const shown = { message: show(question.message), usual: show(question.usual) };
  const check = (answer: string) => read(answer.trim()) !== undefined || question.advice;
  for (;;) {
    const meaning = read((await askText(shown, check, context)).trim());
    if (meaning !== undefined) return meaning;
  }
}

/** Whether the file of the mapping exists, and may be overwritten. @throws CatalogError if it may not */
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
  await messages.info(`Wrote ${out}. Read it, then run "${command}".`);
}
