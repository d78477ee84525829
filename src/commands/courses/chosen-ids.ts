/** Writes the ids of courses into the files that lack them (cli.md section 8, `--write-ids`). */
import { resolve } from "node:path";
import { asCatalogError } from "../../base/errors.ts";
import { pluralize } from "../../base/text.ts";
import { isObject } from "../../base/values.ts";
import type { Context } from "../../command-support/context.ts";
import { type ChosenId, writeIds } from "../../files/edit.ts";
import { type SourceFile, STDIN_NAME } from "../../files/read.ts";
import type { WantedStep } from "./plan-push.ts";

/** Puts the id of each step's course into its file, where that gives none. Failures are told. */
export async function writeChosenIds(
  steps: readonly WantedStep[],
  { folder, messages }: Pick<Context, "folder" | "messages">,
): Promise<void> {
  const byFile = new Map<SourceFile, ChosenId[]>();
  for (const step of steps) {
    if (step.action === "delete") continue;
    const { file, value } = step.item.source;
    if (!isObject(value) || typeof value.id === "string") continue;
    const course = file.courses.indexOf(step.item.source);
    const chosen = { course, url: String(value.url), id: step.id };
    byFile.set(file, [...(byFile.get(file) ?? []), chosen]);
  }
  let written = 0;
  for (const [{ name }, ids] of byFile) {
    try {
      if (name === STDIN_NAME) {
        await messages.warn("standard input keeps no ids");
        continue;
      }
      await writeIds({ name, path: resolve(folder, name) }, ids);
      written += ids.length;
    } catch (thrown) {
      await messages.fail(asCatalogError(thrown));
    }
  }
  if (written > 0) await messages.info(`Wrote ${pluralize(written, "id")} into the files.`);
}
