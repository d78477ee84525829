/** Reads the courses that the files of a folder already contain, for `pull` and `import`. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { isObject, type PlainObject } from "../base/values.ts";
import type { Provider } from "../course/provider.ts";
import { resolveProvider } from "../course/provider-ownership.ts";
import type { EditorSchema } from "../course/starter.ts";
import type { SourceCourse } from "../files/course-file.ts";
import { Defaults } from "../files/defaults.ts";
import { listCourseFileNames } from "../files/file-names.ts";
import { type LoadedFile, loadCourses } from "../files/load.ts";
import type { Context } from "./context.ts";

/** A course of a file. */
export interface ExistingCourse {
  readonly source: SourceCourse;
  readonly file: LoadedFile;
  /** The course with the values of defaults files, and with `provider_id` instead of `provider`. */
  readonly described: PlainObject;
}

/** The content of a folder. */
export interface ExistingFiles {
  readonly courses: readonly ExistingCourse[];
  /** Whether a file cannot be read or parsed. */
  readonly isDamaged: boolean;
  /** The names in the folder before the files were read. Files that were created later are not among them. */
  readonly names: readonly string[];
}

/** The schema for a course file: if defaults apply to it, a schema that requires no field. @param path absolute */
export async function findSchema(
  path: string,
  { folder, uid }: Pick<Context, "folder" | "uid">,
): Promise<EditorSchema> {
  const values = await new Defaults({ folder, uid }).valuesFor(path);
  const isPartial = Object.keys(values).length > 0;
  return isPartial
    ? { command: "catalog schema partial", file: "partial.schema.json" }
    : { command: "catalog schema", file: "course.schema.json" };
}

/** Reads every course file below a folder; none if the folder does not exist. */
export async function readExistingFiles(
  folder: string,
  providers: readonly Provider[],
  context: Pick<Context, "folder" | "uid" | "io" | "messages">,
): Promise<ExistingFiles> {
  const courses: ExistingCourse[] = [];
  let isDamaged = false;
  const path = resolve(context.folder, folder);
  const names = listCourseFileNames(path);
  const exists = await stat(path).catch(() => undefined);
  if (exists === undefined) return { courses, isDamaged, names };
  const { uid, io } = context;
  const options = { folder: context.folder, uid, input: io.in };
  for await (const file of loadCourses([folder], options)) {
    // A folder or a file may be empty here.
    if (file.failure?.kind === "usage") continue;
    const problem = file.problems.length > 0 ? file.diagnostics[0] : undefined;
    if (file.failure !== undefined || problem !== undefined) {
      isDamaged = true;
      const where = problem === undefined ? "" : `:${problem.line}:${problem.column}`;
      const reason = file.failure?.message ?? problem?.message;
      await context.messages.warn(`skipped ${file.name}${where}: ${reason}`);
      continue;
    }
    for (const source of file.courses) {
      if (!isObject(source.value)) continue;
      const described = resolveProvider(source.value, providers);
      courses.push({ source, file, described });
    }
  }
  return { courses, isDamaged, names };
}
