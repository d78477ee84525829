/** What a plan shows about the files: conflicts, moves, missing ids, fields left out. */
import { pluralize } from "../../../base/text.ts";
import { diagnoseSame, sourceOf } from "../../../command-support/located.ts";
import { type Diagnostic, placeProblem } from "../../../files/diagnostic.ts";
import type { Move } from "../../../sync/moves.ts";
import type { Conflict } from "../../../sync/plan.ts";
import type { Located, Step } from "../../../sync/step.ts";

/** The error of a course for which it is unclear what it describes. */
export async function diagnoseConflict(conflict: Conflict): Promise<Diagnostic> {
  const source = sourceOf(conflict.from);
  if (!("candidates" in conflict)) {
    return await diagnoseSame(source, sourceOf(conflict.other), conflict.id);
  }
  const ids = conflict.candidates.map(({ id }) => id).join(", ");
  const message = `several courses in the catalog have this url; add the id of the one you mean (${ids})`;
  const problem = { path: ["url"], severity: "error", at: "value", message } as const;
  return await placeProblem(source, { ...problem, rule: "several-courses" });
}

/** A new course that may be an existing one: an error if that one would be deleted. */
export async function diagnoseMove(
  { from, remote, isDeleted }: Move,
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
  return await placeProblem(sourceOf(from), {
    rule: "possible-move",
    severity: isRefused ? "error" : "warning",
    path: ["url"],
    at: "value",
    message,
  });
}

/** Recommends to write the ids of courses into their files. */
export async function describeAdopted(adopted: readonly Located[]): Promise<string[]> {
  const [first, ...others] = adopted;
  const place = await first?.place(["key"]);
  if (place === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const amount = pluralize(adopted.length, "course");
  return [
    `${amount} with a key ${adopted.length === 1 ? "was" : "were"} found by url (${place.file}:${place.line}${more}). ` +
      "Write the id into the file, so that the url can change: catalog courses push --write-ids.",
  ];
}

/** Counts the fields that the files leave out and the catalog has. */
export function describeUnmanaged(steps: readonly Step[]): string[] {
  const counts = steps
    .map((step) => ("unmanaged" in step ? (step.unmanaged?.length ?? 0) : 0))
    .filter((count) => count > 0);
  if (counts.length === 0) return [];
  const fields = counts.reduce((sum, count) => sum + count, 0);
  return [
    `${pluralize(fields, "field")} of ${pluralize(counts.length, "course")} ` +
      `${fields === 1 ? "is" : "are"} set in the catalog and left out in the files. ` +
      "To clear such fields, pass --complete.",
  ];
}
