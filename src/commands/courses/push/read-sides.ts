/** Reads both sides of a comparison: the courses in the files, and the courses in the catalog. */
import { listSome, pluralize, truncate } from "../../../base/text.ts";
import { asText, isObject } from "../../../base/values.ts";
import { type Flag, type FlagValues, nonEmpty } from "../../../command-support/arguments.ts";
import type { Context } from "../../../command-support/context.ts";
import {
  loadAllCourses,
  stopAtErrors,
  type TABLE_FLAGS,
} from "../../../command-support/course-files.ts";
import { ForeignCourses } from "../../../command-support/foreign-courses.ts";
import { FileCourse } from "../../../command-support/located.ts";
import { listCourses, searchCourses } from "../../../command-support/read-courses.ts";
import type { ReportTarget } from "../../../command-support/report-flag.ts";
import { findingFilter } from "../../../command-support/rule-choice.ts";
import { type RunState, withKnown } from "../../../command-support/run-report.ts";
import { findTarget } from "../../../command-support/show-steps.ts";
import { concurrencyOf, readProviders, showWork } from "../../../command-support/work.ts";
import type { RuleId } from "../../../course/problem.ts";
import { type Provider, providerNames } from "../../../course/provider.ts";
import { possibleProviders, resolveProvider } from "../../../course/provider-ownership.ts";
import type { Course } from "../../../course/request-body.ts";
import { sortByPlace } from "../../../files/diagnostic.ts";
import { checkOwners } from "../../../files/validate.ts";
import type { Target } from "../../../output/diagnostics.ts";
import { CourseIndex, chooseId } from "../../../sync/course-index.ts";
import { lookUpCourses } from "../../../sync/look-up.ts";
import { listProviderIds } from "../../../sync/plan.ts";
import { readRemoteCourses, refuseRepeats } from "../../../sync/remote.ts";
import type { Located } from "../../../sync/step.ts";
import { requireProvider } from "../filters.ts";
import { type BaseCourses, readBase } from "./find-base.ts";

export const PROVIDER_FLAG = {
  name: "provider",
  value: "<provider>",
  repeatable: true,
  needs: "prune",
  parse: nonEmpty,
  description:
    "with --prune: include this provider, which no file names: its slug, domain, name or UUID",
} as const satisfies Flag;

/** Which files are read, and the flags that decide how they are read and checked. */
export interface SideSources
  extends FlagValues<readonly [typeof PROVIDER_FLAG, ...typeof TABLE_FLAGS]> {
  readonly paths: readonly string[];
  readonly base: string | undefined;
  readonly prune: boolean;
  /** Files that the command writes, so they are not read as course files of a folder. */
  readonly report: readonly ReportTarget[];
  readonly out?: string | undefined;
  readonly record?: string | undefined;
  /** Which warnings count; errors always do. */
  /** The rules of `--ignore`. */
  readonly ignore?: readonly (readonly RuleId[])[];
}

type FilesState = RunState & Required<Pick<RunState, "files" | "diagnostics">>;

/** The courses of the files, once they have passed every check. */
interface DesiredSide {
  readonly desired: readonly Located[];
  readonly providers: readonly Provider[];
  /** The ids of the providers whose courses are compared, in lowercase. */
  readonly providerIds: ReadonlySet<string>;
  /** The courses of `--base`; undefined without the flag. */
  readonly base: BaseCourses | undefined;
  /** What reports contain about the files. */
  readonly loaded: FilesState;
}

/** The courses in the files and in the catalog, and the target of the run. */
export interface Sides extends DesiredSide {
  readonly remote: readonly Course[];
  readonly target: Target;
}

/** Reads the files, then the courses of their providers. @throws CatalogError if one cannot be read, or has errors */
export async function readSides(sources: SideSources, context: Context): Promise<Sides> {
  const side = await loadDesired(sources, context);
  const target = await findTarget(context);
  const loaded = { ...side.loaded, target };
  return await withKnown(
    () => loaded,
    async () => ({ ...side, loaded, target, remote: await readRemote(side, sources, context) }),
  );
}

/** The notice about courses of providers that no file names; none if there are no such courses. */
export async function describeOthers(
  { providers, providerIds }: Sides,
  context: Context,
): Promise<string[]> {
  const others = providers.filter(({ id }) => !providerIds.has(id.toLowerCase()));
  if (others.length === 0) return [];
  // One listing of all courses takes fewer requests than a listing for each provider.
  const courses = await listCourses({}, context, async () => undefined);
  const owners = courses.map(({ provider_id: id }) => asText(id).toLowerCase());
  const found = others.flatMap(({ id, name, slug }) => {
    const count = owners.filter((owner) => owner === id.toLowerCase()).length;
    return count === 0 ? [] : [{ count, name, slug }];
  });
  const [first] = found;
  if (first === undefined) return [];
  const names = listSome(
    found.map(({ count, name }) => `${pluralize(count, "course")} of ${truncate(name)}`),
  );
  const provider = found.length === 1 ? "this provider" : "these providers";
  const them = found.length === 1 && first.count === 1 ? "it" : "them";
  return [
    `Skipped ${names}, because no file names ${provider}. ` +
      `To include ${them}, pass ${found.length === 1 ? "" : "each provider, for example "}--provider ${first.slug}.`,
  ];
}

async function loadDesired(sources: SideSources, context: Context): Promise<DesiredSide> {
  const { paths, provider, report, out, record, prune, ignore = [], sheet, encoding } = sources;
  const unread = prune ? "error" : "warning";
  const outputs = [...report.map(({ file }) => file), out, record];
  const except = outputs.filter((name) => name !== undefined);
  const loaded = await loadAllCourses(paths, context, { except, unread, sheet, encoding });
  const files = loaded.files.map(({ name }) => name);
  const courses = loaded.courses.length;
  const ending = { endsWithCount: true };
  const filter = await findingFilter(context, ignore.flat());
  const local = filter(loaded.files.flatMap(({ diagnostics }) => diagnostics));
  let known: FilesState = { files, courses, courseSources: loaded.courses, diagnostics: local };
  return await withKnown(
    () => known,
    async () => {
      await stopAtErrors(filter(loaded.diagnostics), loaded.failures, context, ending);
      const providers = await readProviders(context);
      known = { ...known, providers: providerNames(providers) };
      const scope = provider.map((word) => requireProvider(word, providers).id.toLowerCase());
      const foreign = new ForeignCourses(providers);
      foreign.add(loaded.courses);
      if (foreign.failure !== undefined) throw foreign.failure;
      const owned = sortByPlace(filter(await checkOwners(loaded.courses, providers)), files);
      known = { ...known, diagnostics: sortByPlace([...local, ...owned], files) };
      await stopAtErrors(owned, [], context, ending);
      const desired = loaded.courses.flatMap((source) =>
        isObject(source.value)
          ? [new FileCourse(source, resolveProvider(source.value, providers))]
          : [],
      );
      const { base: folder } = sources;
      const base =
        folder === undefined ? undefined : await readBase(folder, sources, providers, context);
      const own = new Set(providers.map(({ id }) => id.toLowerCase()));
      // The last file of a provider may have been removed since the base.
      const before = [...(base?.courses ?? [])]
        .map(({ provider_id: id }) => asText(id).toLowerCase())
        .filter((id) => own.has(id));
      const providerIds = new Set([...listProviderIds(desired), ...scope, ...before]);
      return { base, desired, providers, providerIds, loaded: known };
    },
  );
}

/** The courses of the compared providers, and courses of other providers that the files describe. */
async function readRemote(
  { desired, providers, providerIds }: DesiredSide,
  { prune }: SideSources,
  context: Context,
): Promise<readonly Course[]> {
  const client = await context.client();
  const remote: Course[] = [];
  let repeats: string | undefined;
  const onRepeats = (text: string): void => {
    repeats = text;
  };
  await showWork("Reading courses", context, async (progress) => {
    for (const providerId of providerIds) {
      const before = remote.length;
      const update = (count: number): void => progress.update({ done: before + count });
      const courses = await readRemoteCourses(client, { providerId }, update, onRepeats);
      for (const course of courses) remote.push(course);
    }
    const known = new Set(remote.map(({ id }) => id.toLowerCase()));
    const named = desired
      .map(({ value }) => value.id)
      .filter((id) => typeof id === "string")
      .map((id) => id.toLowerCase());
    const missing = named.filter((id) => !known.has(id));
    // A course of another provider must not be planned as a creation.
    const concurrency = await concurrencyOf(context);
    for (const course of await lookUpCourses(missing, client, concurrency)) remote.push(course);
    // Nor must a course that its file describes by url, and that has another provider in the catalog.
    const providersOf = (course: Course): string[] =>
      possibleProviders(course, providers).filter((id) => !providerIds.has(id.toLowerCase()));
    const created = findNewCourses(desired, remote);
    if (repeats !== undefined && !prune && created.length === 0) {
      await context.messages.warn(repeats);
    } else if (repeats !== undefined) refuseRepeats(repeats);
    const unnamed = created.filter(({ id }) => !named.includes(id));
    const elsewhere = await searchCourses(unnamed, context, { providersOf });
    for (const course of elsewhere.courses) remote.push(course);
  });
  return remote;
}

/** The courses of files that match no course in the catalog. */
function findNewCourses(desired: readonly Located[], remote: readonly Course[]): Course[] {
  const index = new CourseIndex(remote);
  return desired.flatMap(({ value: course }) => {
    const match = index.identify(course);
    const isFound = "candidates" in match || match.found !== undefined;
    return isFound ? [] : [{ ...course, id: chooseId(course) }];
  });
}
