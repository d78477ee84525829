/** What happens before courses are deleted: a confirmation and a backup. */
import { join } from "node:path";
import { writeFileAtomically } from "../../base/atomic-write.ts";
import { CatalogError, usageError } from "../../base/errors.ts";
import { userFolder } from "../../base/folders.ts";
import { pluralize } from "../../base/text.ts";
import { canConfirm } from "../../command-support/ask.ts";
import type { Context } from "../../command-support/context.ts";
import { STANDARD_INPUT } from "../../command-support/ids.ts";
import type { Course } from "../../course/request-body.ts";
import { confirmDeletion } from "./confirm-deletion.ts";
import type { DeletionScope } from "./deletion-limit.ts";

/**
 * Rejects a deletion that cannot be confirmed: `--yes` was not given, and there is no terminal.
 *
 * @param typed the ids or paths; `-` reads standard input
 * @throws CatalogError of kind `usage`
 */
export function requireConfirmableDeletion(
  what: string,
  { yes, typed }: { readonly yes: boolean; readonly typed: readonly string[] },
  context: Context,
): void {
  if (yes || canConfirm(context, typed.includes(STANDARD_INPUT))) return;
  throw usageError(
    `${what} needs confirmation, but there is no terminal`,
    "Pass --yes to confirm.",
  );
}

/** How a deletion is confirmed. */
interface DeletionOptions {
  readonly yes: boolean;
  /** What to report if the answer is no. */
  readonly cancelled: string;
  /** As in `confirmDeletion`. */
  readonly scope?: DeletionScope;
}

/**
 * Asks before courses are deleted, unless `yes`, then saves them to a file and prints its name.
 *
 * @returns the path of the file
 * @throws CatalogError of kind `usage` if the answer is no, of kind `output` if saving fails
 */
export async function prepareDeletion(
  courses: readonly Course[],
  { yes, cancelled, scope }: DeletionOptions,
  context: Context,
): Promise<string> {
  if (!yes && !(await confirmDeletion(courses, scope, context))) {
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

/** Saves complete copies, as `get --json` prints them, to a new file that only its owner can read. */
async function writeBackup(courses: readonly Course[], context: Context): Promise<string> {
  const { clock } = context;
  const folder = userFolder("state", context);
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
