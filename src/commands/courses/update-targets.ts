/** Finds the courses that `update` changes, by the words on the command line or by the ids and keys in files. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { CatalogError, usageError } from "../../base/errors.ts";
import { STANDARD_INPUT, STDIN_NAME } from "../../base/io.ts";
import { pluralize } from "../../base/text.ts";
import { isUuid, type PlainObject } from "../../base/values.ts";
import type { Assignment } from "../../command-support/assignments.ts";
import type { Context } from "../../command-support/context.ts";
import { looksLikeFile, resolveCourses } from "../../command-support/course-arguments.ts";
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
import { isWorkbook } from "../../files/content.ts";
import { readStreamBytes } from "../../files/decode.ts";
import { type Diagnostic, placeProblem } from "../../files/diagnostic.ts";
import { decodeTable } from "../../files/encodings.ts";
import { looksLikeCourses } from "../../files/parse.ts";
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

/** Reads standard input. @returns a context that can read it again, and whether it contains fields and not only ids */
export async function peekInput(encoding: string | undefined, context: Context) {
  const { io } = context;
  const bytes = await readStreamBytes(STDIN_NAME, io.in.stream);
  const input = { ...io.in, stream: Readable.from([bytes]) };
  return {
    context: { ...context, io: { ...io, in: input } },
    hasFields: isWorkbook(bytes) || looksLikeCourses(decodeTable(bytes, encoding).text),
  };
}

/** The courses and the files among words. @param hasFields whether a first `-` is a file with fields, not a list of ids */
export function splitWords(words: readonly string[], hasFields: boolean, { folder }: Context) {
  const isCourse = (word: string, index: number): boolean => {
    if (word === STANDARD_INPUT) return index === 0 && !hasFields;
    return isUuid(word) || !(existsSync(resolve(folder, word)) || looksLikeFile(word));
  };
  const courses = words.filter(isCourse);
  const paths = words.filter((word, index) => !isCourse(word, index));
  if (courses.length === 0 || paths.length <= 1) return { courses, paths };
  throw usageError(
    "with a course on the command line, update accepts only one file",
    "To update every course in the files by its id or key, omit the course.",
  );
}

/** Fields whose new values are checked against the user's providers. */
const OWNED_FIELDS = ["url", "provider_id", PROVIDER_KEY];

/**
 * The courses that words on the command line name. All get the fields of the one course in the file.
 * @param forChange what is asked before a course given by name is used; undefined in a dry run
 */
export async function findTargetsByArgument(
  words: readonly string[],
  sources: Sources,
  forChange: { readonly verb: string; readonly yes: boolean } | undefined,
  context: Context,
): Promise<UpdateTarget[]> {
  // Everything that can be checked without the remote course is checked before any request.
  const { assignments } = sources;
  const [draft, ...others] = await loadDrafts(sources, "patch", context);
  if (draft === undefined) throw usageError("nothing to change: the file contains no course");
  if (others.length > 0) throw severalCourses(draft, others.length + 1);
  const { file } = draft;
  if (!sources.isChanged && file !== undefined && !changesAny(draft.value)) {
    const advice = "Add the fields that change. To clear a field, write null.";
    throw new CatalogError("file", `${file} contains nothing to change`, { file, advice });
  }
  await requireSameId(draft, words.filter(isUuid));
  const found = await resolveCourses(words, { forChange }, context);
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  await requireSameId(draft, ids);
  const [from = draft] = await resolveOwned([draft], assignments, context);
  return found.map(({ id, course }) => ({ id, course, from }));
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

function severalCourses({ file }: Located, count: number): CatalogError {
  const message = `${file} contains ${pluralize(count, "course")}, but a course on the command line needs exactly one`;
  const advice = "To update every course in the file by its id or key, omit the course.";
  return new CatalogError("file", message, { file, advice });
}

async function requireSameId(draft: Located, ids: readonly string[]): Promise<void> {
  const { id } = draft.value;
  const ownId = typeof id === "string" ? id.toLowerCase() : undefined;
  const place = await draft.place(["id"]);
  const isSame = (each: string): boolean => each.toLowerCase() === ownId;
  if (place === undefined || ownId === undefined || ids.every(isSame)) return;
  const { file, line, column } = place;
  const message = "the id in the file differs from the id on the command line";
  const advice = "Remove the id from the file, or pass the same id.";
  throw new CatalogError("file", message, { file, line, column, rule: "other-id", advice });
}
