/** Plans what must change so that the remote courses match the desired ones: pure, and plain data. */
import { type Course, toCreateBody } from "../course/request-body.ts";
import { CourseIndex } from "./identify.ts";
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

/** How the remote courses become like the desired ones. */
export interface PlanOptions {
  /** Whether remote courses of the providers involved that nothing describes are deleted. */
  readonly prune?: boolean;
  /** Whether the courses are complete: fields that they leave out are cleared. */
  readonly complete?: boolean;
}

/** Plans the steps that make the remote courses match the desired ones, which have passed every check. */
export function planSync(
  desired: readonly Located[],
  remote: readonly Course[],
  { prune = false, complete = false }: PlanOptions = {},
): Plan {
  const index = new CourseIndex(remote);
  const steps: Step[] = [];
  const conflicts: Conflict[] = [];
  const adopted: Located[] = [];
  const byId = new Map<string, Located>();
  for (const from of desired) {
    const match = index.match(from.value);
    if ("candidates" in match) {
      conflicts.push({ from, candidates: match.candidates });
      continue;
    }
    const { id, remote } = match;
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
  const deletions = prune ? planDeletions(desired, remote, byId) : [];
  return { steps: [...steps, ...deletions], conflicts, adopted };
}

function planDeletions(
  desired: readonly Located[],
  remote: readonly Course[],
  byId: ReadonlyMap<string, Located>,
): Step[] {
  const providers = new Set(desired.map(({ value }) => String(value.provider_id).toLowerCase()));
  return remote.flatMap((course): Step[] => {
    const { provider_id: provider } = course;
    const id = course.id.toLowerCase();
    const isInvolved = typeof provider === "string" && providers.has(provider.toLowerCase());
    if (!isInvolved || byId.has(id)) return [];
    return [{ action: "delete", id, remote: course, before: course }];
  });
}
