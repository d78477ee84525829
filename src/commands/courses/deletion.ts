/** What is asked and kept before courses are deleted (cli.md section 8). */
import { brief, count } from "../../base/text.ts";
import type { Course } from "../../course/wire.ts";
import { backUp } from "../../kit/backup.ts";
import type { Context } from "../../kit/context.ts";

const MOST_NAMED = 10;

/** The question that names what would go. */
export function deletionQuestion(courses: readonly Course[]): string {
  const names = courses.slice(0, MOST_NAMED).map(({ name, id }) => {
    const text = typeof name === "string" ? name : JSON.stringify(name ?? null);
    return `“${brief(text)}” (${brief(id)})`;
  });
  const rest = courses.length > MOST_NAMED ? ` and ${courses.length - MOST_NAMED} more` : "";
  return `Delete ${count(courses.length, "course")}: ${names.join(", ")}${rest}?`;
}

/** Keeps the whole courses in a file, and says in which. @returns the file's path */
export async function keepDeleted(
  courses: readonly Course[],
  context: Pick<Context, "environment" | "platform" | "clock" | "messages">,
): Promise<string> {
  const backup = await backUp(courses, context);
  await context.messages.important(
    `Kept ${count(courses.length, "course")} in ${backup}; "catalog courses create" of that file brings ${courses.length === 1 ? "it" : "them"} back.`,
  );
  return backup;
}
