/** Loads the courses that files describe: checked, with their providers resolved. */
import { isObject, type PlainObject } from "../../base/values.ts";
import type { Context } from "../../command-support/context.ts";
import { loadAllCourses, stopAtErrors } from "../../command-support/course-files.ts";
import { resolveProvider } from "../../course/ownership.ts";
import type { Provider } from "../../course/provider.ts";
import { sortByPlace } from "../../files/diagnostic.ts";
import { checkOwner, type LoadedFile } from "../../files/load.ts";
import type { SourceCourse } from "../../files/read.ts";
import type { CheckReport } from "../../output/diagnostics.ts";

/** A course of a file. */
export interface DesiredCourse {
  /** The desired state, with `provider` replaced by `provider_id`. */
  readonly course: PlainObject;
  readonly source: SourceCourse;
  /** The number of its file among those that were read, from 0. */
  readonly fileNumber: number;
}

/** Where to read. */
export interface Sources {
  readonly paths: readonly string[];
  /** Files that a folder does not include, such as reports. */
  readonly except?: readonly string[];
}

type Needs = Pick<Context, "io" | "folder" | "messages">;

/**
 * Loads and checks every file, first without the service, then with the user's providers. Reports
 * errors; warnings are left to `check`.
 *
 * @param onReport receives what is known so far, before anything is thrown
 * @throws ReportedError of kind `file`, or `usage` for a path without courses
 */
export async function loadDesired(
  { paths, except = [] }: Sources,
  readProviders: () => Promise<readonly Provider[]>,
  onReport: (report: CheckReport) => void,
  context: Needs,
): Promise<readonly DesiredCourse[]> {
  const loaded = await loadAllCourses(paths, context, { except });
  const local = loaded.files.flatMap(({ diagnostics }) => diagnostics);
  const names = loaded.files.map(({ name }) => name);
  const courses = loaded.courses.length;
  onReport({ files: names, courses, diagnostics: local });
  await stopAtErrors(loaded.diagnostics, loaded.failures, context);

  const providers = await readProviders();
  const owned = loaded.courses.flatMap((course) => checkOwner(course, providers));
  onReport({ files: names, courses, diagnostics: sortByPlace([...local, ...owned], names) });
  await stopAtErrors(owned, [], context);
  return loaded.files.flatMap((file, number) => desired(file, number, providers));
}

function desired(
  { courses }: LoadedFile,
  fileNumber: number,
  providers: readonly Provider[],
): DesiredCourse[] {
  return courses.flatMap((source) =>
    isObject(source.value)
      ? [{ course: resolveProvider(source.value, providers), source, fileNumber }]
      : [],
  );
}
