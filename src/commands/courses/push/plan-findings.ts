/** What a plan shows about the files: conflicts, moves, missing ids, fields left out, many deletions. */
import { pluralize } from "../../../base/text.ts";
import { isObject } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import type { DeletionLimit } from "../../../command-support/deletion-limit.ts";
import { type Diagnostic, placeOf, placeProblem } from "../../../files/diagnostic.ts";
import type { Move } from "../../../sync/moves.ts";
import type { Conflict } from "../../../sync/plan.ts";
import { checkPlanLimit, type DeletionScope } from "./deletion.ts";
import type { DesiredCourse, PushStep } from "./push-step.ts";

/** The error of a course for which it is unclear what it describes. */
export async function diagnoseConflict(conflict: Conflict<DesiredCourse>): Promise<Diagnostic> {
  const { source } = conflict.item;
  const path = [isObject(source.value) && source.value.id ? "id" : "url"];
  const problem = { path, severity: "error", at: "value" } as const;
  if ("candidates" in conflict) {
    const ids = conflict.candidates.map(({ id }) => id).join(", ");
    const message = `several courses in the catalog have this url; add the id of the one you mean (${ids})`;
    return await placeProblem(source, { ...problem, rule: "several-courses", message });
  }
  const other = conflict.other.source;
  const first = placeOf(other.file, await other.locate([], "value"), "the other one");
  const message = `resolves to the same course as ${first.file}:${first.line}:${first.column}, with the id ${conflict.id}`;
  return await placeProblem(source, { ...problem, rule: "same-course", message }, [first]);
}

/** A new course that may be an existing one: an error if that one would be deleted. */
export async function diagnoseMove(
  { item, remote, isDeleted }: Move<DesiredCourse>,
  { allowRecreate }: { readonly allowRecreate: boolean },
): Promise<Diagnostic> {
  const { name, url, id } = remote;
  const fate = isDeleted ? "which would be deleted" : "which no file describes";
  const isRefused = isDeleted && !allowRecreate;
  const message = [
    `would be created, but may be ${JSON.stringify(name ?? null)} at ${String(url)}, ${fate} (id ${id})`,
    `if this is the same course, add "id: ${id}"`,
    ...(isRefused ? ["to delete it and create a new course, pass --allow-recreate"] : []),
  ].join("; ");
  return await placeProblem(item.source, {
    rule: "possible-move",
    severity: isRefused ? "error" : "warning",
    path: ["url"],
    at: "value",
    message,
  });
}

/** What a plan of files is checked for before it is executed. */
interface Checked {
  readonly steps: readonly PushStep[];
  /** The courses with a key that were found by their url, and whose files lack the id. */
  readonly adopted: readonly DesiredCourse[];
  readonly scope: DeletionScope;
}

/**
 * Reports what the files leave out, and that there are more deletions than allowed: a warning in a dry
 * run. @throws CatalogError of kind `usage` for these deletions otherwise
 */
export async function reportFindings(
  { steps, adopted, scope }: Checked,
  {
    maxDeletes,
    dryRun,
  }: { readonly maxDeletes: DeletionLimit | undefined; readonly dryRun: boolean },
  { messages }: Pick<Context, "messages">,
): Promise<void> {
  for (const text of [await describeAdopted(adopted), describeUnmanaged(steps)]) {
    if (text !== undefined) await messages.info(text);
  }
  const exceeded = checkPlanLimit(steps, scope, maxDeletes);
  if (exceeded === undefined) return;
  if (!dryRun) throw exceeded;
  const { message, facts } = exceeded;
  await messages.warn(`push would refuse this: ${message}. ${facts.advice ?? ""}`);
}

/** Recommends to write the ids of courses into their files. */
async function describeAdopted(adopted: readonly DesiredCourse[]): Promise<string | undefined> {
  const [first, ...others] = adopted;
  if (first === undefined) return undefined;
  const { file } = first.source;
  const { line } = file.lines.range(await first.source.locate(["key"], "value"));
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const amount = pluralize(adopted.length, "course");
  return (
    `${amount} with a key ${adopted.length === 1 ? "was" : "were"} found by url (${file.name}:${line}${more}). ` +
    "Write the id into the file, so that the url can change: catalog courses push --write-ids."
  );
}

/** Counts the fields that the files leave out and the catalog has. */
function describeUnmanaged(steps: readonly PushStep[]): string | undefined {
  const counts = steps
    .map((step) => ("unmanaged" in step ? step.unmanaged.length : 0))
    .filter((count) => count > 0);
  if (counts.length === 0) return undefined;
  const fields = counts.reduce((sum, count) => sum + count, 0);
  return (
    `${pluralize(fields, "field")} of ${pluralize(counts.length, "course")} ` +
    `${fields === 1 ? "is" : "are"} set in the catalog and left out in the files. ` +
    "To clear such fields, pass --complete."
  );
}
