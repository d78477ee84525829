/** `catalog sandbox approve`: sets the status of courses in a running sandbox. */

import { mapInOrder } from "../base/async.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { pluralize } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import { parseUuid } from "../command-support/arguments.ts";
import type { Context } from "../command-support/context.ts";
import { readCourseWords } from "../command-support/course-arguments.ts";
import { checkResultOptions, type Result, Results } from "../command-support/results.ts";
import { concurrencyOf } from "../command-support/work.ts";
import { parseValue } from "../files/json.ts";
import type { CatalogClient } from "../service/client.ts";
import type { ApproveOptions } from "./sandbox-options.ts";

/** Sends a GET that only a sandbox answers, then a PATCH for each id. */
export async function approve({ ids: typed, status }: ApproveOptions, context: Context) {
  checkResultOptions(context);
  const words = await readCourseWords(typed, context);
  const ids = words.map((word) => parseUuid(word, "the course id"));
  if (ids.length === 0) return await new Results(context).end();
  const client = await context.client();
  await requireSandbox(client, context);
  const body = Buffer.from(JSON.stringify({ approval_status: status }));
  const results = new Results(context);
  for await (const result of mapInOrder(ids, await concurrencyOf(context), approveOne)) {
    await results.add(result);
  }
  await results.end();
  const { counts } = results;
  const text = `Set to ${status}: ${pluralize(counts.done, "course")}.`;
  await context.messages.info(text, { counts });

  async function approveOne(id: string): Promise<Result> {
    const path = `sandbox/v1/courses?id=${id}`;
    const { failure } = await client.raw({ method: "PATCH", path, body });
    if (failure === undefined) return { id, action: "update", status: "done" };
    const missing = `the sandbox has no course ${id} for this key`;
    const error = failure.kind === "missing" ? new CatalogError("missing", missing) : failure;
    return { id, action: "update", status: "failed", error };
  }
}

/** Nothing is ever written to a real service. @throws CatalogError of kind `usage` */
async function requireSandbox(client: CatalogClient, { settings }: Context): Promise<void> {
  const { status, body } = await client.raw({ method: "GET", path: "sandbox/v1" });
  const value = parseValue(Buffer.from(body).toString("utf8")).value;
  if (status === 200 && isObject(value) && value.sandbox === "course-catalog-cli") return;
  const { baseUrl } = await settings();
  throw usageError(
    `${baseUrl?.value} is not a sandbox, and only a sandbox lets you approve courses`,
    "Set CATALOG_BASE_URL and CATALOG_API_KEY as the sandbox printed them.",
  );
}
