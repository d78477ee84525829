/** Asks on a terminal before courses are deleted. */
import { escapeName, formatNumber, pluralize, truncate } from "../../base/text.ts";
import { askText, confirm } from "../../command-support/ask.ts";
import type { Context } from "../../command-support/context.ts";
import type { Course } from "../../course/request-body.ts";
import { type DeletionScope, describeScope } from "./deletion-limit.ts";

const MAX_NAMED = 5;

/**
 * Names the courses, and asks whether to delete them. More than five of the courses of providers
 * must be confirmed by typing their number.
 *
 * @param scope the courses among which a push deletes; absent for courses that the user has named
 */
export async function confirmDeletion(
  courses: readonly Course[],
  scope: DeletionScope | undefined,
  context: Context,
): Promise<boolean> {
  for (const line of nameCourses(courses)) await context.messages.important(line);
  if (scope === undefined)
    return await confirm(`Delete ${pluralize(courses.length, "course")}?`, context);
  const question = `Delete ${formatNumber(courses.length)} of ${describeScope(scope)}?`;
  if (courses.length <= MAX_NAMED) return await confirm(question, context);
  const number = String(courses.length);
  const text = `${question} Type ${number} to confirm:`;
  // The prompt does not mask what the service has said.
  const message = escapeName(context.io.err.mask?.(text) ?? text);
  // Any other answer is a no.
  return (await askText({ message }, () => true, context)).trim() === number;
}

function nameCourses(courses: readonly Course[]): string[] {
  const lines = courses.slice(0, MAX_NAMED).map(({ name, id }) => {
    const text = typeof name === "string" ? name : JSON.stringify(name ?? null);
    return escapeName(`- ${truncate(text)} (${truncate(id)})`);
  });
  const rest = courses.length - MAX_NAMED;
  return rest > 0 ? [...lines, `and ${formatNumber(rest)} more`] : lines;
}
