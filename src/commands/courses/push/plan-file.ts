/** Writes plans to files, reads them back, and describes why a step of a plan no longer applies. */
import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { requireRegular, writeFileAtomically } from "../../../base/atomic-write.ts";
import { isSameBaseUrl } from "../../../base/credentials.ts";
import { CatalogError, systemCode, systemReason, usageError } from "../../../base/errors.ts";
import { readRegular } from "../../../base/open-file.ts";
import { quoteShell, safeJson, truncateJson } from "../../../base/text.ts";
import { formatPath } from "../../../base/values.ts";
import { type Flag, newFile, nonEmpty } from "../../../command-support/arguments.ts";
import type { Context } from "../../../command-support/context.ts";
import { requirePaths } from "../../../command-support/course-files.ts";
import { countSteps } from "../../../command-support/show-steps.ts";
import { courseLabel } from "../../../output/plan.ts";
import type { Obstacle } from "../../../sync/preconditions.ts";
import {
  PLAN_VERSION,
  readSavedPlan,
  restoreStep,
  type SavedPlan,
  type SavedStep,
  saveStep,
} from "../../../sync/saved-plan.ts";
import {
  describeCourse,
  isWrite,
  refuseStep,
  type StepTo,
  type WriteStep,
} from "../../../sync/step.ts";
import type { PushPlan } from "./plan-push.ts";

export const OUT_FLAG = {
  name: "out",
  value: "<file>",
  completes: "file",
  parse: newFile,
  description: "save the plan to a file, for push --plan",
} as const satisfies Flag;

export const PLAN_FLAG = {
  name: "plan",
  value: "<file>",
  completes: "file",
  parse: nonEmpty,
  // These flags decide what a plan contains, and the plan exists already.
  excludes: ["prune", "complete", "base", "on-drift", "provider", "out", "write-ids"],
} as const satisfies Omit<Flag, "description">;

/** Requires files, providers without files, or a plan. @throws CatalogError of kind `usage` */
export function requireOneSource(
  {
    paths,
    plan,
    provider,
  }: {
    readonly paths: readonly string[];
    readonly plan: string | undefined;
    readonly provider: readonly string[];
  },
  command: "diff" | "push",
): void {
  if (plan === undefined) {
    if (provider.length === 0) requirePaths(paths, command, "--plan <file>");
  } else if (paths.length > 0) {
    throw usageError(
      "--plan cannot be combined with paths",
      "Omit the paths: a plan already contains the courses.",
    );
  }
}

/** Checks that `--out` can be written before anything is read. @throws CatalogError of kind `output` */
export function checkPlanFile(file: string | undefined, { folder }: Context): void {
  if (file === undefined) return;
  requireRegular(file, resolve(folder, file));
}

/** Writes the steps that send something, each on its own line. @throws CatalogError of kind `output` */
export async function savePlan(
  file: string,
  { steps, scope, maxDeletes, target }: Pick<PushPlan, "steps" | "scope" | "maxDeletes" | "target">,
  context: Context,
): Promise<void> {
  const { clock, folder, messages, settings } = context;
  const saved: SavedStep[] = [];
  for (const step of steps) {
    if (isWrite(step)) saved.push(saveStep(step, await step.from?.line()));
  }
  const head = {
    formatVersion: PLAN_VERSION,
    createdAt: new Date(clock.now()).toISOString(),
    baseUrl: (await settings()).baseUrl?.value ?? "",
    ...{ target, maxDeletes, scope },
    counts: countSteps(steps),
  };
  const lines = saved.map((step) => safeJson(step));
  const list = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n]`;
  const text = `${safeJson(head, 2).slice(0, -2)},\n  "steps": ${list}\n}\n`;
  await writeFileAtomically(resolve(folder, file), text, { name: file });
  await messages.info(
    `Wrote the plan to ${file}. To apply it: catalog courses push --plan ${quoteShell(file)}`,
  );
}

/** The largest plan that is read, in bytes: larger than a plan of a hundred thousand courses. */
const MAX_BYTES = 512 * 1024 * 1024;

type LoadedPlan = Omit<SavedPlan, "steps"> & { readonly steps: readonly WriteStep[] };

/** Reads a plan that `savePlan` wrote. @throws CatalogError if it is missing, damaged or of another version */
export function loadPlan(file: string, { folder }: Pick<Context, "folder">): LoadedPlan {
  const value = parseText(file, readText(file, resolve(folder, file)));
  const read = readSavedPlan(value);
  if ("problem" in read) {
    throw damaged(file, `${formatPath(read.path) || "the file"} ${read.problem}`);
  }
  return { ...read.value, steps: read.value.steps.map(restoreStep) };
}

const NEW_PLAN = "Make a new plan. For example: catalog courses diff courses/ --out plan.json";

/** Requires that the plan was made for the base URL in effect. @throws CatalogError of kind `usage` */
export async function requireSameService(
  { baseUrl }: Pick<LoadedPlan, "baseUrl">,
  { settings }: Context,
): Promise<void> {
  const current = (await settings()).baseUrl?.value;
  if (current === undefined || isSameBaseUrl(baseUrl, current)) return;
  const names = [baseUrl, current].map((url) => JSON.stringify(url));
  throw usageError(
    `the plan is for ${names[0]}, but the base URL is ${names[1]}`,
    `Make a new plan for this service, or pass --base-url ${baseUrl}.`,
  );
}

/** The refused step for a step of a plan that no longer applies. @param obstacle why it does not */
export function refuseStale(step: WriteStep, obstacle: Obstacle): StepTo<"refused"> {
  const { name, url } = describeCourse(step);
  const label = courseLabel({ id: step.id, name });
  const message = `did not ${step.action} ${label}, because ${reasonOf(obstacle, url)}`;
  const error = new CatalogError("refused", message, { rule: "stale", advice: NEW_PLAN });
  return refuseStep(step, step.action, error);
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

function parseText(file: string, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Values that overflow the stack here would do so later, after requests were sent.
    JSON.stringify(value);
    return value;
  } catch (cause) {
    const isDeep = cause instanceof RangeError;
    throw damaged(file, isDeep ? "values are nested too deeply" : "it is not valid JSON");
  }
}

function readText(file: string, path: string): string {
  let bytes: ReturnType<typeof readRegular>;
  try {
    bytes = readRegular(path, MAX_BYTES);
  } catch (cause) {
    const isAbsent = systemCode(cause) === "ENOENT";
    const reason = isAbsent ? "no such file" : systemReason(cause);
    const advice = isAbsent ? { advice: NEW_PLAN } : {};
    throw new CatalogError("file", `cannot read the plan ${file}: ${reason}`, advice);
  }
  if (bytes === "not-regular") throw usageError(`the plan ${file} is not a regular file`);
  if (bytes === "too-large") throw usageError(`the plan ${file} is larger than 512 MiB, the limit`);
  // Replacement characters would be sent in place of the text that was reviewed.
  if (!isUtf8(bytes)) throw damaged(file, "it is not UTF-8 text");
  return bytes.toString();
}

function damaged(file: string, problem: string): CatalogError {
  const message = `the plan ${file} cannot be read: ${problem}`;
  return new CatalogError("usage", message, { file, advice: NEW_PLAN });
}
