/** Names `import` where the findings of a file are those of another system's export. */
import { STDIN_NAME } from "../base/io.ts";
import { quoteShell } from "../base/text.ts";
import { addTo, formatPath } from "../base/values.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import { formatOf } from "../files/formats.ts";
import type { Context } from "./context.ts";

/** So many unknown fields are not the misspellings of one course file. */
const FEWEST_UNKNOWN = 3;

/** Prints how to convert the first file that looks like the export of another system. */
export async function hintImport(
  diagnostics: readonly Diagnostic[],
  { messages }: Pick<Context, "messages">,
): Promise<void> {
  const byFile = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) addTo(byFile, diagnostic.file, diagnostic);
  for (const [file, found] of byFile) {
    const flags = importFlags(found, isRows(file));
    if (flags === undefined || file === STDIN_NAME) continue;
    const command = `catalog courses import ${quoteShell(file)} ${flags}`;
    return await messages.info(`If ${file} is an export of another system: ${command}`);
  }
}

/** Whether a file contains rows, as exports do, by its name. */
function isRows(file: string): boolean {
  return ["csv", "tsv", "ndjson"].includes(formatOf(file));
}

/** The flags with which `import` reads the file; undefined if it looks like a course file. */
function importFlags(found: readonly Diagnostic[], isExport: boolean): string | undefined {
  const unknown = new Set<unknown>();
  let isIncomplete = false;
  for (const { rule, path } of found) {
    if (rule === "not-a-course" && path.length > 0) return `--from ${quoteShell(formatPath(path))}`;
    if (rule === "not-a-course" && isExport) return "--suggest";
    if (path.length !== 1) continue;
    if (rule === "unknown-key") unknown.add(path[0]);
    if (rule === "required" && (path[0] === "name" || path[0] === "url")) isIncomplete = true;
  }
  return isIncomplete && unknown.size >= FEWEST_UNKNOWN ? "--suggest" : undefined;
}
