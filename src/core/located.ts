/** Courses of files with the places of their values, and the problems that need the catalog to be found. */
import type { Path, PlainObject } from "../base/values.ts";
import type { Located, Place } from "../course/located.ts";
import type { Problem } from "../course/problem.ts";
import type { SourceCourse } from "../files/course-file.ts";
import { type Diagnostic, placeProblem } from "../files/diagnostic.ts";

/** A course of a file. */
export class FileCourse implements Located {
  readonly source: SourceCourse;
  readonly value: PlainObject;

  /** @param value the course to send, which may have more fields than its file */
  constructor(source: SourceCourse, value: PlainObject) {
    this.source = source;
    this.value = value;
  }

  get file(): string {
    return this.source.file.name;
  }

  get line(): number {
    return this.source.line();
  }

  async place(path: Path): Promise<Place> {
    const { lines, name: file } = this.source.file;
    const span = await this.source.locate(path, "value");
    const { line, column, endLine, endColumn } = lines.range(span);
    return { file, line, column, excerpt: { ...lines.excerpt(span), endLine, endColumn } };
  }
}

/** A problem of a course of a file. */
export interface Found {
  readonly from: Located;
  readonly problem: Problem;
  /** The course of a file that is the same course. Its place takes the place of `another` in the message. */
  readonly same?: Located;
}

/** The problems at their places. */
export async function placeFound(found: readonly Found[]): Promise<Diagnostic[]> {
  return await Promise.all(
    found.map(async ({ from, problem, same }) => {
      const other = same === undefined ? "another" : `${same.file}:${same.line}`;
      const message = problem.message.replace("another", () => other);
      return await placeProblem(sourceOf(from), { ...problem, message });
    }),
  );
}

/** The course as its file contains it. @throws TypeError for a course that is not from a file */
export function sourceOf(from: Located): SourceCourse {
  if (from instanceof FileCourse) return from.source;
  throw new TypeError("the course is not from a file");
}
