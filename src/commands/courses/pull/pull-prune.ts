/** `pull --prune`: removes the files of courses that no longer exist. */
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { writeError } from "../../../base/atomic-write.ts";
import { CatalogError } from "../../../base/errors.ts";
import { listSome, pluralize } from "../../../base/text.ts";
import { isUuid } from "../../../base/uuid.ts";
import { addTo, isObject } from "../../../base/values.ts";
import { canConfirm, confirm, requireConfirmable } from "../../../command-support/ask.ts";
import type { Context } from "../../../command-support/context.ts";
import { readById } from "../../../command-support/read-courses.ts";
import type { LoadedFile } from "../../../files/load.ts";
import { readCourseFile, type SourceCourse } from "../../../files/read.ts";
import type { PlanEntry } from "../../../output/plan.ts";
import { type ExistingFiles, writtenValue } from "../existing-files.ts";
import { showEntries } from "../push/show-plan.ts";
import type { PullItem } from "./pull-files.ts";

/** A file that describes exactly one course, which no longer exists. */
export interface Leftover {
  readonly id: string;
  readonly file: LoadedFile;
  readonly source: SourceCourse;
}

/** Finds the files to remove. Every id is looked up: a filter or a changing listing may lack it. */
export async function findLeftovers(
  { courses }: ExistingFiles,
  items: readonly PullItem[],
  context: Context,
): Promise<Leftover[]> {
  const matched = new Set(items.map(({ match }) => match?.file));
  const candidates = new Map<string, Pick<Leftover, "file" | "source">[]>();
  for (const { file, source, described } of courses) {
    const id = String(described.id).toLowerCase();
    if (matched.has(file) || file.courses.length !== 1 || !isUuid(id)) continue;
    addTo(candidates, id, { file, source });
  }
  const leftovers: Leftover[] = [];
  for await (const { id, course } of readById([...candidates.keys()], context)) {
    if (!(course instanceof CatalogError)) continue;
    if (course.kind !== "missing") throw course;
    for (const found of candidates.get(id) ?? []) leftovers.push({ id, ...found });
  }
  return leftovers;
}

/** Asks before files are removed, or names them. Throws if the removal is not confirmed. */
export async function confirmRemoval(
  leftovers: readonly Leftover[],
  { yes, dryRun }: { readonly yes: boolean; readonly dryRun: boolean },
  context: Context,
): Promise<void> {
  if (leftovers.length === 0) return;
  const isNamed = yes || dryRun || !canConfirm(context);
  if (isNamed && context.options.format === undefined) {
    await showEntries(leftovers.map(toEntry), context);
  }
  if (yes || dryRun) return;
  const amount = pluralize(leftovers.length, "file");
  requireConfirmable(`removing ${amount}`, context);
  const listed = listSome(leftovers.map(({ file }) => file.name));
  const whose =
    leftovers.length === 1 ? "a course that no longer exists" : "courses that no longer exist";
  const question = `Remove ${amount} of ${whose}: ${listed}?`;
  if (!(await confirm(question, context))) {
    throw new CatalogError("usage", "nothing was written: cancelled");
  }
}

function toEntry({ id, file, source: { value } }: Leftover): PlanEntry {
  const name = isObject(value) ? value.name : null;
  return { action: "delete", id, name, file: file.name, changes: [] };
}

/** Removes a file. @throws CatalogError of kind `output` if it has changed or cannot be removed */
export async function removeLeftover(
  { file }: Leftover,
  { folder }: Pick<Context, "folder">,
): Promise<void> {
  const path = resolve(folder, file.name);
  const now = await readCourseFile({ name: file.name, path });
  const isSame = isDeepStrictEqual(
    now.courses.map(({ value }) => value),
    file.courses.map(writtenValue),
  );
  if (!isSame) {
    throw new CatalogError("output", `${file.name} has changed since it was read`, {
      file: file.name,
    });
  }
  await rm(path).catch((cause: unknown) => {
    throw writeError(file.name, cause);
  });
}
