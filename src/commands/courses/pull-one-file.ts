/** Plans a pull into one file with all courses, which is rewritten completely. */
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
import { createRowFile } from "../../output/formats.ts";
import { compareFile, matchCourses, type PullOptions, providerName } from "./pull-plan.ts";

/** The formats of one file for all courses. */
export const ONE_FILE_FORMATS = ["csv", "ndjson", "xlsx"] as const;

export type OneFileFormat = (typeof ONE_FILE_FORMATS)[number];

export function isOneFile(format: string): format is OneFileFormat {
  return ONE_FILE_FORMATS.some((each) => each === format);
}

/** The name of the file with all courses. */
export function oneFileName(format: OneFileFormat): string {
  return `courses.${format}`;
}

/**
 * The step for the file with all these courses; none without courses. A file that differs from the
 * catalog is kept, unless `force` is set. @param existing the courses of the file, if it exists
 */
export async function planOneFile(
  courses: readonly Course[],
  existing: ExistingFiles,
  options: PullOptions & { readonly format: OneFileFormat },
  providers: readonly Provider[],
  context: Context,
): Promise<FileStep[]> {
  if (courses.length === 0) return [];
  const { force } = options;
  const name = join(options.folder, oneFileName(options.format));
  const path = join(options.path, oneFileName(options.format));
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
    const advice = "To replace the file, pass --force. To keep it, pull into another folder.";
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

/** The content of a file with courses in the form of course files. */
async function packCourses(
  courses: readonly Course[],
  { path, noIds, format }: PullOptions & { readonly format: OneFileFormat },
  providers: readonly Provider[],
  context: Context,
): Promise<Uint8Array> {
  const defaults = await new Defaults(context).valuesFor(path);
  const written: PlainObject[] = courses.map((course) => {
    const provider = providerName(course, providers);
    return fileCourse(course, { provider, withoutId: noIds, defaults });
  });
  const content = await createRowFile(format, {
    columns: fileColumns(written),
    cleared: "null",
    styles: context.styles,
  });
  await content.rows(written);
  return await content.end();
}
