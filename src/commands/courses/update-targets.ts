/** Finds the courses that `update` changes, by the words on the command line or by the ids and keys in files. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "../../base/errors.ts";
import { STANDARD_INPUT } from "../../base/io.ts";
import { pluralize } from "../../base/text.ts";
import { isUuid, type PlainObject } from "../../base/values.ts";
import type { Assignment } from "../../command-support/assignments.ts";
import type { Context } from "../../command-support/context.ts";
import { hasCourseExtension, resolveCourses } from "../../command-support/course-arguments.ts";
import { stopAtErrors } from "../../command-support/course-files.ts";
import { sourceOf } from "../../command-support/located.ts";
import {
  noSuchCourse,
  type ReadCourse,
  readBeforeWriting,
} from "../../command-support/read-courses.ts";
import { readProviders } from "../../command-support/work.ts";
import { EXTERNAL_KEY, PROVIDER_KEY } from "../../course/field-names.ts";
import type { Problem } from "../../course/problem.ts";
import { resolveProvider } from "../../course/provider-ownership.ts";
import { toUpdateBody } from "../../course/request-body.ts";
import { type Diagnostic, placeProblem } from "../../files/diagnostic.ts";
import { chooseId } from "../../sync/course-index.ts";
import type { Located } from "../../sync/step.ts";
import { type DraftSources, loadDrafts, resolveDrafts } from "./drafts.ts";

/** The new values for a course, and the course in the catalog, or why it could not be read. */
export interface UpdateTarget extends ReadCourse {
  readonly from: Located;
}

/** Where the new values come from. The assignments set complete fields. */
interface Sources extends DraftSources {
  /** Whether flags also change each course. */
  readonly isChanged: boolean;
}

/** The courses and the files among words. @param hasFlags whether flags give the new values, so that `-` is a list of courses */
export function splitWords(words: readonly string[], hasFlags: boolean, { folder }: Context) {
  const isFile = (word: string): boolean => {
    if (word === STANDARD_INPUT) return !hasFlags;
    return hasCourseExtension(word) || (!isUuid(word) && existsSync(resolve(folder, word)));
  };
  const paths = words.filter(isFile);
  const courses = words.filter((word) => !isFile(word));
  if (courses.length === 0 || paths.length === 0) return { courses, paths };
  throw usageError(
    "files and courses cannot be combined",
    "A file names its courses itself. To change other courses, run update again.",
  );
}

/** Fields whose new values are checked against the user's providers. */
const OWNED_FIELDS = ["url", "provider_id", PROVIDER_KEY];

/** The courses that words on the command line name. All get the fields of the assignments. */
export async function findTargetsByArgument(
  words: readonly string[],
  assignments: readonly Assignment[],
  context: Context,
): Promise<UpdateTarget[]> {
  // Everything that can be checked without the course is checked before any request.
  const drafts = await loadDrafts({ paths: [], assignments }, "patch", context);
  const found = await resolveCourses(words, context);
  if (found.length === 0) return [];
  const owned = await resolveOwned(drafts, assignments, context);
  return owned.flatMap((from) => found.map(({ id, course }) => ({ id, course, from })));
}

/** Every course in the files, found by its id or key. @throws CatalogError if files or courses cannot be used */
export async function findTargetsInFiles(
  sources: Sources,
  context: Context,
): Promise<UpdateTarget[]> {
  const { assignments, isChanged } = sources;
  const drafts = await loadDrafts(sources, "patch", context);
  const problems: Diagnostic[] = [];
  for (const draft of drafts) {
    const { value } = draft;
    if (typeof value.id === "string" || typeof value[EXTERNAL_KEY] === "string") continue;
    const message = "id and key are missing; update needs one of them to find the course";
    problems.push(await diagnoseRequired(draft, "parent", "id", message));
  }
  await stopAtErrors(problems, [], context);
  if (!isChanged) await noteEmptied(drafts, context);
  const targets: Omit<UpdateTarget, "course">[] = [];
  for (const from of await resolveOwned(drafts, assignments, context)) {
    const id = await findTargetId(from, context);
    const message = "provider is missing; a key belongs to one provider, and you have several";
    if (id !== undefined) targets.push({ id, from });
    else problems.push(await diagnoseRequired(from, "value", EXTERNAL_KEY, message));
  }
  await stopAtErrors(problems, [], context);
  const ids = new Set(targets.map(({ id }) => id));
  const read = await readBeforeWriting([...ids], context);
  const byId = new Map(read.map(({ id, course }) => [id, course]));
  return targets.map(({ id, from }) => ({ id, from, course: byId.get(id) ?? noSuchCourse(id) }));
}

/** How many rows without a change are named; the others are only counted. */
const MAX_EMPTIED = 20;

/** Names the rows that change nothing, because users may expect that an emptied cell clears its field. */
async function noteEmptied(drafts: readonly Located[], { messages }: Context): Promise<void> {
  const emptied = drafts.filter(({ value }) => !changesAny(value));
  for (const draft of emptied.slice(0, MAX_EMPTIED)) {
    const place = await draft.place([]);
    const at = `${place?.file}:${place?.line}:${place?.column}`;
    const what = sourceOf(draft).file.isTable === true ? "row" : "course";
    await messages.info(
      `${at}: this ${what} contains nothing to change. To clear a field, write null.`,
    );
  }
  const rest = emptied.length - MAX_EMPTIED;
  if (rest > 0)
    await messages.info(`… and ${pluralize(rest, "more course")} with nothing to change.`);
}

async function diagnoseRequired(
  from: Located,
  at: Problem["at"],
  field: string,
  message: string,
): Promise<Diagnostic> {
  const problem = { severity: "error", rule: "required", at, path: [field], message } as const;
  return await placeProblem(sourceOf(from), problem);
}

function changesAny(course: PlainObject): boolean {
  return Object.keys(toUpdateBody(course)).length > 0 || course[PROVIDER_KEY] !== undefined;
}

/** The drafts with their providers resolved, if one of them changes the url or the provider. */
async function resolveOwned(
  drafts: readonly Located[],
  assignments: readonly Assignment[],
  context: Context,
): Promise<readonly Located[]> {
  const isOwned = ({ value }: Located): boolean =>
    OWNED_FIELDS.some((field) => value[field] !== undefined);
  if (!drafts.some(isOwned)) return drafts;
  return await resolveDrafts(drafts, assignments, await readProviders(context), context);
}

/** The id of a course. A key without a provider belongs to the default or the only provider; else undefined. */
async function findTargetId(from: Located, context: Context): Promise<string | undefined> {
  const { value } = from;
  if (typeof value.id === "string" || typeof value.provider_id === "string") return chooseId(value);
  const { provider_id: id, [PROVIDER_KEY]: name } = sourceOf(from).defaultValues ?? {};
  const providers = await readProviders(context);
  const only = providers.length === 1 ? { provider_id: providers[0]?.id } : {};
  const given = id === undefined ? only : { provider_id: id };
  const owned = resolveProvider(name === undefined ? given : { [PROVIDER_KEY]: name }, providers);
  return typeof owned.provider_id === "string" ? chooseId({ ...value, ...owned }) : undefined;
}
