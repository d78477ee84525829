/** Makes the steps that undo a run from its undo record. As in a plan, each step has the values that it expects. */
import { type Course, toCreateBody, toRestorable, toUpdateBody } from "../course/request-body.ts";
import type { RecordedWrite, RunRecord } from "./record-format.ts";
import { describeSaved } from "./saved-plan.ts";
import { pickFields, type WriteStep } from "./step.ts";

export interface Reversed {
  readonly step: WriteStep;
  readonly write: RecordedWrite;
  /** The paths of values that cannot be restored, because the service does not accept these fields. */
  readonly dropped: readonly string[];
}

/**
 * Reverses the changes that took effect, or may have. Each course has one step; the last change is first, and
 * deletions are at the end.
 */
export function reverse({ writes }: RunRecord): Reversed[] {
  const merged = new Map<string, RecordedWrite>();
  for (const write of writes) {
    const isEffective = write.status === "done" || write.status === "unknown";
    if (!isEffective) continue;
    const earlier = merged.get(write.id);
    merged.delete(write.id);
    merged.set(write.id, earlier === undefined ? write : mergeWrites(earlier, write));
  }
  const reversed = [...merged.values()].reverse().flatMap(reverseWrite);
  const isDeletion = ({ step }: Reversed): boolean => step.action === "delete";
  return [...reversed.filter((each) => !isDeletion(each)), ...reversed.filter(isDeletion)];
}

function mergeWrites(first: RecordedWrite, second: RecordedWrite): RecordedWrite {
  if (first.action === "update" && second.action === "update") {
    const body = { ...first.body, ...second.body };
    return { ...second, body, before: { ...second.before, ...first.before } };
  }
  if (first.action === "create" && second.action === "update") {
    return { ...first, body: { ...first.body, ...second.body } };
  }
  return second;
}

function reverseWrite(write: RecordedWrite): Reversed[] {
  const { id } = write;
  const from = describeSaved(write);
  switch (write.action) {
    case "create": {
      const before = { ...write.body, id };
      return [{ write, dropped: [], step: { action: "delete", id, from, before } }];
    }
    case "update": {
      const { course, dropped } = toRestorable(write.before);
      const body = toUpdateBody(course);
      if (Object.keys(body).length === 0) return [];
      const before = pickFields(write.body, body);
      return [{ write, dropped, step: { action: "update", id, from, body, before } }];
    }
    case "delete": {
      const { course, dropped } = toRestorable(write.before);
      const body: Course = { ...toCreateBody(course), id };
      return [{ write, dropped, step: { action: "create", id, from, body } }];
    }
  }
}
