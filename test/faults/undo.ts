/** Undoes a run that met faults, against the same service without faults. */
import { expect } from "vitest";
import type { CommandLine } from "./command-lines.ts";
import type { FaultRun, Service } from "./run.ts";

type Courses = FaultRun["courses"];

const UNDO: CommandLine = { words: ["undo", "--yes"], shows: /Undoing run|Nothing to|up to date/ };

/**
 * Undoes the latest run twice. The first time restores the courses as they were before it, with one
 * request for each course that it changed; the second time there is nothing to undo.
 */
export async function checkUndo(service: Service, before: Courses): Promise<void> {
  const changed = countChanged(before, service.courses());
  const undone = await service.run(UNDO);
  expect([undone.code, comparable(undone.courses)], undone.stderr).toEqual([0, comparable(before)]);
  expect(undone.requests.filter(isWrite), undone.stderr).toHaveLength(changed);

  const again = await service.run(UNDO);
  expect([again.code, again.requests.filter(isWrite)], again.stderr).toEqual([0, []]);
  expect(again.stderr).toMatch(/^(Nothing to (undo|change)\.|Already up to date: )/m);
}

/** The courses by their ids, without what the service chooses for a course that is created again. */
function comparable(courses: Courses): ReadonlyMap<unknown, unknown> {
  return new Map(
    courses.map(({ slug: _, approval_status: __, last_fetched_at: ___, ...course }) => [
      course.id,
      course,
    ]),
  );
}

function countChanged(one: Courses, other: Courses): number {
  const before = comparable(one);
  const after = comparable(other);
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id)))
    .length;
}

/** Whether a request, as `METHOD path?query`, may change something. */
function isWrite(line: string): boolean {
  return !line.startsWith("GET ");
}
