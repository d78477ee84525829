/** Writes plans to files, reads them back, and checks whether their steps still apply. */
import { resolve } from "node:path";
import { writeFileAtomically } from "../base/atomic-write.ts";
import { isSameBaseUrl } from "../base/credentials.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { escapeName, quoteShell, truncateJson } from "../base/text.ts";
import { checkStep, type Obstacle } from "../core/check.ts";
import { readRecord } from "../core/history.ts";
import type { CourseIndex } from "../core/identify.ts";
import { formatPlan, makeHeader, type RecordHeader, type RunRecord } from "../core/record.ts";
import { addRisks } from "../core/risks.ts";
import { isWrite, refuseStep, type Step, type Write } from "../core/step.ts";
import { courseLabel } from "../course/course-label.ts";
import { type Flag, newFile, nonEmpty } from "./arguments.ts";
import type { DeletionScope } from "./confirm.ts";
import type { Context } from "./context.ts";
import { describeRun } from "./record.ts";

export const OUT_FLAG = {
  name: "out",
  value: "<file>",
  parse: newFile,
  description: "save the plan to a file, for push --plan",
} as const satisfies Flag;

export const PLAN_FLAG = {
  name: "plan",
  value: "<file>",
  parse: nonEmpty,
} as const satisfies Omit<Flag, "description">;

/** Writes the steps that send something. @throws CatalogError of kind `output` */
export async function savePlan(
  file: string,
  { steps, scope }: { readonly steps: readonly Step[]; readonly scope: DeletionScope },
  context: Context,
): Promise<void> {
  const { clock, folder, messages } = context;
  const now = clock.now();
  const facts = { ...(await describeRun(context)), scope };
  const head = makeHeader("plan", new Date(now).toISOString(), now, facts);
  const text = await formatPlan(head, steps.filter(isWrite));
  await writeFileAtomically(resolve(folder, file), text, { name: file });
  await messages.info(
    `Wrote the plan to ${file}. To apply it: catalog courses push --plan ${quoteShell(file)}`,
  );
}

/** A plan that was read. */
export interface LoadedPlan {
  readonly header: RecordHeader;
  readonly steps: readonly Write[];
  readonly scope: DeletionScope;
}

const NEW_PLAN = "Make a new plan. For example: catalog courses diff courses/ --out plan.ndjson";

/** Reads a plan that `savePlan` wrote. @throws CatalogError if it is missing, damaged or not a plan */
export function loadPlan(file: string, { folder }: Pick<Context, "folder">): LoadedPlan {
  let record: RunRecord;
  try {
    record = readRecord(resolve(folder, file), file);
  } catch (thrown) {
    if (!(thrown instanceof CatalogError)) throw thrown;
    if (thrown.facts.code !== "ENOENT") throw thrown.with({ advice: NEW_PLAN });
    // The plan is a file that the command needs, as course files are.
    throw new CatalogError("file", `no such file: ${file}`, { advice: NEW_PLAN });
  }
  const { header, steps } = record;
  if (header.catalog !== "plan") {
    throw usageError(
      `${file} is the record of a run, not a plan`,
      `To undo the run: catalog undo ${quoteShell(file)}`,
    );
  }
  const scope = header.scope ?? { courses: 0, providers: [] };
  return { header, scope, steps: steps.map(({ step }) => nameAfter(step)) };
}

/** An update with the name and the url that the course will have; the file has those that it had. */
function nameAfter(step: Write): Write {
  if (step.action !== "update") return step;
  const { name = step.name, url = step.url } = step.body;
  return { ...step, name, url };
}

/** Requires that a plan or record is for the base URL and the account in effect. @throws CatalogError */
export async function requireSameService(
  { baseUrl, account }: Pick<RecordHeader, "baseUrl" | "account">,
  what: string,
  { settings, providers }: Context,
): Promise<void> {
  const current = (await settings()).baseUrl?.value;
  if (current !== undefined && !isSameBaseUrl(baseUrl, current)) {
    throw usageError(
      `${what} is for ${escapeName(baseUrl)}, but the base URL is ${current}`,
      `Pass --base-url ${escapeName(baseUrl)}, or --profile with a profile for that service.`,
    );
  }
  const own = new Set((await providers()).map(({ id }) => id.toLowerCase()));
  if (account.length === 0 || account.some((id) => own.has(id))) return;
  throw usageError(
    `${what} is for another account than this API key`,
    "Use the API key of that account.",
  );
}

/** The steps of a plan for the courses as they are now; refused where a course was changed since. */
export async function checkPlan(
  steps: readonly Write[],
  present: CourseIndex,
): Promise<readonly Step[]> {
  const checked = steps.map((step) => {
    const found = checkStep(step, present, { isComplete: true });
    return "action" in found ? found : refuseStale(step, found);
  });
  return addRisks(await Promise.all(checked));
}

async function refuseStale(step: Write, obstacle: Obstacle): Promise<Step> {
  const message = `did not ${step.action} ${courseLabel(step)}, because ${reasonOf(obstacle, step.url)}`;
  const place = await step.from?.place([]);
  const error = new CatalogError("stale", message, { ...place, rule: "stale", advice: NEW_PLAN });
  return refuseStep(step, step.action, error, "skipped");
}

function reasonOf(obstacle: Obstacle, url: unknown): string {
  if (obstacle.reason === "gone") return "it no longer exists";
  if (obstacle.reason === "taken") {
    return `another course has the url ${url} now: ${obstacle.other.id}`;
  }
  const changed = obstacle.fields.map(
    ({ name, expected, now }) =>
      `${name} was ${truncateJson(expected)} in the plan and is now ${truncateJson(now)}`,
  );
  return obstacle.reason === "exists"
    ? `a course with this id exists now: ${changed.join("; ")}`
    : `it changed after the plan was made: ${changed.join("; ")}`;
}
