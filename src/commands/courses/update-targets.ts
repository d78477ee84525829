/** Finds the courses that `update` changes: by the ids on the command line, or by those in files. */
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
import { resolveProvider } from "../../course/ownership.ts";
import type { Problem } from "../../course/problem.ts";
import { toUpdateBody } from "../../course/request-body.ts";
import { isWorkbook } from "../../files/content.ts";
import { readStreamBytes } from "../../files/decode.ts";
import { type Diagnostic, placeProblem } from "../../files/diagnostic.ts";
import { decodeTable } from "../../files/encodings.ts";
import { looksLikeCourses } from "../../files/parse.ts";
import { chooseId } from "../../sync/identify.ts";
import type { Located } from "../../sync/step.ts";
import { type DraftSources, loadDrafts, resolveDrafts } from "./drafts.ts";

/** The fields that are given for a course, and the course itself, or why it could not be read. */
export interface UpdateTarget extends ReadCourse {
  readonly from: Located;
}

/** Where the new values of fields come from; the assignments are of complete fields. */
interface Sources extends DraftSources {
  /** Whether flags change each course. */
  readonly isChanged: boolean;
}

/** A context whose standard input can still be read, and whether that has courses with their fields. */
export async function peekInput(
  encoding: string | undefined,
  context: Context,
): Promise<{ readonly context: Context; readonly hasFields: boolean }> {
  const { io } = context;
  const bytes = await readStreamBytes(STDIN_NAME, io.in.stream);
  const input = { ...io.in, stream: Readable.from([bytes]) };
  return {
    context: { ...context, io: { ...io, in: input } },
    hasFields: isWorkbook(bytes) || looksLikeCourses(decodeTable(bytes, encoding).text),
  };
}

/**
 * The courses and the files among the words of a command line.
 *
 * @param hasFields whether a first `-` is a file, and not a list of courses
 */
export function splitWords(
  words: readonly string[],
  hasFields: boolean,
  { folder }: Context,
): { readonly courses: readonly string[]; readonly paths: readonly string[] } {
  const isCourse = (word: string, index: number): boolean => {
    if (word === STANDARD_INPUT) return index === 0 && !hasFields;
    return isUuid(word) || !(existsSync(resolve(folder, word)) || looksLikeFile(word));
  };
  const courses = words.filter(isCourse);
  const paths = words.filter((word, index) => !isCourse(word, index));
  if (courses.length === 0 || paths.length <= 1) return { courses, paths };
  throw usageError(
    "with a course, update accepts only one file",
    "Leave the course out to update every course in the files by its own id or key.",
  );
}

/** Fields whose new values must fit the user's providers. */
const OWNED_FIELDS = ["url", "provider_id", PROVIDER_KEY];

/** The courses that words name; all get the fields of the only course in the file, if there is one. */
export async function findTargetsByArgument(
  words: readonly string[],
  sources: Sources,
  forChange: { readonly verb: string; readonly yes: boolean } | undefined,
  context: Context,
): Promise<UpdateTarget[]> {
  // Everything that can be checked without the remote course is checked before any request.
  const { assignments } = sources;
  const [draft, ...others] = await loadDrafts(sources, "patch", context);
  if (draft === undefined) throw usageError("nothing to change");
  if (others.length > 0) throw severalCourses(draft, others.length + 1);
  const { file } = draft;
  if (!sources.isChanged && file !== undefined && !changesAny(draft.value)) {
    const advice = "Give the fields that change; null clears one.";
    throw new CatalogError("file", `${file} contains nothing to change`, { file, advice });
  }
  await requireSameId(draft, words.filter(isUuid));
  const found = await resolveCourses(words, { forChange }, context);
  if (found.length === 0) return [];
  await requireSameId(
    draft,
    found.map(({ id }) => id),
  );
  const [from = draft] = await resolveOwned([draft], assignments, context);
  return found.map(({ id, course }) => ({ id, course, from }));
}

/** Every course in the files, by its id or key. */
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
    const message = "id or key is missing; update needs one of them to find the course";
    problems.push(await diagnoseRequired(draft, "parent", "id", message));
  }
  await stopAtErrors(problems, [], context);
  if (!isChanged) await noteEmptied(drafts, context);
  const targets: Omit<UpdateTarget, "course">[] = [];
  for (const from of await resolveOwned(drafts, assignments, context)) {
    const id = await findTargetId(from, context);
    const message = "a key needs a provider, because you have several: add provider or provider_id";
    if (id !== undefined) targets.push({ id, from });
    else problems.push(await diagnoseRequired(from, "value", EXTERNAL_KEY, message));
  }
  await stopAtErrors(problems, [], context);
  const ids = new Set(targets.map(({ id }) => id));
  const read = await readBeforeWriting([...ids], context);
  const byId = new Map(read.map(({ id, course }) => [id, course]));
  return targets.map(({ id, from }) => ({ id, from, course: byId.get(id) ?? noSuchCourse(id) }));
}

/** More rows without a change are only counted. */
const MAX_EMPTIED = 20;

/** Says which rows change nothing: an emptied cell leaves its field as it is. */
async function noteEmptied(drafts: readonly Located[], { messages }: Context): Promise<void> {
  const emptied = drafts.filter(({ value }) => !changesAny(value));
  for (const draft of emptied.slice(0, MAX_EMPTIED)) {
    const place = await draft.place([]);
    const at = `${place?.file}:${place?.line}:${place?.column}`;
    const what = sourceOf(draft).file.isTable === true ? "row" : "course";
    await messages.info(
      `${at}: this ${what} contains nothing to change; to clear a field, write null.`,
    );
  }
  const rest = emptied.length - MAX_EMPTIED;
  if (rest > 0)
    await messages.info(`… and ${pluralize(rest, "more course")} with nothing to change`);
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

/** The drafts with their providers resolved, if one of them changes what depends on the provider. */
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

/** The id of a course. A key without a provider is one of the default or the only provider. */
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
  const message = `${file} contains ${pluralize(count, "course")}; with an id, update accepts only one`;
  const advice = "Leave the id out to update every course by its own id or key.";
  return new CatalogError("file", message, { file, advice });
}

async function requireSameId(draft: Located, ids: readonly string[]): Promise<void> {
  const { id } = draft.value;
  const ownId = typeof id === "string" ? id.toLowerCase() : undefined;
  const place = await draft.place(["id"]);
  if (
    place === undefined ||
    ownId === undefined ||
    ids.every((each) => each.toLowerCase() === ownId)
  )
    return;
  const { file, line, column } = place;
  const message = "the file's id differs from the id on the command line";
  const advice = "Remove the id from the file, or pass the same id.";
  throw new CatalogError("file", message, { file, line, column, rule: "other-id", advice });
}
