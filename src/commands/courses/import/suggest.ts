/** `import --suggest`: prints a mapping, or writes the mapping to a file. */
import { resolve } from "node:path";
import { writeFileAtomically } from "../../../base/atomic-write.ts";
import { escapeControls, quoteShell } from "../../../base/text.ts";
import type { Context } from "../../../cli/context.ts";
import { textDiagnostics } from "../../../files/diagnostic.ts";
import { isPage, type SourceRows } from "../../../files/rows.ts";
import { sectionsOf } from "../../../import/rows.ts";
import { SCHEMA_ORG_MAPPING } from "../../../import/schema-org.ts";
import {
  ALL_PUBLISHED,
  importCommand,
  type Source,
  suggestMapping,
} from "../../../import/suggest.ts";

/** The options of `import --suggest`. */
export interface SuggestOptions extends Source {
  /** The file of the mapping; by default, the mapping is printed. */
  readonly out: string | undefined;
  readonly dryRun: boolean;
}

/** Suggests a mapping from the columns or, for HTML pages, the built-in mapping. */
export async function suggest(
  files: readonly SourceRows[],
  options: SuggestOptions,
  context: Context,
): Promise<void> {
  const problems = files.flatMap((file) => textDiagnostics(file));
  await context.messages.diagnose(problems);
  if (files.every(({ rows }) => rows.length === 0) && problems.length > 0) return;
  const isSchemaOrg = options.paths.every(isPage);
  const mapping = isSchemaOrg
    ? `${SCHEMA_ORG_MAPPING}\n`
    : await mappingFor(files, options, context);
  const text = escapeControls(mapping);
  if (options.out === undefined) await context.io.out.write(text, "data");
  else await writeMapping(text, options.out, options, context);
}

async function mappingFor(
  files: readonly SourceRows[],
  source: Source,
  { messages }: Context,
): Promise<string> {
  const courses = files.map((file) => {
    const sections = sectionsOf(file);
    return { ...file, rows: file.rows.filter((row) => !sections.has(row)) };
  });
  const { mapping, hasPublished } = suggestMapping(courses, source);
  if (!hasPublished) await messages.info(ALL_PUBLISHED);
  return mapping;
}

async function writeMapping(
  text: string,
  out: string,
  source: SuggestOptions,
  { folder, messages }: Context,
): Promise<void> {
  const path = resolve(folder, out);
  if (source.dryRun) return await messages.info(`Would write the mapping to ${out}.`);
  await writeFileAtomically(path, text, { name: out });
  const command = importCommand(source, quoteShell(out));
  await messages.info(`Wrote the mapping to ${out}. Check the mapping, then run: ${command}`);
}
