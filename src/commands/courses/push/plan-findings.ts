/** What a plan reports about the files: conflicts, possible moves, adopted courses, unmanaged fields. */
import { pluralize } from "../../../base/text.ts";
import { isObject } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import { type Diagnostic, placeOf, placeProblem } from "../../../files/diagnostic.ts";
import type { Move } from "../../../sync/moves.ts";
import type { Conflict, Step } from "../../../sync/plan.ts";
import type { DesiredCourse, PushStep, StepItem } from "./push-step.ts";

/** The error of a course for which it is unclear what it describes. */
export async function conflictDiagnostic(conflict: Conflict<DesiredCourse>): Promise<Diagnostic> {
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

/** A new course that may be an existing one: an error if that one would be deleted. */
export async function moveDiagnostic(
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
    problem: {
      rule: "possible-move",
      severity: isRefused ? "error" : "warning",
      path: ["url"],
      at: "value",
      message,
    },
  });
}

type Messages = Pick<Context, "messages">;

/** Recommends to write the ids of courses that were found by their url although they have a key. */
export async function reportAdopted(
  adopted: readonly DesiredCourse[],
  { messages }: Messages,
): Promise<void> {
  const [first, ...others] = adopted;
  if (first === undefined) return;
  const { file } = first.source;
  const { line } = file.lines.range(await first.source.locate(["key"], "value"));
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const amount = pluralize(adopted.length, "course");
  await messages.info(
    `${amount} with a key ${adopted.length === 1 ? "was" : "were"} found by url (${file.name}:${line}${more}). ` +
      "Write the id into the file, so that the url can change: catalog courses push --write-ids.",
  );
}

/** Counts the fields that the files leave out and the catalog has. */
export async function reportUnmanaged(
  steps: readonly PushStep[],
  { messages }: Messages,
): Promise<void> {
  const counts = steps.map((step) => unmanagedOf(step).length).filter((count) => count > 0);
  if (counts.length === 0) return;
  const fields = counts.reduce((sum, count) => sum + count, 0);
  await messages.info(
    `${pluralize(fields, "field")} of ${pluralize(counts.length, "course")} ` +
      `${fields === 1 ? "is" : "are"} set in the catalog and left out in the files. ` +
      "To clear such fields, pass --complete.",
  );
}

/** The fields that the course of a step has, and its file leaves out and does not clear. */
export function unmanagedOf(step: Step<StepItem>): readonly string[] {
  return "unmanaged" in step ? step.unmanaged : [];
}
