/** `catalog sandbox approve`: sets the status of courses in a running sandbox. */
import { attempt, usageError } from "../base/errors.ts";
import { pluralize } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import { DRY_RUN_FLAG, type Flag, nonEmpty, type Typed } from "../cli/arguments.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { COURSE_ARGUMENTS, resolveCourses } from "../cli/course-arguments.ts";
import { printResults, RESULTS } from "../cli/results.ts";
import type { Result } from "../output/diagnostics.ts";
import type { CatalogClient } from "../service/client.ts";

const DEFAULT_STATUS = "approved";

const APPROVE_FLAGS = [
  {
    name: "approve-as",
    value: "<status>",
    parse: nonEmpty,
    description: `set this status (default ${DEFAULT_STATUS})`,
  },
  DRY_RUN_FLAG,
] as const satisfies readonly Flag[];

/** Sends a GET that only a sandbox answers, then a PATCH for each course. */
export const approve = command({
  description: "The sandbox is the one at your base URL. The API itself cannot change a status.",
  arguments: COURSE_ARGUMENTS,
  flags: APPROVE_FLAGS,
  output: RESULTS,
  examples: {
    "Approve a course": "catalog sandbox approve $id",
    "Reject a course": "catalog sandbox approve $id --approve-as rejected",
  },
  run: approveCourses,
});

async function approveCourses(
  { words, approveAs: status = DEFAULT_STATUS, dryRun }: Typed<typeof APPROVE_FLAGS>,
  context: Context,
): Promise<void> {
  const { messages } = context;
  const client = await context.client();
  await requireSandbox(client, context);
  const { courses } = await resolveCourses(words, context);
  const body = Buffer.from(JSON.stringify({ approval_status: status }));
  const results: Result[] = [];
  for (const { id, name, url } of courses) {
    const path = `sandbox/v1/courses?id=${id}`;
    const sent = dryRun ? undefined : await client.raw({ method: "PATCH", path, body });
    const error = sent?.failure;
    if (error !== undefined) await messages.fail(error);
    const outcome = error !== undefined ? "failed" : dryRun ? "planned" : "done";
    results.push({ step: { id, name, url, action: "update" }, status: outcome, error });
  }
  await printResults(results, context);
  const set = results.filter(({ error }) => error === undefined).length;
  const be = dryRun ? "would be" : set === 1 ? "is now" : "are now";
  await messages.info(`${pluralize(set, "course")} ${be} ${status}.`);
}

/** Nothing is ever changed in a real service. @throws CatalogError of kind `usage` */
async function requireSandbox(client: CatalogClient, { settings }: Context): Promise<void> {
  const { status, body } = await client.raw({ method: "GET", path: "sandbox/v1" });
  const value = attempt((): unknown => JSON.parse(body.toString()));
  if (status === 200 && isObject(value) && value.sandbox === "course-catalog-cli") return;
  const baseUrl = (await settings()).get("baseUrl");
  throw usageError(
    `${baseUrl?.value} is not a sandbox; a real service approves courses itself`,
    "Set CATALOG_BASE_URL and CATALOG_API_KEY to the values that the sandbox printed.",
  );
}
