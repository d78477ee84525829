/** The steps that undo a run: the reverse of its record, with the same preconditions as a plan. */
import type { PlainObject } from "../base/values.ts";
import { type Course, toCreateBody, toRestorable, toUpdateBody } from "../course/request-body.ts";
import type { RecordedWrite, RunRecord } from "./record-format.ts";
import { describeSaved } from "./saved-plan.ts";
import { pickFields, type WriteStep } from "./step.ts";

/** A step that undoes a write. */
export interface Reversed {
  readonly step: WriteStep;
  readonly write: RecordedWrite;
  /** The paths of values that cannot be restored, because the service accepts no such fields. */
  readonly dropped: readonly string[];
}

/**
 * Reverses the writes that took effect, or may have: each course once, the last write first and
 * deletions at the end.
 *
 * @param only the ids of the courses in lowercase; by default all
 * @param fields the names of the fields; by default all
 */
export function reverse(
  { writes }: RunRecord,
  only?: ReadonlySet<string>,
  fields?: readonly string[],
): Reversed[] {
  const merged = new Map<string, RecordedWrite>();
  for (const write of writes) {
    const isEffective = write.status === "done" || write.status === "unknown";
    if (!isEffective || only?.has(write.id) === false) continue;
    const earlier = merged.get(write.id);
    merged.delete(write.id);
    merged.set(write.id, earlier === undefined ? write : mergeWrites(earlier, write));
  }
  const reversed = [...merged.values()].reverse().flatMap((write) => reverseWrite(write, fields));
  const isDeletion = ({ step }: Reversed): boolean => step.action === "delete";
  return [...reversed.filter((each) => !isDeletion(each)), ...reversed.filter(isDeletion)];
}

/** One write that did what two did in a row. */
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

function reverseWrite(write: RecordedWrite, fields: readonly string[] | undefined): Reversed[] {
  const { id } = write;
  const from = describeSaved(write);
  switch (write.action) {
    case "create": {
      // The other fields of the course cannot be taken back on their own.
      if (fields !== undefined) return [];
      const before = { ...write.body, id };
      return [{ write, dropped: [], step: { action: "delete", id, from, before } }];
    }
    case "update": {
      const { course, dropped } = toRestorable(selectFields(write.before, fields));
      const body = toUpdateBody(course);
      if (Object.keys(body).length === 0) return [];
      const before = pickFields(write.body, body);
      return [{ write, dropped, step: { action: "update", id, from, body, before } }];
    }
    case "delete": {
      if (fields !== undefined) return [];
      const { course, dropped } = toRestorable(write.before);
      const body: Course = { ...toCreateBody(course), id };
      return [{ write, dropped, step: { action: "create", id, from, body } }];
    }
  }
}

function selectFields(values: PlainObject, names: readonly string[] | undefined): PlainObject {
  if (names === undefined) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}
