/** Reverses the record of a run, and decides whether steps that were planned earlier still apply. Pure. */
import { CatalogError } from "../base/errors.ts";
import { escapeLine, truncate, truncateJson } from "../base/text.ts";
import { asText, type PlainObject } from "../base/values.ts";
import { differingFields, EMPTY_COURSE } from "../course/difference.ts";
import { courseLabel } from "../course/problem.ts";
import { type Course, toCreateBody, toRestorable, toUpdateBody } from "../course/request-body.ts";
import { type CourseIndex, findTakenUrls } from "./identify.ts";
import { mayReverse, NEW_PLAN, type RecordedStep, type RunRecord } from "./record.ts";
import { findSince } from "./risks.ts";
import { isWrite, pickFields, refuseStep, type Step, type StepTo, type Write } from "./step.ts";

/**
 * Reverses the steps that took effect, or may have, for the courses as they are now: the last step first, and deletions
 * at the end. Courses that shared a url before the run get it back.
 *
 * @param present the courses of the user's providers
 * @param force overwrite later changes, recreate courses that another run has deleted first, and give courses urls that
 * other courses have by now
 */
export function reverse(
  { steps }: RunRecord,
  present: CourseIndex<Course>,
  force: boolean,
): Step[] {
  const reversed = [...steps].reverse().flatMap((recorded) => reverseStep(recorded, force));
  const checked = checkSteps(reversed, present, "run", force);
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
      const after = { name: body.name ?? name, url: body.url ?? url };
      return [{ ...facts, ...after, action: "update", body, before, shared: step.shared }];
    }
    case "delete": {
      const body = toCreateBody(toRestorable(step.before), id);
      return [{ ...facts, action: "create", body, shared: step.shared }];
    }
  }
}

/** The words about a step, by its origin: a plan, the record of a run, or a listing that was just shown. */
const SOURCES = {
  plan: { event: "it changed after the plan was made", where: " in the plan", advice: NEW_PLAN },
  run: {
    event: "it is not as the run left it",
    where: " in the run",
    advice: "To undo the change anyway, pass --force.",
  },
  listing: { event: "it changed after it was shown", where: "", advice: "Run the command again." },
} as const;

type StepSource = keyof typeof SOURCES;

/**
 * Compares steps with the courses as they are now.
 *
 * @param force whether to overwrite later changes
 * @returns each step with the present values, a step `unchanged` if the change was already made, or a refused step
 */
export function checkSteps(
  planned: readonly Write[],
  present: CourseIndex<Course>,
  source: StepSource,
  force = false,
): Step[] {
  const checked = planned.map((step) => checkStep(step, present, source, force));
  if (force) return checked;
  // A plan, which may be edited, gives no course the url of another.
  const mayShare = source === "run" ? ({ shared = [] }: Step) => shared : undefined;
  const taken = findTakenUrls(checked, present, mayShare).map(
    ({ step, id }) => [step, id] as const,
  );
  const others = new Map<Step, string>(taken);
  return checked.map((step) => {
    const other = others.get(step);
    if (other === undefined || !isWrite(step)) return step;
    const url = escapeLine(truncate(asText(step.action === "delete" ? step.url : step.body.url)));
    return refuse(step, source, `the course ${other} has the url ${url}`);
  });
}

function checkStep(
  step: Write,
  present: CourseIndex<Course>,
  source: StepSource,
  force: boolean,
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
        const before = pickFields(remote, Object.keys(body));
        return { ...unchanged, action: "update", remote, body, before };
      }
      return step;
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
      if (source === "plan") return checkDeletion(step, remote, source);
      // Only what the run sent counts; what was set since is shown, because it is lost.
      const fields = force ? [] : findChanged(step.before, remote);
      if (fields.length > 0) return refuseChanged(step, source, fields);
      return { ...step, before: remote, risks: findSince(step, remote) };
    }
  }
}

/** The deletion of a course as it is now; refused if a field that can be sent is not as it was. */
export function checkDeletion(
  step: StepTo<"delete">,
  now: Course,
  source: StepSource = "listing",
): Step {
  const fields = findChanged({ ...EMPTY_COURSE, ...step.before }, now);
  return fields.length > 0 ? refuseChanged(step, source, fields) : { ...step, before: now };
}

function refuseChanged(
  step: Write,
  source: StepSource,
  fields: ReturnType<typeof findChanged>,
): StepTo<"refused"> {
  return refuse(step, source, `${SOURCES[source].event}: ${listed(fields, source)}`);
}

function listed(fields: ReturnType<typeof findChanged>, source: StepSource): string {
  const { where } = SOURCES[source];
  const texts = fields.map(
    ({ name, expected, now }) =>
      `${name} was ${truncateJson(expected)}${where} and is now ${truncateJson(now)}`,
  );
  return texts.join("; ");
}

function refuse(step: Write, source: StepSource, reason: string): StepTo<"refused"> {
  const message = `did not ${step.action} ${courseLabel(step)}, because ${reason}`;
  const error = new CatalogError("stale", message, { advice: SOURCES[source].advice });
  return refuseStep(step, step.action, error, "skipped");
}

/** The writable fields whose values differ from the expected values. */
function findChanged(expected: PlainObject, remote: PlainObject) {
  return differingFields(expected, remote)
    .filter(({ name }) => name !== "id")
    .map(({ name }) => ({ name, expected: expected[name] ?? null, now: remote[name] ?? null }));
}
