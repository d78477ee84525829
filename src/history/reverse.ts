/** Plans what undoes a run: pure, and plain data. */
import { isList, type PlainObject } from "../base/values.ts";
import { type Change, diffCourses, differingFields, EMPTY_COURSE } from "../course/difference.ts";
import { type Course, toCreateBody, toRestorable, toUpdateBody } from "../course/request-body.ts";
import type { RecordedWrite, RunRecord } from "./record.ts";

/** A field that was changed again since the run. */
export interface ConflictingField {
  readonly name: string;
  /** What the run wrote; null if it deleted the course or left the field out. */
  readonly wrote: unknown;
  readonly now: unknown;
}

export type UndoStep = { readonly write: RecordedWrite } & (
  | {
      readonly action: "create";
      readonly body: Course;
      /** The values that cannot be restored, because the interface does not contain them. */
      readonly dropped: readonly string[];
    }
  | {
      readonly action: "update";
      readonly remote: Course;
      readonly body: PlainObject;
      readonly changes: readonly Change[];
      readonly dropped: readonly string[];
    }
  | { readonly action: "delete"; readonly remote: Course }
  | { readonly action: "unchanged" }
  | { readonly action: "conflict"; readonly fields: readonly ConflictingField[] }
  /** An updated course that was deleted since, so that only some of its values are known. */
  | { readonly action: "gone" }
  /** A deleted course whose url another course has now. */
  | { readonly action: "taken"; readonly other: Course }
);

/**
 * Plans the reverse of a run, the last write first and deletions at the end. What the service has now
 * decides, so a write without a known result is undone only if it took effect.
 *
 * @param remote the courses that exist now, by id
 * @param force whether to undo writes of courses that were changed again since
 */
export function planUndo(
  { writes }: RunRecord,
  remote: ReadonlyMap<string, Course>,
  force: boolean,
): UndoStep[] {
  const steps = [...writes]
    .reverse()
    // The run changed nothing there.
    .filter(({ status }) => status === "done" || status === "unknown")
    .map((write) => planStep(write, remote.get(write.id), force));
  const isDeletion = ({ action }: UndoStep): boolean => action === "delete";
  return [...steps.filter((step) => !isDeletion(step)), ...steps.filter(isDeletion)];
}

function planStep(write: RecordedWrite, remote: Course | undefined, force: boolean): UndoStep {
  switch (write.action) {
    case "create": {
      if (remote === undefined) return { write, action: "unchanged" };
      const fields = force ? [] : changedSinceCreation(write.body, remote);
      return fields.length > 0
        ? { write, action: "conflict", fields }
        : { write, action: "delete", remote };
    }
    case "update":
      return remote === undefined
        ? { write, action: "gone" }
        : planRestoredValues({ ...write, action: "update" }, remote, force);
    case "delete": {
      const { course, dropped } = toRestorable(write.before);
      if (remote === undefined) {
        const body = { ...toCreateBody(course), id: write.id };
        return { write, action: "create", body, dropped };
      }
      const fields = differingFields(course, remote)
        .filter(({ name }) => name !== "id")
        .map(({ name }) => ({ name, wrote: null, now: remote[name] ?? null }));
      if (fields.length === 0) return { write, action: "unchanged" };
      if (!force) return { write, action: "conflict", fields };
      const names = fields.map(({ name }) => name);
      return planUpdate(write, remote, pick(course, names), dropped);
    }
  }
}

function planRestoredValues(
  write: Extract<RecordedWrite, { action: "update" }>,
  remote: Course,
  force: boolean,
): UndoStep {
  const { body, before } = write;
  const { course, dropped } = toRestorable(before);
  const isNow = (values: PlainObject, name: string): boolean =>
    name === "slug"
      ? (values[name] ?? null) === (remote[name] ?? null)
      : differingFields(pick(values, [name]), remote).length === 0;
  const changed = Object.keys(body).filter((name) => !isNow(course, name));
  // The service may choose another slug than the one that was sent.
  const undone = changed.filter((name) => isNow(body, name) || (force && name !== "slug"));
  const conflicts = changed.filter((name) => !undone.includes(name) && name !== "slug");
  if (conflicts.length > 0) {
    const fields = conflicts.map((name) => ({
      name,
      wrote: body[name] ?? null,
      now: remote[name] ?? null,
    }));
    return { write, action: "conflict", fields };
  }
  if (undone.length === 0) return { write, action: "unchanged" };
  return planUpdate(write, remote, pick(course, undone), dropped);
}

function planUpdate(
  write: RecordedWrite,
  remote: Course,
  values: PlainObject,
  dropped: readonly string[],
): UndoStep {
  const body = toUpdateBody(values);
  return {
    write,
    action: "update",
    remote,
    body,
    changes: diffCourses(values, remote),
    dropped: dropped.filter((path) => Object.keys(body).some((name) => path.startsWith(name))),
  };
}

/** Fields that were left out of the creation and have a value now were set since. */
function changedSinceCreation(body: PlainObject, remote: Course): ConflictingField[] {
  const created: PlainObject = { ...EMPTY_COURSE, ...body };
  return differingFields(created, remote)
    .filter(({ name }) => name !== "id" && !(isEmpty(created[name]) && isEmpty(remote[name])))
    .map(({ name }) => ({ name, wrote: created[name] ?? null, now: remote[name] ?? null }));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (isList(value) && value.length === 0);
}

function pick(values: PlainObject, names: readonly string[]): PlainObject {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}
