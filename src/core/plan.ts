/** Plans the steps after which the courses in the catalog match the courses in files. Pure: reads and sends nothing. */

import { parseUrl } from "../base/credentials.ts";
import { attempt } from "../base/errors.ts";
import { escapeLine } from "../base/text.ts";
import { addTo, asText, isUuid, type PlainObject } from "../base/values.ts";
import type { Located } from "../course/problem.ts";
import { type Course, toCreateBody } from "../course/request-body.ts";
import { EXTERNAL_KEY } from "../course/special-fields.ts";
import { CourseIndex, chooseId, describeMismatch } from "./identify.ts";
import type { Found } from "./located.ts";
import { planChange, planCreation, planDeletion, type Step } from "./step.ts";

/** Steps in the order of the desired courses, followed by the deletions. */
export interface Plan {
  readonly steps: readonly Step[];
  /** The steps of a plan with problems must not be applied. */
  readonly problems: readonly Found[];
}

export interface PlanOptions {
  /** Delete the courses of `providerIds` that no desired course means. */
  readonly prune?: boolean;
  /** Clear the fields that desired courses omit. */
  readonly complete?: boolean;
  /** The providers whose courses the files describe, in lowercase. */
  readonly providerIds: ReadonlySet<string>;
  /** The steps that `compareEarly` has found. */
  readonly unchanged?: ReadonlyMap<Located, Step>;
}

/**
 * Compares courses with the desired ones while they are read, because most pushes change few of many courses.
 *
 * @returns the steps of courses that equal their files, and `keep`, which says what stays in memory of a course: of
 * these only what identifies them
 */
export function compareEarly(desired: readonly Located[], complete: boolean) {
  const byValue = new Map(desired.map((from) => [from.value, from]));
  const index = new CourseIndex(byValue.keys());
  const unchanged = new Map<Located, Step>();
  const keep = (course: Course): Course => {
    const value = index.find(course.id) ?? index.findByUrl(course.url)[0];
    const from = value && byValue.get(value);
    const step = from && planChange(from, course, { complete });
    if (from === undefined || step?.action !== "unchanged") return course;
    unchanged.set(from, step);
    const { id, name, url, provider_id } = course;
    return { id, name, url, provider_id };
  };
  return { unchanged, keep };
}

/** Plans the steps after which the catalog matches the desired courses, which have passed every check. */
export function planSync(
  desired: readonly Located[],
  remote: CourseIndex,
  { prune = false, complete = false, providerIds, unchanged }: PlanOptions,
): Plan {
  const steps: Step[] = [];
  const unclear: Found[] = [];
  for (const from of desired) {
    const match = remote.identify(from.value);
    const same = unchanged?.get(from);
    if (!("found" in match)) unclear.push(describeMismatch(from, match));
    else if (same !== undefined && same.id === match.found?.id.toLowerCase()) steps.push(same);
    else if (match.found !== undefined) steps.push(planChange(from, match.found, { complete }));
    else steps.push(planCreation(from, toCreateBody(from.value, chooseId(from.value))));
  }
  const ids = new Set(steps.map(({ id }) => id));
  const isLeft = (course: Course): boolean =>
    belongsTo(course, providerIds) && !ids.has(course.id.toLowerCase());
  const deletions = prune ? [...remote.courses].filter(isLeft).map(planDeletion) : [];
  return { steps: [...steps, ...deletions], problems: [...unclear, ...findSame(steps)] };
}

/** The errors of courses of files for which another one has a step already. */
export function findSame(steps: readonly Step[]): Found[] {
  const first = new Map<string, Located>();
  return steps.flatMap(({ id, from }) => {
    const same = first.get(id);
    if (from === undefined) return [];
    if (same === undefined) {
      first.set(id, from);
      return [];
    }
    const path = [["id", EXTERNAL_KEY].find((name) => from.value[name]) ?? "url"];
    const message = `identifies the same course as another one (id ${id})`;
    const problem = { rule: "same-course", severity: "error", at: "value", path, message } as const;
    return [{ from, problem, same }];
  });
}

/** The ids of the providers of courses, in lowercase. */
export function listProviderIds(courses: Iterable<PlainObject>): ReadonlySet<string> {
  const ids = [...courses].flatMap(({ provider_id: id }) =>
    isUuid(id) ? [String(id).toLowerCase()] : [],
  );
  return new Set(ids);
}

/** Whether a course belongs to one of the providers, whose ids are in lowercase. */
export function belongsTo({ provider_id: id }: Course, providerIds: ReadonlySet<string>): boolean {
  return typeof id === "string" && providerIds.has(id.toLowerCase());
}

/** The warning of a new course that may be an existing course under an old url. */
export interface Move extends Found {
  readonly isDeleted: boolean;
}

/** Finds courses to be created that resemble a remote course without a step, by provider and name or by url. */
export function findMoves(steps: readonly Step[], remote: CourseIndex): Move[] {
  const described = new Set(steps.flatMap(({ action, id }) => (action === "delete" ? [] : [id])));
  const deleted = new Set(steps.flatMap(({ action, id }) => (action === "delete" ? [id] : [])));
  const similar = new Map<string, Course[]>();
  for (const course of remote.courses) {
    if (described.has(course.id.toLowerCase())) continue;
    for (const trait of listTraits(course)) addTo(similar, trait, course);
  }
  const isDeleted = ({ id }: Course): boolean => deleted.has(id.toLowerCase());
  return steps.flatMap((step) => {
    if (step.action !== "create" || step.from === undefined) return [];
    const candidates = listTraits(step.body).flatMap((trait) => similar.get(trait) ?? []);
    const found = candidates.find(isDeleted) ?? candidates[0];
    if (found === undefined) return [];
    const { name, url, id } = found;
    const fate = isDeleted(found) ? "would be deleted" : "is in no file";
    const message = `looks like a course that moved: ${escapeLine(JSON.stringify(name ?? null))} at ${escapeLine(asText(url))} (id ${id}) ${fate}; if this is the same course, add "id: ${id}"`;
    const warning = { rule: "possible-move", severity: "warning", at: "value" } as const;
    const problem = { ...warning, path: ["url"], message };
    return [{ from: step.from, problem, isDeleted: isDeleted(found) }];
  });
}

/** The traits by which two descriptions of one course resemble each other, the most specific first. */
function listTraits({ url, name, provider_id: provider }: Course): string[] {
  const traits: string[] = [];
  if (typeof url === "string") traits.push(`url ${simplifyUrl(url)}`);
  if (typeof name === "string" && typeof provider === "string") {
    traits.push(`name ${provider.toLowerCase()} ${name.trim().toLowerCase()}`);
  }
  return traits;
}

/**
 * A url without the parts that rarely matter: the scheme, `www.`, the case of the host, a slash at the end, the
 * fragment, `utm_*` parameters and percent-encoding. `https://www.A.example/b/?utm_x=1#c` gives `a.example/b?`.
 */
function simplifyUrl(text: string): string {
  const url = parseUrl(text);
  if (url === undefined) return text;
  const host = url.host.toLowerCase().replace(/^www\./, "");
  const path = decode(url.pathname).replace(/\/+$/, "");
  const parameters = url.search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "" && !/^utm_/i.test(parameter))
    .map(decode);
  return `${host}${path}?${parameters.join("&")}`;
}

function decode(text: string): string {
  return attempt(() => decodeURIComponent(text).normalize("NFC")) ?? text;
}
