/** Checks the courses of files: each by itself, with the providers, and against one another. */
import { formatNumber } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import { type CheckOptions, checkCourse } from "../course/check.ts";
import { checkOwnership } from "../course/ownership.ts";
import type { Problem } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";
import {
  type Diagnostic,
  placeProblem,
  sortByPlace,
  textDiagnostics,
  withFinding,
} from "./diagnostic.ts";
import { MAX_FINDINGS } from "./limits.ts";
import type { SourceCourse, SourceFile } from "./read.ts";
import { type Repeat, Repeats, repeatFinding } from "./repeats.ts";
import type { FileSummary } from "./summary.ts";

/** What to check for. */
export interface FileCheckOptions extends CheckOptions {
  /** The user's providers, where they are at hand. */
  readonly providers?: readonly Provider[];
}

const TOO_MANY: Problem = {
  rule: "too-many",
  severity: "error",
  at: "value",
  path: [],
  message: `there are more than ${formatNumber(MAX_FINDINGS)} findings in this file; the rest of it was not checked`,
};

/** A course by its number in a file, and the file by its number among those checked. */
interface Origin {
  readonly file: number;
  readonly course: number;
}

/** Reads a file once more; undefined where it has gone. */
type Again = () => SourceFile | undefined;

/**
 * Checks files one after another and keeps nothing of them but the ids and urls, so that ten
 * thousand files need no more memory than the largest.
 */
export class FileCheck {
  readonly #options: FileCheckOptions;
  readonly #repeats = new Repeats<Origin>();
  readonly #again: Again[] = [];
  /** Findings about repeats, which still lack the place of the first course. */
  readonly #unplaced = new Map<Diagnostic, Repeat<Origin>>();

  constructor(options: FileCheckOptions = {}) {
    this.#options = options;
  }

  /**
   * Every problem of one file, sorted by place.
   *
   * @param again reads the file once more, should a later one repeat what it says; without it the
   *   file is kept for that
   */
  next(file: SourceFile, again: Again = keeping(file)): Diagnostic[] {
    const number = this.#again.push(again) - 1;
    return this.#findingsOf(file, (course, index) =>
      this.#repeats.next(course.value, { file: number, course: index }),
    );
  }

  /**
   * The same of a file that was checked alone, elsewhere: only where it repeats what others say is it
   * read once more.
   */
  nextSummary({ identities, diagnostics }: FileSummary, again: Again): readonly Diagnostic[] {
    const number = this.#again.push(again) - 1;
    const repeats = identities.map((identity, index) =>
      this.#repeats.next(identity, { file: number, course: index }),
    );
    const file = repeats.some(({ length }) => length > 0) ? again() : undefined;
    return file === undefined
      ? diagnostics
      : this.#findingsOf(file, (_, index) => repeats[index] ?? []);
  }

  /** Whether some course repeats what another says. */
  get hasRepeats(): boolean {
    return this.#unplaced.size > 0;
  }

  #findingsOf(
    file: SourceFile,
    repeatsOf: (course: SourceCourse, index: number) => readonly Repeat<Origin>[],
  ): Diagnostic[] {
    const found: Diagnostic[] = textDiagnostics(file);
    let room = MAX_FINDINGS - found.length;
    for (const [index, course] of file.courses.entries()) {
      const problems = this.#problemsOf(course, room + 1);
      const repeats = repeatsOf(course, index);
      for (const problem of problems.slice(0, Math.max(0, room))) {
        found.push(placeProblem(course, { problem }));
      }
      room -= problems.length;
      for (const repeat of repeats.slice(0, Math.max(0, room))) {
        const diagnostic = placeProblem(course, repeatFinding(repeat.field, undefined));
        this.#unplaced.set(diagnostic, repeat);
        found.push(diagnostic);
      }
      room -= repeats.length;
      if (room < 0) {
        found.push(placeProblem(course, { problem: TOO_MANY }));
        break;
      }
    }
    return found.length < 2 ? found : sortByPlace(found, [file.name]);
  }

  /**
   * The findings with the places of the courses that gave an id or a url first. Their files are
   * read again for that, each of them once.
   */
  completed(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    if (this.#unplaced.size === 0) return diagnostics;
    const open = diagnostics.flatMap((diagnostic, index) => {
      const repeat = this.#unplaced.get(diagnostic);
      return repeat === undefined ? [] : [{ diagnostic, index, repeat }];
    });
    open.sort((one, other) => one.repeat.first.file - other.repeat.first.file);
    const whole = [...diagnostics];
    let last: { readonly number: number; readonly file: SourceFile | undefined } | undefined;
    for (const { diagnostic, index, repeat } of open) {
      const { field, first } = repeat;
      if (last?.number !== first.file) {
        last = { number: first.file, file: this.#again[first.file]?.() };
      }
      whole[index] = withFinding(
        diagnostic,
        repeatFinding(field, last.file?.courses[first.course]),
      );
    }
    return whole;
  }

  /** The problems of one course, with those that only the providers tell. */
  #problemsOf({ value }: SourceCourse, most: number): Problem[] {
    const { providers } = this.#options;
    const problems = checkCourse(value, { ...this.#options, most });
    if (providers === undefined || !isObject(value)) return problems;
    return [...problems, ...checkOwnership(value, providers)];
  }
}

/** Apart from all else, as a function that is made beside other things keeps these, too. */
function keeping(file: SourceFile): Again {
  return () => file;
}
