/** Plans the changes after which the courses in the catalog match the courses in files. Pure: sends nothing. */
import { attempt } from "../base/errors.ts";
import { parseUrl } from "../base/http.ts";
import { addTo } from "../base/values.ts";
import { type Course, toCreateBody } from "../course/request-body.ts";
import { CourseIndex, chooseId } from "./course-index.ts";
import { type Located, planChange, type Step } from "./step.ts";

/** Why it is not clear which course in the catalog a desired course describes. */
export type Conflict =
  /** Two desired courses describe the same course. */
  | { readonly from: Located; readonly id: string; readonly other: Located }
  /** Several courses have the url of the desired course, which has no id. */
  | { readonly from: Located; readonly candidates: readonly Course[] };

/** Steps in the order of the desired courses, followed by the deletions. */
export interface Plan {
  readonly steps: readonly Step[];
  /** The steps of a plan with conflicts must not be applied. */
  readonly conflicts: readonly Conflict[];
  /** The desired courses with a key that were identified by their url, because no course has the key. */
  readonly adopted: readonly Located[];
}

/**
 * Plans the steps after which the remote courses match the desired courses.
 *
 * @param desired courses that have passed every check
 * @param options `prune`: delete remote courses that no desired course describes, of the providers with the
 * lowercase `providerIds`, by default the providers of the desired courses; `complete`: clear fields that the
 * desired courses omit
 */
export function planSync(
  desired: readonly Located[],
  remote: readonly Course[],
  options: { prune?: boolean; complete?: boolean; providerIds?: Iterable<string> } = {},
): Plan {
  const { prune = false, complete = false, providerIds = listProviderIds(desired) } = options;
  const index = new CourseIndex(remote);
  const steps: Step[] = [];
  const conflicts: Conflict[] = [];
  const adopted: Located[] = [];
  const byId = new Map<string, Located>();
  for (const from of desired) {
    const match = index.identify(from.value);
    if ("candidates" in match) {
      conflicts.push({ from, candidates: match.candidates });
      continue;
    }
    const { found: remote } = match;
    const id = chooseId(remote ?? from.value);
    const other = byId.get(id);
    if (other !== undefined) conflicts.push({ from, id, other });
    byId.set(id, from);
    if (match.isAdopted) adopted.push(from);
    steps.push(
      remote === undefined
        ? { action: "create", id, from, body: { ...toCreateBody(from.value), id } }
        : planChange(from, remote, { complete }),
    );
  }
  const deletions = prune ? planDeletions(new Set(providerIds), remote, byId) : [];
  return { steps: [...steps, ...deletions], conflicts, adopted };
}

/** The ids of the providers of courses, in lowercase. */
export function listProviderIds(desired: readonly Located[]): ReadonlySet<string> {
  return new Set(desired.map(({ value }) => String(value.provider_id).toLowerCase()));
}

function planDeletions(
  providers: ReadonlySet<string>,
  remote: readonly Course[],
  byId: ReadonlyMap<string, Located>,
): Step[] {
  return remote.flatMap((course): Step[] => {
    const { provider_id: provider } = course;
    const id = course.id.toLowerCase();
    const isInvolved = typeof provider === "string" && providers.has(provider.toLowerCase());
    if (!isInvolved || byId.has(id)) return [];
    return [{ action: "delete", id, remote: course, before: course }];
  });
}

/** A course that a plan creates, and the course in the catalog that may be the same course under an old url. */
export interface Move {
  readonly from: Located;
  readonly remote: Course;
  readonly isDeleted: boolean;
}

/** Finds courses to be created that resemble a remote course without a step, by provider and name or by url. */
export function findMoves(steps: readonly Step[], remote: readonly Course[]): Move[] {
  const described = new Set(steps.flatMap(({ action, id }) => (action === "delete" ? [] : [id])));
  const deleted = new Set(steps.flatMap(({ action, id }) => (action === "delete" ? [id] : [])));
  const similar = new Map<string, Course[]>();
  for (const course of remote) {
    if (described.has(course.id.toLowerCase())) continue;
    for (const trait of listTraits(course)) addTo(similar, trait, course);
  }
  if (similar.size === 0) return [];
  return steps.flatMap((step) => {
    if (step.action !== "create" || step.from === undefined) return [];
    const candidates = listTraits(step.body).flatMap((trait) => similar.get(trait) ?? []);
    const isDeleted = ({ id }: Course): boolean => deleted.has(id.toLowerCase());
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
