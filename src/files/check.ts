/** Checks the courses of files: each by itself, with the providers, and against one another. */
import { grouped } from "../base/text.ts";
import { isMapping } from "../base/values.ts";
import { type CheckOptions, checkCourse } from "../course/check.ts";
import { checkOwnership } from "../course/ownership.ts";
import type { Problem } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";
import {
  type Diagnostic,
  type Finding,
  placeProblem,
  sortByPlace,
  textDiagnostics,
} from "./diagnostic.ts";
import type { SourceCourse, SourceFile } from "./read.ts";
import { type Recall, Repeats } from "./repeats.ts";

/** What to check for. */
export interface FileCheckOptions extends CheckOptions {
  /** The user's providers, where they are at hand. */
  readonly providers?: readonly Provider[];
}

/** More findings than this in one file are no help to anybody, and cost memory without bound. */
const MOST_FINDINGS = 10_000;

const TOO_MANY: Problem = {
  rule: "too-many",
  severity: "error",
  at: "value",
  path: [],
  message: `there are more than ${grouped(MOST_FINDINGS)} findings in this file; the rest of it was not checked`,
};

/**
 * Checks files one after another and keeps nothing of them but the ids and urls, so that ten
 * thousand files need no more memory than the largest.
 */
export class FileCheck {
  readonly #options: FileCheckOptions;
  readonly #repeats = new Repeats();

  constructor(options: FileCheckOptions = {}) {
    this.#options = options;
  }

  /**
   * Every problem of one file, sorted by place.
   *
   * @param again reads the file once more, should a later one repeat what it says; without it the
   *   file is kept for that
   */
  next(file: SourceFile, again?: () => SourceFile | undefined): Diagnostic[] {
    const found: Diagnostic[] = textDiagnostics(file);
    let room = MOST_FINDINGS;
    for (const [index, course] of file.courses.entries()) {
      const problems = this.#problemsOf(course, recall(course, again, index));
      for (const finding of problems.slice(0, room)) found.push(placeProblem(course, finding));
      room -= problems.length;
      if (room < 0) {
        found.push(placeProblem(course, { problem: TOO_MANY }));
        break;
      }
    }
    return found.length < 2 ? found : sortByPlace(found, [file.name]);
  }

  /** The problems of one course, with those that only the providers or other courses tell. */
  #problemsOf({ value }: SourceCourse, recalled: Recall): Finding[] {
    const { providers } = this.#options;
    const problems = checkCourse(value, this.#options);
    const owned =
      providers === undefined || !isMapping(value) ? [] : checkOwnership(value, providers);
    const own = [...problems, ...owned].map((problem) => ({ problem }));
    return [...own, ...this.#repeats.next(value, recalled)];
  }
}

/** Apart from all else, as what is made beside other things keeps these, too. */
function recall(
  course: SourceCourse,
  again: (() => SourceFile | undefined) | undefined,
  index: number,
): Recall {
  return again === undefined ? keeping(course) : () => again()?.courses[index];
}

function keeping(course: SourceCourse): Recall {
  return () => course;
}
