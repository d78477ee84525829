/** Saves courses to a file before they are deleted. */
import { join } from "node:path";
import { writeFileAtomically } from "../base/atomic-write.ts";
import { CatalogError } from "../base/errors.ts";
import { userFolder } from "../base/folders.ts";
import type { Course } from "../course/wire.ts";
import type { Context } from "./context.ts";

/**
 * Saves the complete courses, as `get --json` prints them, to a new file that only its owner can
 * read, and from which `create` restores them.
 *
 * @returns the file's path
 * @throws CatalogError of kind `output` if it cannot be written
 */
export async function backUp(
  courses: readonly Course[],
  { environment, platform, clock }: Pick<Context, "environment" | "platform" | "clock">,
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
