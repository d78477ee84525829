/** Plans the steps after which the courses in the catalog match the courses in files. Pure: reads and sends nothing. */
import { attempt } from "../base/errors.ts";
import { parseUrl } from "../base/http.ts";
import { escapeLine } from "../base/text.ts";
import { addTo, asText, isUuid, type PlainObject } from "../base/values.ts";
import { EXTERNAL_KEY } from "../course/field-names.ts";
import type { Located } from "../course/located.ts";
import { type Course, toCreateBody } from "../course/request-body.ts";
import { type CourseIndex, chooseId, describeMismatch } from "./identify.ts";
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
}

/** Plans the steps after which the catalog matches the desired courses, which have passed every check. */
export function planSync(
  desired: readonly Located[],
  remote: CourseIndex,
  { prune = false, complete = false, providerIds }: PlanOptions,
): Plan {
  const steps: Step[] = [];
  const unclear: Found[] = [];
  for (const from of desired) {
    const match = remote.identify(from.value);
    if (!("found" in match)) unclear.push(describeMismatch(from, match));
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
    const message = `is the same course as another (id ${id})`;
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
