/** Plans what must change so that the remote courses match the desired ones: pure, and plain data. */
import { attempt } from "../base/errors.ts";
import { parseUrl } from "../base/http.ts";
import { addTo } from "../base/values.ts";
import { type Course, toCreateBody } from "../course/request-body.ts";
import { CourseIndex, chooseId } from "./identify.ts";
import { type Located, planChange, type Step } from "./step.ts";

/** Why it is unclear which remote course a desired one describes. */
export type Conflict =
  /** Another desired course describes the same remote course. */
  | { readonly from: Located; readonly id: string; readonly other: Located }
  /** Several remote courses have its url, and it has no id. */
  | { readonly from: Located; readonly candidates: readonly Course[] };

/** Steps in the order of the desired courses, followed by the deletions. */
export interface Plan {
  readonly steps: readonly Step[];
  /** If there are any, the steps must not be applied. */
  readonly conflicts: readonly Conflict[];
  /** The courses with a key that were found by their url; their files lack the id. */
  readonly adopted: readonly Located[];
}

/**
 * Plans the steps that make the remote courses match the desired ones, which have passed every check.
 *
 * @param options `prune` if remote courses that nothing describes are deleted, of the providers with
 * `providerIds` in lowercase, by default those of the desired courses; `complete` if fields that the desired
 * courses leave out are cleared
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

/** A course that a plan creates, and the remote course that it may be. */
export interface Move {
  readonly from: Located;
  readonly remote: Course;
  /** Whether the plan also deletes the remote course. */
  readonly isDeleted: boolean;
}

/**
 * Courses to be created that resemble one that no step describes: by provider and name, or by url.
 */
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

/** What two descriptions of one course have in common, the most specific first. */
function listTraits({ url, name, provider_id: provider }: Course): string[] {
  const traits: string[] = [];
  if (typeof url === "string") traits.push(`url ${normalizeUrl(url)}`);
  if (typeof name === "string" && typeof provider === "string") {
    traits.push(`name ${provider.toLowerCase()} ${name.trim().toLowerCase()}`);
  }
  return traits;
}

/**
 * A url without what rarely leads to another page: the scheme, `www.`, the case of the host, a
 * trailing slash, the fragment, `utm_*` parameters and percent-encoding.
 */
function normalizeUrl(text: string): string {
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
