/** Plans the steps after which the courses in the catalog match the courses in files. Pure: reads and sends nothing. */
import { attempt } from "../base/errors.ts";
import { parseUrl } from "../base/http.ts";
import { addTo, isUuid, type PlainObject } from "../base/values.ts";
import type { Located } from "../course/located.ts";
import { type Course, toCreateBody } from "../course/request-body.ts";
import { type CourseIndex, chooseId, type Mismatch } from "./identify.ts";
import { planChange, planCreation, planDeletion, type Step } from "./step.ts";

/** Why it is not clear which course in the catalog a desired course means. */
export type Conflict = { readonly from: Located } & (
  | Mismatch
  /** Two desired courses mean the same course. */
  | { readonly id: string; readonly same: Located }
);

/** Steps in the order of the desired courses, followed by the deletions. */
export interface Plan {
  readonly steps: readonly Step[];
  /** The steps of a plan with conflicts must not be applied. */
  readonly conflicts: readonly Conflict[];
}

export interface PlanOptions {
  /** Delete the courses of `providerIds` that no desired course means. */
  readonly prune?: boolean;
  /** Clear the fields that desired courses omit. */
  readonly complete?: boolean;
  /** The providers whose courses the files describe, in lowercase. */
  readonly providerIds: ReadonlySet<string>;
}

/** Plans the steps after which the catalog matches the desired courses, which have passed every check. */
export function planSync(
  desired: readonly Located[],
  remote: CourseIndex,
  { prune = false, complete = false, providerIds }: PlanOptions,
): Plan {
  const steps: Step[] = [];
  const conflicts: Conflict[] = [];
  const byId = new Map<string, Located>();
  for (const from of desired) {
    const match = remote.identify(from.value);
    if (!("found" in match)) {
      conflicts.push({ from, ...match });
      continue;
    }
    const { found } = match;
    const id = chooseId(found ?? from.value);
    const same = byId.get(id);
    if (same === undefined) byId.set(id, from);
    else conflicts.push({ from, id, same });
    const step =
      found === undefined
        ? planCreation(from, { ...toCreateBody(from.value), id })
        : planChange(from, found, { complete });
    steps.push(step);
  }
  const deletions = prune ? planDeletions(remote, providerIds, byId) : [];
  return { steps: [...steps, ...deletions], conflicts };
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

function planDeletions(
  remote: CourseIndex,
  providerIds: ReadonlySet<string>,
  byId: ReadonlyMap<string, Located>,
): Step[] {
  return [...remote.courses]
    .filter((course) => belongsTo(course, providerIds) && !byId.has(course.id.toLowerCase()))
    .map(planDeletion);
}

/** A course that a plan creates, and the course in the catalog that may be the same course under an old url. */
export interface Move {
  readonly from: Located;
  readonly remote: Course;
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
    return [{ from: step.from, remote: found, isDeleted: isDeleted(found) }];
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
