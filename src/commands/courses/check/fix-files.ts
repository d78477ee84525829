/** `check --fix`: applies the fixes that are certain to the files, in place. */
import { resolve } from "node:path";
import { escapeLine, pluralize, truncate } from "../../../base/text.ts";
import { formatPath, isObject } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import { type FileStep, writeFiles } from "../../../command-support/write-files.ts";
import type { IsTaken } from "../../../course/check.ts";
import { UNIQUE_FIELDS } from "../../../course/field-names.ts";
import type { TableOptions } from "../../../files/content.ts";
import { Defaults } from "../../../files/defaults.ts";
import type { EditText } from "../../../files/edit.ts";
import { type AppliedFix, fixText } from "../../../files/fix.ts";
import { loadCourses } from "../../../files/load.ts";
import type { Styles } from "../../../output/color.ts";

export type FileFix = AppliedFix & { readonly file: string };

const NOT_EDITABLE = "it is not a text in UTF-8. Edit it in a spreadsheet program.";

interface FixOptions extends TableOptions {
  readonly paths: readonly string[];
  /** Files that a folder does not include. */
  readonly except: readonly string[];
  readonly dryRun: boolean;
}

/** Fixes every file of the paths, or only finds out what it would fix. Reports failures. */
export async function fixFiles(options: FixOptions, context: Context): Promise<FileFix[]> {
  const { folder, environment, user, io } = context;
  const { paths, dryRun, ...reading } = options;
  const names: string[] = [];
  const used = new Set<string>();
  const isTaken: IsTaken = (field, value) => used.has(keyOf(field, value));
  const sources = { ...reading, folder, environment, user, input: io.in, mode: "syntax" } as const;
  const defaults = new Defaults(context);
  for await (const file of loadCourses(paths, sources)) {
    const { name, failure, courses, isLeftOut } = file;
    if (failure === undefined && isLeftOut !== true) {
      if (file.isEditable) names.push(name);
      else await context.messages.info(`${name} was not fixed: ${NOT_EDITABLE}`);
      await defaults.valuesFor(resolve(folder, name));
    }
    for (const { value } of courses) {
      if (!isObject(value)) continue;
      for (const field of UNIQUE_FIELDS) used.add(keyOf(field, value[field]));
    }
  }
  const defaultsNames = defaults.names.filter((name) => !name.startsWith(".."));
  const applied = new Map<string, readonly AppliedFix[]>();
  const steps = [...names, ...defaultsNames].map((name): FileStep => {
    const isDefaults = defaultsNames.includes(name);
    const edit: EditText = async (text, format) => {
      const fixed = await fixText(text, format, { isTaken, isDefaults });
      applied.set(name, fixed.fixes);
      return fixed;
    };
    return { action: "edit", name, path: resolve(folder, name), courses: [], edit };
  });
  const writing = {
    doing: "Fixing files",
    what: "the fixes",
    advice: "Fix the file yourself.",
    adviceIfChanged: "Run check --fix again.",
    dryRun,
  };
  const outcomes = await writeFiles(steps, writing, context);
  return outcomes.flatMap(({ step: { name: file }, status }) =>
    status === "failed" ? [] : (applied.get(file) ?? []).map((fix) => ({ ...fix, file })),
  );
}

/** A value of a field that no two courses share. */
function keyOf(field: string, value: unknown): string {
  // An object is not a valid value of these fields, and its own toString may not be a function.
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return `${field}:${text.toLowerCase()}`;
}

/** The fixes for people, one per line, and their number. */
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
  const where = fixes.length === 0 ? "" : ` in ${pluralize(files, "file")}`;
  return `${lines.join("")}${done} ${pluralize(fixes.length, "problem")}${where}.\n`;
}

function show(value: unknown): string {
  return escapeLine(truncate(JSON.stringify(value) ?? ""));
}
