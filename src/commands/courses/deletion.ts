/** What happens before courses are deleted: a confirmation and a backup. */
import { join } from "node:path";
import { writeFileAtomically } from "../../base/atomic-write.ts";
import { CatalogError, usageError } from "../../base/errors.ts";
import { userFolder } from "../../base/folders.ts";
import { pluralize, truncate } from "../../base/text.ts";
import { canAsk, confirm } from "../../command-support/ask.ts";
import type { Context } from "../../command-support/context.ts";
import { STANDARD_INPUT } from "../../command-support/ids.ts";
import type { Course } from "../../course/request-body.ts";

/**
 * Rejects a deletion that cannot be confirmed: `--yes` was not given, and there is no terminal, or
 * standard input is used for data.
 *
 * @param typed the ids or paths; `-` reads standard input
 * @throws CatalogError of kind `usage`
 */
export function requireConfirmableDeletion(
  what: string,
  { yes, typed }: { readonly yes: boolean; readonly typed: readonly string[] },
  context: Context,
): void {
  if (yes || (canAsk(context) && !typed.includes(STANDARD_INPUT))) return;
  throw usageError(
    `${what} needs confirmation, but there is no terminal`,
    "Pass --yes to confirm.",
  );
}

/**
 * Asks before courses are deleted, unless `yes`, then saves them to a file and prints its name.
 *
 * @param cancelled what to report if the answer is no
 * @returns the path of the file
 * @throws CatalogError of kind `usage` if the answer is no, of kind `output` if saving fails
 */
export async function prepareDeletion(
  courses: readonly Course[],
  { yes, cancelled }: { readonly yes: boolean; readonly cancelled: string },
  context: Context,
): Promise<string> {
  if (!yes && !(await confirm(deletionQuestion(courses), context))) {
    throw new CatalogError("usage", cancelled);
  }
  const backup = await writeBackup(courses, context);
  const amount = pluralize(courses.length, "course");
  const them = courses.length === 1 ? "it" : "them";
  await context.messages.important(
    `Backed up ${amount} to ${backup}. To restore ${them}: catalog courses create ${backup}`,
  );
  return backup;
}

const MAX_NAMED = 10;

function deletionQuestion(courses: readonly Course[]): string {
  const names = courses.slice(0, MAX_NAMED).map(({ name, id }) => {
    const text = typeof name === "string" ? name : JSON.stringify(name ?? null);
    return `“${truncate(text)}” (${truncate(id)})`;
  });
  const rest = courses.length > MAX_NAMED ? ` and ${courses.length - MAX_NAMED} more` : "";
  return `Delete ${pluralize(courses.length, "course")}: ${names.join(", ")}${rest}?`;
}

/** Saves complete copies, as `get --json` prints them, to a new file that only its owner can read. */
async function writeBackup(
  courses: readonly Course[],
  { environment, platform, clock }: Context,
): Promise<string> {
  const folder = userFolder("state", environment, platform);
  if (folder === undefined) {
    throw new CatalogError("output", "no folder found for the backup of deleted courses", {
      advice: "Set XDG_STATE_HOME or HOME to a writable folder.",
    });
  }
  const time = new Date(clock.now()).toISOString().replace(/[:.]/g, "-");
  // Two runs in the same millisecond must not share a file.
  const file = join(folder, "deleted", `${time}-${clock.uuid().slice(0, 8)}.json`);
  const content = courses.length === 1 ? courses[0] : courses;
  await writeFileAtomically(file, `${JSON.stringify(content, null, 2)}\n`, { mode: "private" });
  return file;
}
