/** Reads the courses that the files of a folder contain, for `pull`, `import` and `--base`. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { IO } from "../base/io.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { type Provider, resolveProvider } from "../course/provider.ts";
import type { CourseFile, SourceCourse } from "../files/course-file.ts";
import { listCourseFileNames } from "../files/file-names.ts";
import type { Reader } from "../files/find.ts";
import { loadCourses } from "../files/load.ts";
import type { TableOptions } from "../files/parse.ts";

/** A course of a file. */
export interface ExistingCourse {
  readonly source: SourceCourse;
  readonly file: CourseFile;
  /** The course with the values of defaults files, and with `provider_id` instead of `provider`. */
  readonly described: PlainObject;
}

/** The content of a folder. */
export interface ExistingFiles {
  readonly courses: readonly ExistingCourse[];
  /** Why files were skipped that cannot be read or parsed. */
  readonly damaged: readonly string[];
  /** The names in the folder before the files were read. Files that were created later are not among them. */
  readonly names: readonly string[];
}

/** Reads every course file below a folder; none if the folder does not exist. */
export async function readExistingFiles(
  folder: string,
  providers: readonly Provider[],
  { folder: current, uid, io }: Reader & { readonly io: Pick<IO, "in"> },
  table: TableOptions = {},
): Promise<ExistingFiles> {
  const courses: ExistingCourse[] = [];
  const damaged: string[] = [];
  const path = resolve(current, folder);
  const names = listCourseFileNames(path);
  const exists = await stat(path).catch(() => undefined);
  if (exists === undefined) return { courses, damaged, names };
  const options = { folder: current, uid, input: io.in, mode: "syntax", ...table } as const;
  for await (const file of loadCourses([folder], options)) {
    // A folder or a file may be empty here.
    const [problem] = file.diagnostics;
    if (problem?.rule === "no-course" || file.isLeftOut === true) continue;
    if (problem !== undefined) {
      damaged.push(`skipped ${file.name}:${problem.line}:${problem.column}: ${problem.message}`);
      continue;
    }
    for (const source of file.courses) {
      if (!isObject(source.value)) continue;
      courses.push({ source, file, described: resolveProvider(source.value, providers) });
    }
  }
  return { courses, damaged, names };
}
