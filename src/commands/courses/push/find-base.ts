/** Finds the base of a comparison: the courses of a commit, or the undo records of earlier runs. */
import { STANDARD_INPUT } from "../../../base/io.ts";
import { type Flag, type FlagValues, nonEmpty } from "../../../command-support/arguments.ts";
import { readCommitCourses } from "../../../command-support/commit-courses.ts";
import type { Context } from "../../../command-support/context.ts";
import { readRecords } from "../../../command-support/find-undo-records.ts";
import type { Provider } from "../../../course/provider.ts";
import { resolveProvider } from "../../../course/provider-ownership.ts";
import type { TableOptions } from "../../../files/content.ts";
import { CourseIndex } from "../../../sync/course-index.ts";
import { findRecorded } from "../../../sync/recorded-base.ts";
import { isWrite, type Step } from "../../../sync/step.ts";
import type { Base } from "../../../sync/three-way.ts";

export const BASE_FLAG = {
  name: "base",
  value: "<commit>",
  parse: nonEmpty,
  description:
    "compare with the files of this git commit, to separate your changes from changes in the catalog",
} as const satisfies Flag;

interface BaseSources extends FlagValues<readonly [typeof BASE_FLAG]>, TableOptions {
  readonly paths: readonly string[];
  /** The providers of `--provider`, which may have no file. */
  readonly provider: readonly string[];
}

/**
 * The base of the courses of steps: a function from a step to the values that its course had, if known. Without a
 * commit, only steps that change a course have one: the values in the undo records of earlier runs. @throws CatalogError if the commit cannot be read
 */
export async function findBase(
  steps: readonly Step[],
  { base: commit, paths, provider, sheet, encoding }: BaseSources,
  providers: readonly Provider[],
  context: Context,
): Promise<Base> {
  if (commit === undefined) {
    const writes = steps.filter(isWrite);
    const ids = new Set(writes.map(({ id }) => id));
    const recorded = findRecorded(writes, readRecords(ids, context, await context.settings()));
    return ({ id }) => recorded.get(id);
  }
  const indexOf = (courses: readonly CommitCourse[]) =>
    new CourseIndex(courses.map((course) => resolveProvider(course, providers)));
  const isEnough = (courses: readonly CommitCourse[]): boolean => {
    const index = indexOf(courses);
    return steps.every((step) => findCourse(step, index) !== undefined);
  };
  // Without a path, git looks for the repository of the current folder.
  const places = paths.length === 0 && provider.length > 0 ? [STANDARD_INPUT] : paths;
  const sources = { paths: places, sheet, encoding };
  const index = indexOf(await readCommitCourses(commit, sources, context, isEnough));
  return (step) => ({ values: findCourse(step, index) ?? null, isNamed: true });
}

type CommitCourse = Awaited<ReturnType<typeof readCommitCourses>>[number];

/** The course of a step at the base, found by its id, or by the key or url in the file or in the catalog. */
function findCourse(
  { id, from, remote }: Step,
  index: CourseIndex<CommitCourse>,
): CommitCourse | undefined {
  const found = index.find(id);
  if (found !== undefined) return found;
  for (const course of [from?.value, remote]) {
    if (course === undefined) continue;
    const { id: _, ...others } = course;
    const match = index.identify(others);
    // A course with another id at the base is another course.
    const same = "candidates" in match ? undefined : match.found;
    if (same !== undefined && same.id === undefined) return same;
  }
  return undefined;
}
