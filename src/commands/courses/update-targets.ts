/** Finds the courses that `update` changes, by the words on the command line or by the ids and keys in files. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "../../base/errors.ts";
import { STANDARD_INPUT } from "../../base/io.ts";
import { isUuid, type PlainObject } from "../../base/values.ts";
import { readCatalog } from "../../cli/catalog.ts";
import type { Context } from "../../cli/context.ts";
import { hasCourseExtension, resolveCourses } from "../../cli/course-arguments.ts";
import { stopAtFound } from "../../cli/course-files.ts";
import { readProviders } from "../../cli/work.ts";
import type { Assignment } from "../../core/assign.ts";
import { type CourseIndex, describeMismatch, type Match } from "../../core/identify.ts";
import { FileCourse, type Found } from "../../core/located.ts";
import { EXTERNAL_KEY, PROVIDER_KEY } from "../../course/field-names.ts";
import type { Located } from "../../course/located.ts";
import { type Provider, resolveProvider } from "../../course/provider.ts";
import type { Course } from "../../course/request-body.ts";
import { type DraftSources, loadDrafts, resolveDrafts } from "./drafts.ts";

/** The new values for a course, and the course in the catalog; undefined if there is none. */
export interface UpdateTarget {
  readonly from: Located;
  readonly course: Course | undefined;
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
  const drafts = await loadDrafts({ paths: [], assignments, mode: "patch" }, context);
  const found = await resolveCourses(words, context);
  if (found.length === 0) return [];
  const owned = await resolveOwned(drafts, assignments, context);
  return owned.flatMap((from) => found.map((course) => ({ course, from })));
}

/** Every course in the files, found by its id, key or url. @throws CatalogError if files or courses cannot be used */
export async function findTargetsInFiles(
  sources: DraftSources & { readonly assignments: readonly Assignment[] },
  context: Context,
): Promise<UpdateTarget[]> {
  const { assignments } = sources;
  const drafts = await loadDrafts(sources, context);
  const names = ["id", EXTERNAL_KEY, "url"];
  const unnamed = drafts.filter(({ value }) =>
    names.every((name) => typeof value[name] !== "string"),
  );
  const message = "id, key and url are missing; update needs one of them to find the course";
  const missing = { severity: "error", rule: "required", at: "parent", path: ["id"] } as const;
  const toFound = (from: Located): Found => ({ from, problem: { ...missing, message } });
  await stopAtFound(unnamed.map(toFound), context);
  const owned = await resolveOwned(drafts, assignments, context);
  const providers = await readProviders(context);
  const described = owned.map((from) => withOwner(from, providers));
  const { index } = await readCatalog(context);
  const targets: UpdateTarget[] = [];
  const unclear: Found[] = [];
  for (const [position, from] of owned.entries()) {
    const match = findCourse(described[position] ?? {}, index, providers);
    if ("found" in match) targets.push({ from, course: match.found });
    else unclear.push(describeMismatch(from, match));
  }
  await stopAtFound(unclear, context);
  return targets;
}

/** The description of a course with the provider that its defaults name. */
function withOwner(from: Located, providers: readonly Provider[]): PlainObject {
  const { value } = from;
  if (typeof value.provider_id === "string" || !(from instanceof FileCourse)) return value;
  const { provider_id, [PROVIDER_KEY]: name } = from.source.defaultValues ?? {};
  const given = name === undefined ? { provider_id } : { [PROVIDER_KEY]: name };
  const owned = resolveProvider(given, providers);
  return typeof owned.provider_id === "string"
    ? { ...value, provider_id: owned.provider_id }
    : value;
}

/** The course that a description means. A key without a provider is looked for with each provider. */
function findCourse(
  description: PlainObject,
  index: CourseIndex,
  providers: readonly Provider[],
): Match<Course> {
  const { id, provider_id, [EXTERNAL_KEY]: key } = description;
  const isOpen = id === undefined && provider_id === undefined;
  const candidates = isOpen ? index.findByKey(key, providers) : [];
  const [found, ...others] = candidates;
  if (found === undefined) return index.identify(description);
  return others.length === 0 ? { found } : { candidates };
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
  return await resolveDrafts(drafts, { assignments }, await readProviders(context), context);
}
