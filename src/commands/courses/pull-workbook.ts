/** Plans a pull into one workbook, which is rewritten completely. */
import { join } from "node:path";
import { requireRegular } from "../../base/atomic-write.ts";
import { CatalogError } from "../../base/errors.ts";
import { asText, type PlainObject } from "../../base/values.ts";
import type { Context } from "../../cli/context.ts";
import type { ComparedCourse, FileStep } from "../../cli/write-files.ts";
import type { ExistingFiles } from "../../core/existing-files.ts";
import { describePlaced } from "../../core/located.ts";
import { courseLabel } from "../../course/located.ts";
import type { Provider } from "../../course/provider.ts";
import type { Course } from "../../course/request-body.ts";
import { Defaults } from "../../files/defaults.ts";
import { fileColumns, fileCourse } from "../../files/write.ts";
import { compareFile, matchCourses, type PullOptions, providerName } from "./pull-plan.ts";

export const WORKBOOK_FORMAT = "xlsx";

export const WORKBOOK_NAME = "courses.xlsx";

/**
 * The step for the workbook with all these courses; none without courses. A workbook that differs from the
 * catalog is kept, unless `force` is set. @param existing the courses of the workbook, if it exists
 */
export async function planWorkbook(
  courses: readonly Course[],
  existing: ExistingFiles,
  options: PullOptions,
  providers: readonly Provider[],
  context: Context,
): Promise<FileStep[]> {
  if (courses.length === 0) return [];
  const { force } = options;
  const name = join(options.folder, WORKBOOK_NAME);
  const path = join(options.path, WORKBOOK_NAME);
  const text = (): Promise<Uint8Array> =>
    packCourses(courses, { ...options, path }, providers, context);
  const describeNew = (course: Course): ComparedCourse => ({
    ...describePlaced(course, name),
    action: "create",
  });
  if (requireRegular(name, path) === undefined) {
    return [{ action: "new", name, path, text, courses: courses.map(describeNew) }];
  }
  if (existing.damaged.length > 0 && !force) {
    const message = `${name} already exists, but its courses cannot be read`;
    const advice = "To replace the workbook, pass --force. To keep it, pull into another folder.";
    throw new CatalogError("output", message, { file: name, advice });
  }
  const matches = matchCourses(courses, existing.courses);
  const pairs = courses.flatMap((course) =>
    (matches.get(course.id) ?? []).map((each) => ({ course, existing: each })),
  );
  const both = await compareFile({ name }, pairs, options, providers, context);
  const differs = (course: ComparedCourse, message: string): ComparedCourse => {
    if (force) return course;
    const error = new CatalogError("output", message, { file: name });
    return { ...course, changes: [], status: "failed", error };
  };
  const added = courses
    .filter(({ id }) => !matches.has(id))
    .map((course) =>
      differs(describeNew(course), `${courseLabel(course)} is missing from ${name}`),
    );
  const known = new Set(pairs.map((pair) => pair.existing));
  const others = existing.courses
    .filter((each) => !known.has(each))
    .map(({ described, source }) => {
      const course = { ...describePlaced(described, source), action: "delete" } as const;
      return differs(
        course,
        `${courseLabel({ name: described.name, id: asText(described.id ?? described.url) })} is in ${name}, but the catalog does not list it`,
      );
    });
  const compared = [...both.courses, ...added, ...others];
  const isKept = !force || compared.every(({ action }) => action === "unchanged");
  if (isKept) return [{ action: "keep", name, path, courses: compared }];
  return [{ action: "replace", name, path, text, courses: compared }];
}

/** The bytes of a workbook that contains courses in the form of course files. */
async function packCourses(
  courses: readonly Course[],
  { path, noIds }: PullOptions,
  providers: readonly Provider[],
  context: Context,
): Promise<Uint8Array> {
  const { CourseSheet } = await import("../../output/workbook.ts");
  const defaults = await new Defaults(context).valuesFor(path);
  const written: PlainObject[] = courses.map((course) => {
    const provider = providerName(course, providers);
    return fileCourse(course, { provider, withoutId: noIds, defaults });
  });
  const sheet = new CourseSheet(fileColumns(written), "null");
  for (const course of written) sheet.add(course);
  return await sheet.pack();
}
