/** Plans a push: reads the files and the courses in the catalog, and compares them. `diff` shows the same plan. */
import { CatalogError, usageError } from "../../../base/errors.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { escapeName, pluralize, quoteShell, truncate } from "../../../base/text.ts";
import { asText, isUuid } from "../../../base/values.ts";
import type { Flag, FlagValues } from "../../../command-support/arguments.ts";
import {
  checkLimit,
  type DeletionLimit,
  type DeletionScope,
  describeScope,
  MAX_DELETES_FLAG,
  resolveLimit,
} from "../../../command-support/confirm-steps.ts";
import type { Context } from "../../../command-support/context.ts";
import { stopAtErrors, TABLE_FLAGS } from "../../../command-support/course-files.ts";
import { diagnoseSame, sourceOf } from "../../../command-support/located.ts";
import { type RunState, withKnown } from "../../../command-support/run-report.ts";
import type { Course } from "../../../course/request-body.ts";
import { type Diagnostic, placeProblem, sortByPlace } from "../../../files/diagnostic.ts";
import type { Target } from "../../../output/diagnostics.ts";
import { type Conflict, findMoves, type Move, planSync } from "../../../sync/plan.ts";
import type { Located, Step } from "../../../sync/step.ts";
import { compareStep } from "../../../sync/three-way.ts";
import { BASE_FLAG, findAtBase } from "./find-base.ts";
import { describeOthers, readSides, type SideSources } from "./read-sides.ts";
import { ON_DRIFT_FLAG, type Settled, settleDrift } from "./settle-drift.ts";

/** The flags of `push` and `diff` that decide what a push plans. */
export const PLAN_FLAGS = [
  MAX_DELETES_FLAG,
  { name: "complete", description: "clear fields that are missing from a file" },
  BASE_FLAG,
  ON_DRIFT_FLAG,
  ...TABLE_FLAGS,
] as const satisfies readonly Flag[];

export interface PlanSources extends FlagValues<typeof PLAN_FLAGS>, SideSources {
  readonly writeIds?: boolean;
}

/** The steps of a push, and what the command needs to show, refuse, confirm and report them. */
export interface PushPlan {
  readonly steps: readonly Step[];
  /** The steps with what changed in the catalog since `--base`, which a push may keep. */
  readonly compared: readonly Step[];
  readonly notices: readonly string[];
  /** How many courses of the same providers are in no file; 0 with `--prune`, where they are deletions. */
  readonly unlisted: number;
  /** Why the steps must not be applied: more deletions than allowed, or changes in the catalog. */
  readonly refusal: CatalogError | undefined;
  /** Whether fields that are missing from a file are cleared. */
  readonly complete: boolean;
  readonly scope: DeletionScope;
  /** How many courses the steps may delete at most. */
  readonly maxDeletes: number;
  readonly target: Target;
  /** What reports contain about the files. */
  readonly known: RunState;
}

/** Plans a push. @throws CatalogError if files or courses cannot be read, or have errors, which are reported */
export async function planPush(sources: PlanSources, context: Context): Promise<PushPlan> {
  const complete = sources.complete || (await context.settings()).complete.value;
  const sides = await readSides(sources, context);
  const { desired, providers, providerIds, remote, loaded, target } = sides;
  let known: RunState = loaded;
  return await withKnown(
    () => known,
    async () => {
      const plan = planSync(desired, remote, { ...sources, complete, providerIds });
      const moves = plan.conflicts.length > 0 ? [] : findMoves(plan.steps, remote);
      const found = await Promise.all([
        ...plan.conflicts.map(diagnoseConflict),
        ...moves.map(diagnoseMove),
      ]);
      const findings = sortByPlace(found, loaded.files);
      known = { ...known, diagnostics: [...loaded.diagnostics, ...findings] };
      await stopAtErrors(findings, [], context, { endsWithCount: true });
      requireValidIds(plan.steps);
      const { base } = sides;
      const { onDrift = "stop" } = sources;
      const compare = (step: Step): Step =>
        base === undefined
          ? step
          : compareStep(step, findAtBase(step, base), onDrift !== "overwrite");
      const compared = plan.steps.map(compare);
      const { steps, refusal, notices }: Settled =
        base === undefined ? { steps: compared, notices: [] } : settleDrift(compared, onDrift);
      const isCompared = ({ provider_id: id }: Course): boolean =>
        providerIds.has(asText(id).toLowerCase());
      const own = remote.filter(isCompared);
      const described = new Set(plan.steps.map(({ id }) => id));
      const names = providers.filter(({ id }) => providerIds.has(id.toLowerCase()));
      const scope = { courses: own.length, providers: names.map(({ name }) => name) };
      const maxDeletes = resolveLimit(scope.courses, sources.maxDeletes);
      const adopted = sources.writeIds === true ? [] : await describeAdopted(plan.adopted, sources);
      const others = sources.prune ? await describeOthers(sides, context) : [];
      return {
        ...{ steps, compared, complete, scope, maxDeletes, target, known },
        notices: [...adopted, ...describeUnmanaged(steps), ...others, ...notices],
        unlisted: own.filter(({ id }) => !described.has(id.toLowerCase())).length,
        refusal: refuseDeletions(steps, scope, maxDeletes) ?? refuseMoves(moves) ?? refusal,
      };
    },
  );
}

/** The error of steps that delete more courses than the limit; undefined within it. @param most the limit @param condition of the advice */
function refuseDeletions(
  steps: readonly Step[],
  scope: DeletionScope,
  most: number,
  condition = "Did you pass all your files? If you do mean it",
): CatalogError | undefined {
  const deletions = steps.filter(({ action }) => action === "delete").length;
  return checkLimit(deletions, most, describeScope(scope), { verb: "delete", condition });
}

/** The error of a saved plan that deletes more courses than its own limit, or than the limit of this run. */
export function refusePlan(
  { steps, scope, maxDeletes }: Pick<PushPlan, "steps" | "scope" | "maxDeletes">,
  limit: DeletionLimit | undefined,
): CatalogError | undefined {
  const most = resolveLimit(scope.courses, limit ?? { amount: maxDeletes });
  return refuseDeletions(steps, scope, Math.min(maxDeletes, most), "If the plan is right");
}

/** A request without a valid id could change or delete every course of a service of this kind. */
function requireValidIds(steps: readonly Step[]): void {
  const invalid = steps.find(({ id }) => !isUuid(id));
  if (invalid === undefined) return;
  const id = JSON.stringify(truncate(invalid.id));
  const message = `the service lists a course whose id is not a UUID: ${id}`;
  const advice = "Nothing was sent. Is the base URL right? Another service may have responded.";
  throw new CatalogError("unreachable", message, { advice });
}

/** The problem of a course of a file that fits several courses, or the same course as another one does. */
export async function diagnoseConflict(conflict: Conflict): Promise<Diagnostic> {
  const source = sourceOf(conflict.from);
  if (!("candidates" in conflict)) {
    return await diagnoseSame(source, sourceOf(conflict.other), conflict.id);
  }
  const ids = conflict.candidates.map(({ id }) => id).join(", ");
  const message = `several courses in the catalog have this url: add the id of your course (${ids})`;
  const problem = { path: ["url"], severity: "error", at: "value", message } as const;
  return await placeProblem(source, { ...problem, rule: "several-courses" });
}

/** The refusal of a run that would delete courses which may only have moved; undefined without such courses. */
function refuseMoves(moves: readonly Move[]): CatalogError | undefined {
  const amount = moves.filter(({ isDeleted }) => isDeleted).length;
  if (amount === 0) return undefined;
  const looks = amount === 1 ? "looks like a course" : "look like courses";
  return usageError(
    `${pluralize(amount, "new course")} ${looks} that --prune would delete`,
    "If it is the same course, add the id that the warning shows. If not, push first and prune afterwards.",
  );
}

/** The problem of a new course that may be an existing course. */
async function diagnoseMove({ from, remote, isDeleted }: Move): Promise<Diagnostic> {
  const { name, url, id } = remote;
  const fate = isDeleted ? "would be deleted" : "is in no file";
  const message = `looks like a course that moved: ${escapeName(JSON.stringify(name ?? null))} at ${escapeName(asText(url))} (id ${id}) ${fate}; if this is the same course, add "id: ${id}"`;
  return await placeProblem(sourceOf(from), {
    rule: "possible-move",
    severity: "warning",
    path: ["url"],
    at: "value",
    message,
  });
}

/** Recommends to save the ids of courses in their files. @param sources of the push, for the advice */
async function describeAdopted(
  adopted: readonly Located[],
  { paths }: SideSources,
): Promise<string[]> {
  const [first, ...others] = adopted;
  const place = await first?.place(["key"]);
  if (place === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const amount = pluralize(adopted.length, "course");
  const isOne = adopted.length === 1;
  const save = isOne
    ? "its url later, save the id in the file"
    : "their urls later, save the ids in the files";
  const words = paths.includes(STANDARD_INPUT) ? ["<path>"] : paths.map(quoteShell);
  return [
    `${amount} with a key ${isOne ? "was" : "were"} found by url (${place.file}:${place.line}${more}). ` +
      `To be able to change ${save}: ${["catalog courses push", ...words, "--write-ids"].join(" ")}`,
  ];
}

/** Counts the fields that are set in the catalog and missing from the files. */
function describeUnmanaged(steps: readonly Step[]): string[] {
  const counts = steps
    .map((step) => ("unmanaged" in step ? (step.unmanaged?.length ?? 0) : 0))
    .filter((count) => count > 0);
  if (counts.length === 0) return [];
  const fields = counts.reduce((sum, count) => sum + count, 0);
  return [
    `${pluralize(fields, "field")} of ${pluralize(counts.length, "course")} in the catalog ` +
      `${fields === 1 ? "is not in your files and stays as it is" : "are not in your files and stay as they are"}. ` +
      `To clear ${fields === 1 ? "it" : "them"}, pass --complete.`,
  ];
}
