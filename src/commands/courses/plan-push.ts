/** Plans a push: reads the files and the remote courses, and compares them. `diff` shows the same plan. */
import type { CatalogClient } from "../../api/client.ts";
import { CatalogError } from "../../base/errors.ts";
import { formatNumber, truncate } from "../../base/text.ts";
import { isUuid } from "../../base/uuid.ts";
import { isObject } from "../../base/values.ts";
import type { Context } from "../../command-support/context.ts";
import { loadAllCourses, stopAtErrors } from "../../command-support/course-files.ts";
import { progressOf } from "../../command-support/work.ts";
import { type Change, diffCourses } from "../../course/difference.ts";
import { WRITABLE_FIELDS } from "../../course/fields.ts";
import { resolveProvider } from "../../course/ownership.ts";
import type { Course } from "../../course/request-body.ts";
import { type Diagnostic, placeOf, placeProblem, sortByPlace } from "../../files/diagnostic.ts";
import { checkOwners } from "../../files/load.ts";
import type { SourceCourse } from "../../files/read.ts";
import type { CheckReport } from "../../output/diagnostics.ts";
import type { PlanCounts, PlanEntry } from "../../output/plan.ts";
import { type Conflict, type Desired, planSync, type Step } from "../../sync/plan.ts";
import { readRemoteCourses } from "../../sync/remote.ts";

/** A course in a file. `course` is the desired state, with `provider` replaced by `provider_id`. */
export interface DesiredCourse extends Desired {
  readonly source: SourceCourse;
  /** The number of its file among those that were read, from 0. */
  readonly fileNumber: number;
}

/** A step whose desired course was read from a file. */
export type PushStep = Step<DesiredCourse>;

/** What a push is planned from. */
export interface PlanSources {
  readonly paths: readonly string[];
  /** Files that a folder does not include, such as reports. */
  readonly except?: readonly string[];
  readonly prune: boolean;
}

/**
 * Plans a push of the files.
 *
 * @param onReport receives the findings about the files each time there are more
 * @throws ReportedError if a file has errors, or if two courses conflict
 */
export async function planPush(
  sources: PlanSources,
  onReport: (report: CheckReport) => void,
  context: Context,
): Promise<readonly PushStep[]> {
  let report: CheckReport = { files: [], courses: 0, diagnostics: [] };
  const update = (next: CheckReport): void => {
    report = next;
    onReport(next);
  };
  const desired = await loadDesired(sources, update, context);
  const remote = await readRemote(desired, await context.client(), context);
  const plan = planSync(desired, remote, sources);
  const found = await Promise.all(plan.conflicts.map(conflictDiagnostic));
  const conflicts = sortByPlace(found, report.files);
  if (conflicts.length > 0) {
    update({ ...report, diagnostics: [...report.diagnostics, ...conflicts] });
  }
  await stopAtErrors(conflicts, [], context);
  requireValidIds(plan.steps);
  return plan.steps;
}

async function loadDesired(
  { paths, except = [] }: PlanSources,
  onReport: (report: CheckReport) => void,
  context: Context,
): Promise<readonly DesiredCourse[]> {
  const loaded = await loadAllCourses(paths, context, { except });
  const files = loaded.files.map(({ name }) => name);
  const courses = loaded.courses.length;
  const local = loaded.files.flatMap(({ diagnostics }) => diagnostics);
  onReport({ files, courses, diagnostics: local });
  await stopAtErrors(loaded.diagnostics, loaded.failures, context);
  const providers = await (await context.client()).providers();
  const owned = await checkOwners(loaded.courses, providers);
  onReport({ files, courses, diagnostics: sortByPlace([...local, ...owned], files) });
  await stopAtErrors(owned, [], context);
  return loaded.files.flatMap((file, fileNumber) =>
    file.courses.flatMap((source): DesiredCourse[] => {
      if (!isObject(source.value)) return [];
      return [{ course: resolveProvider(source.value, providers), source, fileNumber }];
    }),
  );
}

/** A write without a valid id could change or delete every course of a service of this kind. */
function requireValidIds(steps: readonly PushStep[]): void {
  const invalid = steps.find(({ id }) => !isUuid(id));
  if (invalid === undefined) return;
  const id = JSON.stringify(truncate(invalid.id));
  throw new CatalogError(
    "unreachable",
    `the service lists a course whose id is not a UUID: ${id}`,
    {
      advice: "Check that the base URL is that of the catalog service; nothing was sent.",
    },
  );
}

async function readRemote(
  desired: readonly DesiredCourse[],
  client: CatalogClient,
  context: Context,
): Promise<readonly Course[]> {
  const providers = new Set(desired.map(({ course }) => String(course.provider_id).toLowerCase()));
  const progress = await progressOf("Reading the catalog", context, false);
  const remote: Course[] = [];
  try {
    for (const providerId of providers) {
      const before = remote.length;
      const courses = await readRemoteCourses(client, { providerId }, (count) =>
        progress.update(`Reading the catalog: ${formatNumber(before + count)} courses`),
      );
      for (const course of courses) remote.push(course);
    }
  } finally {
    progress.stop();
  }
  return remote;
}

async function conflictDiagnostic(conflict: Conflict<DesiredCourse>): Promise<Diagnostic> {
  const { source } = conflict.item;
  const path = [isObject(source.value) && source.value.id ? "id" : "url"];
  const problem = { path, severity: "error", at: "value" } as const;
  if ("candidates" in conflict) {
    const ids = conflict.candidates.map(({ id }) => id).join(", ");
    const message = `several courses in the catalog have this url; add the id of the one you mean (${ids})`;
    return await placeProblem(source, {
      problem: { ...problem, rule: "several-courses", message },
    });
  }
  const other = conflict.other.source;
  const first = placeOf(other.file, await other.locate([], "value"), "the other one");
  const message = `resolves to the same course as ${first.file}:${first.line}:${first.column}, with the id ${conflict.id}`;
  return await placeProblem(source, {
    problem: { ...problem, rule: "same-course", message },
    related: [first],
  });
}

/** Converts the steps that change something for printing. */
export function toPlanEntries(steps: readonly PushStep[]): PlanEntry[] {
  return steps.flatMap((step): PlanEntry[] => {
    const { action, id } = step;
    if (action === "unchanged") return [];
    if (action === "delete") {
      const changes = diffCourses(EMPTY_COURSE, step.remote);
      return [{ action, id, name: displayName(step.remote), changes }];
    }
    const file = step.item.source.file.name;
    return action === "create"
      ? [{ action, id, file, name: displayName(step.body), changes: additions(step.body) }]
      : [{ action, id, file, name: displayName(step.remote), changes: step.changes }];
  });
}

const EMPTY_COURSE = Object.fromEntries(
  WRITABLE_FIELDS.filter(({ name }) => name !== "id").map(({ name }) => [name, null]),
);

function additions(body: Course): Change[] {
  return Object.entries(body)
    .filter(([name]) => name !== "id")
    .map(([name, value]) => ({ path: [name], old: null, new: value }));
}

function displayName({ name, id }: Course): string {
  return typeof name === "string" && name !== "" ? name : id;
}

/** Counts the steps by action. */
export function countSteps(steps: readonly PushStep[]): PlanCounts {
  const counts = { create: 0, update: 0, unchanged: 0, delete: 0 };
  for (const { action } of steps) counts[action]++;
  return counts;
}
