/** What is asked and kept before courses are deleted (cli.md section 8). */
import { pluralize, truncate } from "../../base/text.ts";
import { backUp } from "../../command-support/backup.ts";
import type { Context } from "../../command-support/context.ts";
import type { Course } from "../../course/wire.ts";

const MOST_NAMED = 10;

/** The question that names what would go. */
export function deletionQuestion(courses: readonly Course[]): string {
  const names = courses.slice(0, MOST_NAMED).map(({ name, id }) => {
    const text = typeof name === "string" ? name : JSON.stringify(name ?? null);
    return `“${truncate(text)}” (${truncate(id)})`;
  });
  const rest = courses.length > MOST_NAMED ? ` and ${courses.length - MOST_NAMED} more` : "";
  return `Delete ${pluralize(courses.length, "course")}: ${names.join(", ")}${rest}?`;
}

/** Keeps the whole courses in a file, and says in which. @returns the file's path */
export async function keepDeleted(
  courses: readonly Course[],
  context: Pick<Context, "environment" | "platform" | "clock" | "messages">,
): Promise<string> {
  const backup = await backUp(courses, context);
  await context.messages.important(
    `Kept ${pluralize(courses.length, "course")} in ${backup}; "catalog courses create" of that file brings ${courses.length === 1 ? "it" : "them"} back.`,
  );
  return backup;
}
