/** `check --fix`: applies automatic fixes to the files, and keeps their comments and layout. */
import { resolve } from "node:path";
import { escapeLine, pluralize, truncate } from "../../../base/text.ts";
import { formatPath } from "../../../base/values.ts";
import type { Context } from "../../../cli/context.ts";
import { type FileStep, writeFiles } from "../../../cli/write-files.ts";
import type { EditText } from "../../../files/edit.ts";
import { isDefaults } from "../../../files/find.ts";
import { type AppliedFix, fixText } from "../../../files/fix.ts";
import { loadCourses } from "../../../files/load.ts";
import type { TableOptions } from "../../../files/parse.ts";
import type { Styles } from "../../../output/text-measure.ts";

export type FileFix = AppliedFix & { readonly file: string };

/** Applies the automatic fixes to every file, in a dry run without writing. @returns the fixes */
export async function fixFiles(
  paths: readonly string[],
  table: TableOptions,
  dryRun: boolean,
  context: Context,
): Promise<FileFix[]> {
  const { folder, uid, io } = context;
  const sources = { ...table, folder, uid, input: io.in, mode: "syntax" } as const;
  const applied = new Map<string, readonly AppliedFix[]>();
  const steps: FileStep[] = [];
  for await (const file of loadCourses(paths, sources)) {
    const { name, courses, isEditable, isLeftOut = false, isNamed = false } = file;
    // Defaults are fixed too, except those above the current folder.
    const isOwn = isLeftOut ? isDefaults(name) && !name.startsWith("..") : courses.length > 0;
    if (!isOwn) continue;
    if (!isEditable) {
      const text = "--fix can only edit text in UTF-8. Fix the file in a spreadsheet program.";
      await context.messages.info(`Skipped ${name}: ${text}`);
      continue;
    }
    const edit: EditText = async (text, format) => {
      const fixed = await fixText(text, format, isNamed);
      applied.set(name, fixed.fixes);
      return fixed;
    };
    steps.push({ name, path: resolve(folder, name), courses: [], edit });
  }
  const outcomes = await writeFiles(steps, "Fixing files", dryRun, context);
  return outcomes.flatMap(({ step: { name: file }, status }) =>
    status === "failed" ? [] : (applied.get(file) ?? []).map((fix) => ({ ...fix, file })),
  );
}

/** The fixes as text, one per line (`a.yaml:3:8: fixed: level: "Beginner" → ["beginner"] [type]`), then their number. */
export function fixesText(fixes: readonly FileFix[], dryRun: boolean, styles: Styles): string {
  const verb = dryRun ? "would fix" : "fixed";
  const lines = fixes.map(({ file, line, column, rule, ...fix }) => {
    const position = styles.bold(`${escapeLine(file)}:${line}:${column}:`);
    const change = `${styles.red(show(fix.old))} → ${styles.green(show(fix.new))}`;
    const path = fix.path.length === 0 ? "" : `${escapeLine(formatPath(fix.path))}: `;
    return `${position} ${styles.green(`${verb}:`)} ${path}${change} ${styles.dim(`[${rule}]`)}\n`;
  });
  const files = new Set(fixes.map(({ file }) => file)).size;
  const done = dryRun ? "Would fix" : "Fixed";
  if (fixes.length === 0) return "No automatic fixes.\n";
  return `${lines.join("")}${done} ${pluralize(fixes.length, "problem")} in ${pluralize(files, "file")}.\n`;
}

function show(value: unknown): string {
  return escapeLine(truncate(JSON.stringify(value) ?? ""));
}
