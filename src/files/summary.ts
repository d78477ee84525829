/** What the check of one file comes to, as data that a thread can hand to another. */
import { isObject } from "../base/values.ts";
import { FileCheck, type FileCheckOptions } from "./check.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { FoundFile } from "./find.ts";
import { readCourseFile } from "./read.ts";

/** What of a course must be that of no other. */
export interface CourseIdentity {
  readonly id?: string;
  readonly url?: string;
}

/** What a file came to, seen alone. */
export interface FileSummary {
  /** Of each of its courses, in their order. */
  readonly identities: readonly CourseIdentity[];
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** What its courses are, where that was asked for. */
  readonly values?: readonly unknown[];
}

/** What to check for, and what to tell. */
export interface SummaryOptions extends FileCheckOptions {
  /** Whether the courses are wanted, too; then a file in which something is wrong has no summary. */
  readonly keepsValues?: boolean;
}

/** A file with more findings is one of few, and better checked where all is known of the others. */
const MOST_FINDINGS = 100;

/**
 * Checks one file alone. Undefined where that tells too little: the file cannot be read, repeats
 * itself or has very many findings.
 *
 * @param room as in `readBytes`
 */
export function summaryOf(
  entry: FoundFile,
  options: SummaryOptions,
  room: Buffer,
): FileSummary | undefined {
  try {
    const file = readCourseFile(entry, room);
    const check = new FileCheck(options);
    const diagnostics = check.next(file);
    const most = options.keepsValues === true ? 0 : MOST_FINDINGS;
    if (check.hasRepeats || diagnostics.length > most) return undefined;
    const values = file.courses.map(({ value }) => value);
    const kept = options.keepsValues === true ? { values } : {};
    return { identities: values.map(identityOf), diagnostics, ...kept };
  } catch {
    // Whoever checks it in its turn meets the same, and tells it.
    return undefined;
  }
}

function identityOf(course: unknown): CourseIdentity {
  if (!isObject(course)) return {};
  const { id, url } = course;
  return { ...(typeof id === "string" ? { id } : {}), ...(typeof url === "string" ? { url } : {}) };
}
