/** Finds the base of courses in the undo records of earlier runs, for a push without a commit as its base. */
import type { RecordedWrite, RunRecord } from "./record-format.ts";
import type { WriteStep } from "./step.ts";
import type { BaseCourse } from "./three-way.ts";

/**
 * The courses of the steps as earlier runs left them: each field has the value of the newest record that contains
 * the field.
 *
 * @param records the newest first; only the necessary ones are read
 * @returns the base by the id of the course, for courses that a record contains
 */
export function findRecorded(
  steps: readonly WriteStep[],
  records: Iterable<RunRecord>,
): ReadonlyMap<string, BaseCourse> {
  const found = new Map<string, BaseCourse>();
  const open = new Map(steps.map((step) => [step.id, step]));
  if (open.size === 0) return found;
  for (const { writes } of records) {
    for (const write of writes) {
      const step = open.get(write.id);
      // Without a result, the course may have the values of the change or the values before the change.
      if (step === undefined || write.status === "failed" || write.status === "unknown") continue;
      const base = addOlder(found.get(write.id), write);
      found.set(write.id, base);
      if (isComplete(base, step)) open.delete(write.id);
    }
    if (open.size === 0) break;
  }
  return found;
}

/** The base of a course, completed with the values of an older change. */
function addOlder(newer: BaseCourse | undefined, write: RecordedWrite): BaseCourse {
  if (write.action === "delete") return newer ?? { values: null };
  const values = { ...write.body, ...newer?.values };
  return write.action === "create" ? { values } : { values, isPartial: true };
}

function isComplete({ values, isPartial }: BaseCourse, step: WriteStep): boolean {
  if (isPartial !== true) return true;
  const names = step.action === "update" ? Object.keys(step.body) : undefined;
  return names?.every((name) => values !== null && Object.hasOwn(values, name)) ?? false;
}
