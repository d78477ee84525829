/** Reverses the record of a run, and decides whether steps that were planned earlier still apply. Pure. */
import { CatalogError } from "../base/errors.ts";
import { escapeLine, truncate, truncateJson } from "../base/text.ts";
import { asText, type PlainObject } from "../base/values.ts";
import { differingFields, EMPTY_COURSE } from "../course/difference.ts";
import { courseLabel } from "../course/problem.ts";
import { toCreateBody, toRestorable, toUpdateBody } from "../course/request-body.ts";
import type { CourseIndex } from "./identify.ts";
import { mayReverse, NEW_PLAN, type RecordedStep, type RunRecord } from "./record.ts";
import { findSince } from "./risks.ts";
import { pickFields, refuseStep, type Step, type StepTo, type Write } from "./step.ts";

/**
 * Reverses the steps that took effect, or may have, for the courses as they are now: the last step first, and deletions
 * at the end.
 *
 * @param present the courses of the user's providers
 * @param force overwrite later changes, and recreate courses that another run has deleted first
 */
export function reverse({ steps }: RunRecord, present: CourseIndex, force: boolean): Step[] {
  const reversed = [...steps].reverse().flatMap((recorded) => reverseStep(recorded, force));
  const checked = reversed.map((step) => withRisks(checkStep(step, present, "run", force), step));
  const isDeletion = ({ action }: Step): boolean => action === "delete";
  return [...checked.filter((each) => !isDeletion(each)), ...checked.filter(isDeletion)];
}

function reverseStep(recorded: RecordedStep, force: boolean): Write[] {
  const { step } = recorded;
  const { id, name, url, from } = step;
  if (!mayReverse(recorded, force)) return [];
  const facts = { id, name, url, from };
  switch (step.action) {
    case "create":
      return [{ ...facts, action: "delete", before: step.body }];
    case "update": {
      const body = toUpdateBody(toRestorable(step.before));
      if (Object.keys(body).length === 0) return [];
      const before = pickFields(step.body, Object.keys(body));
      return [{ ...facts, action: "update", body, before }];
    }
    case "delete": {
      const body = toCreateBody(toRestorable(step.before), id);
      return [{ ...facts, action: "create", body }];
    }
  }
}

/** Adds the fields that were set after the run to a deletion. */
function withRisks(found: Step, planned: Write): Step {
  if (found.action !== "delete" || planned.action !== "delete") return found;
  const risks = findSince(planned, found.before);
  return risks.length === 0 ? found : { ...found, risks };
}

interface ChangedField {
  readonly name: string;
  readonly expected: unknown;
  readonly now: unknown;
}

/** Where a step comes from. The deletion of a plan expects every field that can be sent; the deletion of a run, the fields that it has. */
type StepSource = "plan" | "run";

/**
 * Compares a step with the courses as they are now.
 *
 * @param force whether to overwrite later changes
 * @returns the step with the present values, a step `unchanged` if the change was already made, or a refused step
 */
export function checkStep(
  step: Write,
  present: CourseIndex,
  source: StepSource,
  force = false,
): Step {
  const { id, name, url, from } = step;
  const remote = present.find(id);
  const unchanged = { action: "unchanged", id, name, url, from } as const;
  switch (step.action) {
    case "create": {
      if (remote !== undefined) {
        const fields = findChanged(step.body, remote);
        if (fields.length === 0) return unchanged;
        if (!force) {
          return refuse(step, source, `a course with this id exists: ${listed(fields, source)}`);
        }
        const body = toUpdateBody(
          Object.fromEntries(fields.map((each) => [each.name, each.expected])),
        );
        return {
          ...unchanged,
          action: "update",
          remote,
          body,
          before: pickFields(remote, Object.keys(body)),
        };
      }
      const [other] = force ? [] : present.findByUrl(step.body.url);
      if (other === undefined) return step;
      const taken = escapeLine(truncate(asText(step.url)));
      return refuse(step, source, `another course has the url ${taken} now: ${other.id}`);
    }
    case "update": {
      if (remote === undefined) return refuse(step, source, "it no longer exists");
      const names = findChanged(step.body, remote).map((field) => field.name);
      if (names.length === 0) return unchanged;
      const body = pickFields(step.body, names);
      const fields = findChanged(pickFields(step.before, names), remote);
      if (fields.length > 0 && !force) return refuseChanged(step, source, fields);
      return { ...step, remote, body, before: pickFields(remote, names) };
    }
    case "delete": {
      if (remote === undefined) return unchanged;
      const expected = source === "plan" ? { ...EMPTY_COURSE, ...step.before } : step.before;
      const fields = force ? [] : findChanged(expected, remote);
      return fields.length > 0 ? refuseChanged(step, source, fields) : { ...step, before: remote };
    }
  }
}

function refuseChanged(
  step: Write,
  source: StepSource,
  fields: readonly ChangedField[],
): StepTo<"refused"> {
  const event = source === "plan" ? "the plan was made" : "the run";
  return refuse(step, source, `it changed after ${event}: ${listed(fields, source)}`);
}

function listed(fields: readonly ChangedField[], source: StepSource): string {
  const then = source === "plan" ? "in the plan" : "after the run";
  const texts = fields.map(
    ({ name, expected, now }) =>
      `${name} was ${truncateJson(expected)} ${then} and is now ${truncateJson(now)}`,
  );
  return texts.join("; ");
}

function refuse(step: Write, source: StepSource, reason: string): StepTo<"refused"> {
  const message = `did not ${step.action} ${courseLabel(step)}, because ${reason}`;
  const advice = source === "plan" ? NEW_PLAN : "To undo the change anyway, pass --force.";
  const error = new CatalogError("stale", message, { advice });
  return refuseStep(step, step.action, error, "skipped");
}

/** The writable fields whose values differ from the expected values. */
function findChanged(expected: PlainObject, remote: PlainObject): ChangedField[] {
  return differingFields(expected, remote)
    .filter(({ name }) => name !== "id")
    .map(({ name }) => ({ name, expected: expected[name] ?? null, now: remote[name] ?? null }));
}
