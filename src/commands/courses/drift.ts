/** `diff --drift`: what happened in the catalog to the courses of files. */
import { joinList, pluralize } from "../../base/text.ts";
import type { PlainObject } from "../../base/values.ts";
import type { Context } from "../../command-support/context.ts";
import { stopAtErrors } from "../../command-support/course-files.ts";
import { describeResult } from "../../command-support/results.ts";
import { type RunState, withKnown } from "../../command-support/run-report.ts";
import {
  type Change,
  describeDeletion,
  diffCourses,
  EMPTY_COURSE,
} from "../../course/difference.ts";
import type { ReportedPlan, Target } from "../../output/diagnostics.ts";
import type { PlanEntry } from "../../output/plan.ts";
import { planSync } from "../../sync/plan.ts";
import { describeCourse, type Step } from "../../sync/step.ts";
import { type BaseCourse, compareStep, driftedFields } from "../../sync/three-way.ts";
import { findBase } from "./push/find-base.ts";
import { diagnoseConflict, type PlanSources } from "./push/plan-push.ts";
import { describeOthers, readSides } from "./push/read-sides.ts";

/** What can happen to a course in the catalog, as JSON names it. */
type Event = keyof typeof SIGNS;

/** The result of comparing files and catalog, as `diff` shows it with and without `--drift`. */
export interface Comparison {
  /** What reports contain. */
  readonly known: RunState;
  readonly target: Target;
  readonly counts: ReportedPlan["counts"];
  readonly summary: string;
  /** The courses that differ, as text for people. */
  readonly entries: readonly PlanEntry[];
  /** The courses that differ, as rows for programs. */
  readonly rows: readonly PlainObject[];
  readonly notices: readonly string[];
  /** What is done after the comparison was shown. */
  readonly finish?: () => Promise<void>;
}

/** What happened to one course, with its values before and now. */
interface Drifted {
  readonly step: Step;
  readonly event: Event;
  readonly changes: readonly Change[];
  /** Whether the event is certain: without a base, a course that is missing may not have been pushed yet. */
  readonly isCertain: boolean;
}

/** Finds what happened to the courses of files in the catalog. @throws CatalogError if anything cannot be read */
export async function findDrift(sources: PlanSources, context: Context): Promise<Comparison> {
  const sides = await readSides(sources, context);
  const { desired, remote, providerIds, providers, loaded, target } = sides;
  return await withKnown(
    () => loaded,
    async () => {
      const { steps, conflicts } = planSync(desired, remote, { prune: true, providerIds });
      const findings = await Promise.all(conflicts.map(diagnoseConflict));
      await stopAtErrors(findings, [], context, { endsWithCount: true });
      const base = await findBase(steps, sources, providers, context);
      const drifted = steps.flatMap((step) => describeStep(step, base(step)) ?? []);
      const counts = countEvents(drifted);
      const rows = await Promise.all(drifted.map(toRow));
      return {
        known: { ...loaded, outcomes: [], plan: { counts, steps: rows } },
        ...{ target, counts, rows, summary: summarize(counts, steps.length) },
        entries: drifted.map(toEntry),
        notices: sources.prune ? await describeOthers(sides, context) : [],
      };
    },
  );
}

/** What happened to the course of a step since its base, or since its file was pushed; undefined if nothing did. */
function describeStep(step: Step, base: BaseCourse | undefined): Drifted | undefined {
  const { from, remote = {} } = step;
  const isCertain = base !== undefined;
  const values = base?.values ?? null;
  switch (step.action) {
    case "create":
      if (isCertain && values === null) return undefined;
      return { step, event: "deleted", isCertain, changes: describeDeletion(values ?? step.body) };
    case "delete": {
      if (values === null) {
        const changes = diffCourses(step.before, EMPTY_COURSE);
        return { step, event: "added", isCertain: true, changes };
      }
      const names = driftedFields(compareStep(step, base));
      return fromChanges(step, diffCourses(pick(step.before, names), pick(values, names)));
    }
    default: {
      const body = step.action === "update" ? step.body : {};
      const compared = compareStep(step, base);
      const { changedIn = {} } = compared.base ?? {};
      const names = Object.keys(body).filter((name) => changedIn[name] !== "file");
      const known = { published: true, ...body, ...(values ?? {}) };
      const state = "published" in (from?.value ?? {}) ? [] : ["published"];
      const all = [...names, ...state];
      return fromChanges(step, diffCourses(pick(remote, all), pick(known, all)));
    }
  }
}

function fromChanges(step: Step, changes: readonly Change[]): Drifted | undefined {
  if (changes.length === 0) return undefined;
  const state = changes.find(({ path }) => path[0] === "published");
  const isPublished = state !== undefined && (state.new ?? true) === true;
  const event = state === undefined ? "changed" : isPublished ? "published" : "unpublished";
  return { step, event, changes, isCertain: true };
}

/** The named fields of a course; null for a field that is not set. */
function pick(course: PlainObject, names: readonly string[]): PlainObject {
  return Object.fromEntries(names.map((name) => [name, course[name] ?? null]));
}

function countEvents(drifted: readonly Drifted[]): Readonly<Record<Event, number>> {
  const counts = { changed: 0, deleted: 0, added: 0, published: 0, unpublished: 0 };
  for (const { event } of drifted) counts[event]++;
  return counts;
}

/** `In the catalog, 2 courses were changed and 1 course was deleted.` */
function summarize(counts: Readonly<Record<Event, number>>, total: number): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(
      ([event, count]) => `${pluralize(count, "course")} ${count === 1 ? "was" : "were"} ${event}`,
    );
  if (parts.length > 0) return `In the catalog, ${joinList(parts, "and")}.`;
  return `Nothing changed in the catalog: ${pluralize(total, "course")}.`;
}

const SIGNS = {
  ...{ changed: "update", published: "update", unpublished: "update" },
  ...{ deleted: "delete", added: "create" },
} as const satisfies Record<string, PlanEntry["action"]>;

function toEntry({ step, event, changes, isCertain }: Drifted): PlanEntry {
  const { id, from, remote } = step;
  const name = remote?.name ?? describeCourse(step).name;
  const note = isCertain ? `${event} in the catalog` : `${event} in the catalog, or not pushed yet`;
  const action = SIGNS[event];
  // The values of a course that was added are not changes.
  return { action, id, name, file: from?.file, note, changes: event === "added" ? [] : changes };
}

/** The row of a course for programs, as docs/json.md describes it. */
async function toRow({ step, event, changes }: Drifted) {
  const { id, from, remote } = step;
  const { name, url } = remote ?? describeCourse(step);
  const described = await describeResult({ id, name, url, from });
  return { ...described, action: event, status: "drift" as const, fields: changes };
}
