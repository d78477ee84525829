/** The base of courses where no commit is named: what the records of earlier runs say. */
import type { RecordedWrite, RunRecord } from "./record-format.ts";
import type { WriteStep } from "./step.ts";
import type { BaseCourse } from "./three-way.ts";

/**
 * The courses of the steps as earlier runs wrote them: each field with its value in the newest record
 * that contains it.
 *
 * @param records the newest first; only as many are read as are needed
 * @returns by the id of the course; without those that no record contains
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
      // Without a result, the course may have had the values of the write or those before it.
      if (step === undefined || write.status === "failed" || write.status === "unknown") continue;
      const base = addOlder(found.get(write.id), write);
      found.set(write.id, base);
      if (isComplete(base, step)) open.delete(write.id);
    }
    if (open.size === 0) break;
  }
  return found;
}

/** What is known of a course with what an older write says about it. */
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
