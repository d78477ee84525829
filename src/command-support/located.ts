/** Courses with their places in files. */
import type { Path, PlainObject } from "../base/values.ts";
import type { SourceCourse } from "../files/read.ts";
import type { Located, Place } from "../sync/step.ts";

/** A course of a file. */
export class FileCourse implements Located {
  readonly source: SourceCourse;
  readonly value: PlainObject;

  /** @param value the wanted course, which may have more fields than its file */
  constructor(source: SourceCourse, value: PlainObject) {
    this.source = source;
    this.value = value;
  }

  get file(): string {
    return this.source.file.name;
  }

  line(): Promise<number> {
    return this.source.line();
  }

  async place(path: Path): Promise<Place> {
    const { lines, name: file } = this.source.file;
    const span = await this.source.locate(path, "value");
    const { line, column, endLine, endColumn } = lines.range(span);
    return { file, line, column, excerpt: { ...lines.excerpt(span), endLine, endColumn } };
  }
}

/** Which course a result is about, and where it is described. @param file where it will be, without a source */
export function describePlaced(
  { id, name, url }: PlainObject,
  place: SourceCourse | string,
): {
  readonly id: string | null;
  readonly name: unknown;
  readonly url: unknown;
  readonly from: Pick<Located, "file" | "line">;
} {
  const from =
    typeof place === "string"
      ? { file: place, line: async () => undefined }
      : { file: place.file.name, line: place.line };
  return { id: typeof id === "string" ? id : null, name, url, from };
}

/** A course that only flags or arguments describe. */
export function withoutFile(value: PlainObject): Located {
  return { value, file: undefined, line: async () => undefined, place: async () => undefined };
}
