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
  { folder, io, messages }: Context,
): Promise<void> {
  const { out, paths, dryRun } = options;
  const problems = files.flatMap((file) => textDiagnostics(file));
  await messages.diagnose(problems);
  if (files.every(({ rows }) => rows.length === 0) && problems.length > 0) return;
  const courses = files.map((file) => {
    const sections = sectionsOf(file);
    return { ...file, rows: file.rows.filter((row) => !sections.has(row)) };
  });
  const { mapping, hasPublished } = paths.every(isPage)
    ? { mapping: `${SCHEMA_ORG_MAPPING}\n`, hasPublished: true }
    : suggestMapping(courses, options);
  if (!hasPublished) await messages.info(ALL_PUBLISHED);
  const text = escapeControls(mapping);
  if (out === undefined) return await io.out.write(text, "data");
  if (dryRun) return await messages.info(`Would write the mapping to ${out}.`);
  await writeFileAtomically(resolve(folder, out), text, { name: out });
  const command = importCommand(options, quoteShell(out));
  await messages.info(`Wrote the mapping to ${out}. Check the mapping, then run: ${command}`);
}
