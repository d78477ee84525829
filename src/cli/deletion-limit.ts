/** Limits how many courses or files a run deletes. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { escapeName, formatNumber, joinList, pluralize } from "../base/text.ts";
import { type DeletionLimit, parseLimit } from "../settings/deletion-limit.ts";
import type { Flag } from "./arguments.ts";
import type { Context } from "./context.ts";

export const MAX_DELETES_FLAG = {
  name: "max-deletes",
  value: "<n or p%>",
  parse: (text, flag) => parseLimit(text, `--${flag}`),
  description:
    "with --prune: refuse to delete more than this (default: 5 or 10%, whichever is larger)",
} as const satisfies Flag;

/**
 * The error of more deletions than the limit; undefined within it.
 *
 * @param of all courses or files, which `what` names: `the 300 courses of Example Academy`
 * @param limit the value of the flag
 */
export async function refuseDeletions(
  deletions: number,
  of: number,
  what: string,
  limit: DeletionLimit | undefined,
  { settings }: Context,
): Promise<CatalogError | undefined> {
  const most = (limit ?? (await settings()).maxDeletes.value).of(of);
  if (deletions <= most) return undefined;
  return usageError(
    `this would delete ${formatNumber(deletions)} of ${what}; the limit is ${formatNumber(most)}`,
    `If you mean it, pass --max-deletes ${deletions}.`,
  );
}

/** The courses of the providers that the files name, among which a run may delete. */
export interface DeletionScope {
  readonly courses: number;
  readonly providers: string[];
}

/** How many providers are named; more are only counted. */
const NAMED = 5;

/** `the 300 courses of Example Academy`, or `the 300 courses of 6 providers` */
export function describeScope({ courses, providers }: DeletionScope): string {
  const names =
    providers.length > NAMED
      ? pluralize(providers.length, "provider")
      : joinList(providers.map(escapeName), "and");
  return `the ${pluralize(courses, "course")}${names === "" ? "" : ` of ${names}`}`;
}
