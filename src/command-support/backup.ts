/** Keeps what is about to be deleted (cli.md section 8). */
import { join } from "node:path";
import { writePrivateFile } from "../base/atomic.ts";
import type { Environment } from "../base/environment.ts";
import { CatalogError } from "../base/errors.ts";
import { userFolder } from "../base/user-folder.ts";
import type { Course } from "../course/wire.ts";
import type { Context } from "./context.ts";

function stateFolder(environment: Environment, platform: NodeJS.Platform): string {
  const folder = userFolder("state", environment, platform);
  if (folder !== undefined) return folder;
  throw new CatalogError("output", "there is no place for the backup of what is deleted", {
    advice: "Set XDG_STATE_HOME or HOME to a folder that can be written.",
  });
}

/**
 * Writes the whole courses, as `get --json` prints them, to a new file that only its owner may
 * read, from which `create` brings them back. @returns the file's path
 */
export async function backUp(
  courses: readonly Course[],
  context: Pick<Context, "environment" | "platform" | "clock">,
): Promise<string> {
  const folder = join(stateFolder(context.environment, context.platform), "deleted");
  const time = new Date(context.clock.now()).toISOString().replace(/[:.]/g, "-");
  // Two runs in one millisecond must not share a file.
  const file = join(folder, `${time}-${context.clock.uuid().slice(0, 8)}.json`);
  const whole = courses.length === 1 ? courses[0] : courses;
  await writePrivateFile(file, `${JSON.stringify(whole, null, 2)}\n`);
  return file;
}
