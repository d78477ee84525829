/** What `push` would do and `diff` shows: the plan for files, against what the service holds. */
import type { CatalogClient } from "../../api/client.ts";
import { CatalogError } from "../../base/errors.ts";
import { truncate } from "../../base/text.ts";
import { isUuid } from "../../base/uuid.ts";
import { isObject, type PlainObject } from "../../base/values.ts";
import type { Context } from "../../command-support/context.ts";
import { progressOf } from "../../command-support/work.ts";
import { type Change, changesOf } from "../../course/difference.ts";
import { WRITABLE_FIELDS } from "../../course/fields.ts";
import type { Course } from "../../course/wire.ts";
import { type Diagnostic, placeOf, placeProblem, sortByPlace } from "../../files/diagnostic.ts";
import type { CheckReport } from "../../output/diagnostics.ts";
import type { PlanCounts, PlanEntry } from "../../output/plan.ts";
import { type Clash, planSync, type Step } from "../../sync/plan.ts";
import { readAll } from "../../sync/remote.ts";
import { type DesiredCourse, loadDesired, type Sources, stopAtErrors } from "./load-desired.ts";

type Needs = Pick<Context, "io" | "folder" | "messages" | "options" | "environment" | "client">;

/** The steps of a plan for files. */
export type WantedStep = Step<DesiredCourse>;

/**
 * Reads the files, then what the service holds for their providers, and plans.
 *
 * @param found takes the findings about the files, as they become known
 * @throws AlreadyTold where a file is wrong, or two courses would become one
 */
export async function planFor(
  request: Sources & { readonly prune: boolean },
  found: (report: CheckReport) => void,
  context: Needs,
): Promise<{ readonly steps: readonly WantedStep[]; readonly held: readonly Course[] }> {
  let report: CheckReport = { files: [], courses: 0, diagnostics: [] };
  const keep = (next: CheckReport): void => {
    report = next;
    found(next);
  };
  const readProviders = async () => await (await context.client()).providers();
  const wanted = await loadDesired(request, readProviders, keep, context);
  const held = await readHeld(wanted, await context.client(), context);
  const plan = planSync(wanted, held, { prune: request.prune });
  const clashes = sortByPlace(plan.clashes.map(clashDiagnostic), report.files);
  if (clashes.length > 0) keep({ ...report, diagnostics: [...report.diagnostics, ...clashes] });
  await stopAtErrors(clashes, undefined, context);
  requireIds(plan.steps);
  return { steps: plan.steps, held };
}

/** Behind a write without a valid id a service can empty a table, so that none is even planned. */
function requireIds(steps: readonly WantedStep[]): void {
  const odd = steps.find(({ id }) => !isUuid(id));
  if (odd === undefined) return;
  const id = JSON.stringify(truncate(odd.id));
  throw new CatalogError("unreachable", `the service lists a course whose id is no UUID: ${id}`, {
    advice: "Check that the base URL is that of the catalog service; nothing was sent.",
  });
}

/** Every course of the providers that the files name. */
async function readHeld(
  wanted: readonly DesiredCourse[],
  client: CatalogClient,
  context: Needs,
): Promise<Course[]> {
  const providers = new Set(wanted.map(({ course }) => String(course.provider_id).toLowerCase()));
  const progress = await progressOf("reading the catalog", context, false);
  const held: Course[] = [];
  try {
    for (const providerId of providers) {
      const before = held.length;
      const courses = await readAll(client, { providerId }, (count) =>
        progress.update(`reading the catalog: ${before + count} courses`),
      );
      for (const course of courses) held.push(course);
    }
  } finally {
    progress.stop();
  }
  return held;
}

function clashDiagnostic(clash: Clash<DesiredCourse>): Diagnostic {
  const { source } = clash.item;
  const field = isObject(source.value) && source.value.id ? "id" : "url";
  if ("candidates" in clash) {
    const ids = clash.candidates.map(({ id }) => id).join(", ");
    const message = `url is that of several courses of the catalog: name one of them by its id (${ids})`;
    const problem = { rule: "several-courses", path: [field], message } as const;
    return placeProblem(source, { problem: { ...problem, severity: "error", at: "value" } });
  }
  const other = clash.other.source;
  const first = placeOf(other.file, other.locate([], "value"), "the other one");
  const message = `this becomes the same course as the one at ${first.file}:${first.line}:${first.column}, with the id ${clash.id}`;
  const problem = { rule: "same-course", path: [field], message } as const;
  return placeProblem(source, {
    problem: { ...problem, severity: "error", at: "value" },
    related: [first],
  });
}

/** The steps that change something, as people see them. */
export function entriesOf(steps: readonly WantedStep[]): PlanEntry[] {
  return steps.flatMap((step): PlanEntry[] => {
    const { action, id } = step;
    if (action === "unchanged") return [];
    if (action === "delete") {
      return [{ action, id, name: nameOf(step.held), changes: changesOf(NOTHING, step.held) }];
    }
    const { file } = step.item.source;
    return action === "create"
      ? [{ action, id, file: file.name, name: nameOf(step.body), changes: additions(step.body) }]
      : [{ action, id, file: file.name, name: nameOf(step.held), changes: step.changes }];
  });
}

/** A course of which nothing is left. */
const NOTHING: PlainObject = Object.fromEntries(
  WRITABLE_FIELDS.filter(({ name }) => name !== "id").map(({ name }) => [name, null]),
);

function additions(body: Course): Change[] {
  return Object.entries(body)
    .filter(([name]) => name !== "id")
    .map(([name, value]) => ({ path: [name], old: null, new: value }));
}

function nameOf({ name, id }: Course): string {
  return typeof name === "string" && name !== "" ? name : id;
}

/** How many steps of each kind there are. */
export function countsOf(steps: readonly WantedStep[]): PlanCounts {
  const counts = { create: 0, update: 0, unchanged: 0, delete: 0 };
  for (const { action } of steps) counts[action]++;
  return counts;
}
