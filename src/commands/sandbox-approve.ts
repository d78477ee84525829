/** `catalog sandbox approve`: sets the status of courses in a running sandbox. */
import { mapInOrder } from "../base/async.ts";
import { attempt, usageError } from "../base/errors.ts";
import { pluralize } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import { DRY_RUN_FLAG, type Flag, nonEmpty } from "../cli/arguments.ts";
import { command, SERVICE_EXITS } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { COURSE_ARGUMENTS, parseCourses, resolveCourses } from "../cli/course-arguments.ts";
import { openResults, RESULTS, type Result } from "../cli/results.ts";
import type { Course } from "../course/request-body.ts";
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
  description:
    "The sandbox is the one at your base URL. In the real service, its team approves courses.",
  arguments: COURSE_ARGUMENTS,
  flags: APPROVE_FLAGS,
  output: RESULTS,
  examples: {
    "Approve a course": "catalog sandbox approve $id",
    "Reject a course": "catalog sandbox approve $id --approve-as rejected",
  },
  exits: [...SERVICE_EXITS, 5],
  parse: ({ values: { approveAs: status = DEFAULT_STATUS, dryRun }, ...words }) => ({
    typed: parseCourses(words),
    status,
    dryRun,
  }),
  run: approveCourses,
});

interface ApproveOptions {
  /** Words that name courses, and perhaps `-`. */
  readonly typed: readonly string[];
  readonly status: string;
  readonly dryRun: boolean;
}

async function approveCourses({ typed, status, dryRun }: ApproveOptions, context: Context) {
  const client = await context.client();
  await requireSandbox(client, context);
  const courses = await resolveCourses(typed, context);
  const body = Buffer.from(JSON.stringify({ approval_status: status }));
  const { concurrency } = await context.settings();
  const results = await openResults(context);
  let set = 0;
  for await (const result of mapInOrder(courses, concurrency.value, approveOne)) {
    if (result.error !== undefined) await context.messages.fail(result.error);
    await results.add(result);
    if (result.status !== "failed") set++;
  }
  await results.end();
  const what = set === 0 ? "no course" : pluralize(set, "course");
  await context.messages.info(`${dryRun ? "Would set" : "Set"} ${what} to ${status}.`);

  async function approveOne({ id, name, url }: Course): Promise<Result> {
    const step = { id, name, url, action: "update" } as const;
    if (dryRun) return { step, status: "planned" };
    const path = `sandbox/v1/courses?id=${id}`;
    const { failure: error } = await client.raw({ method: "PATCH", path, body });
    return { step, status: error === undefined ? "done" : "failed", error };
  }
}

/** Nothing is ever changed in a real service. @throws CatalogError of kind `usage` */
async function requireSandbox(client: CatalogClient, { settings }: Context): Promise<void> {
  const { status, body } = await client.raw({ method: "GET", path: "sandbox/v1" });
  const value = attempt((): unknown => JSON.parse(body.toString()));
  if (status === 200 && isObject(value) && value.sandbox === "course-catalog-cli") return;
  const { baseUrl } = await settings();
  throw usageError(
    `${baseUrl?.value} is not a sandbox; a real service approves courses itself`,
    "Set CATALOG_BASE_URL and CATALOG_API_KEY to the values that the sandbox printed.",
  );
}
