/** Writes ids into course files and leaves everything else as it is (`push --write-ids`). */
import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { writeFileAtomically } from "../base/atomic-write.ts";
import { CatalogError, systemCode } from "../base/errors.ts";
import { pluralize } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import { decode, readBytes } from "./bytes.ts";
import type { FoundFile } from "./find.ts";
import { insertId, type TextEdit } from "./insert-id.ts";
import type { FileFormat } from "./parsed.ts";
import { LineIndex, type PlacedNode, type Span } from "./position.ts";
import { findCourses, formatOf, parseAs, placeOfCourse } from "./read.ts";

/**
 * Writes ids into a file, all of them or none. The file is read again, and keeps its mode, owner,
 * line ends and byte order mark; a link is followed. A course that already has its id is left alone.
 *
 * @throws CatalogError of kind `file` if the file cannot be read, has changed, or an id cannot be
 * added; of kind `output` if it cannot be written
 */
export async function writeIds(file: FoundFile, ids: readonly ChosenId[]): Promise<void> {
  if (ids.length === 0) return;
  const bytes = readBytes(file);
  const { text, problem } = decode(bytes);
  const edited = problem === undefined ? await withIds(text, formatOf(file.path), ids) : CHANGED;
  if ("reason" in edited) throw refused(file.name, text, ids, edited);
  if (edited.text === text) return;
  const mark = bytes.length > Buffer.byteLength(text) ? "\ufeff" : "";
  await write(file, mark + edited.text, ids);
}

async function write(
  { name, path }: FoundFile,
  content: string,
  ids: readonly ChosenId[],
): Promise<void> {
  const advice = adviceFor(ids);
  try {
    // A name such as /dev/fd/3 would be appended to instead of replaced.
    const real = await realpath(path);
    // A write-protected file could be replaced by a rename.
    await access(real, constants.W_OK);
    await writeFileAtomically(real, content, { name });
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause.with({ advice });
    const code = systemCode(cause);
    const facts = { file: name, code, advice, cause };
    throw new CatalogError("output", `cannot write ${name}: ${code ?? cause}`, facts);
  }
}

function refused(
  name: string,
  text: string,
  ids: readonly ChosenId[],
  refusal: Refusal,
): CatalogError {
  const what = ids.length === 1 ? `the id of ${ids[0]?.url}` : pluralize(ids.length, "id");
  const { line, column } =
    refusal.span === undefined ? {} : new LineIndex(text).range(refusal.span);
  return new CatalogError("file", `cannot write ${what} into ${name}: ${refusal.reason}`, {
    file: name,
    line,
    column,
    advice: refusal === CHANGED ? "Push again to use the file as it is now." : adviceFor(ids),
  });
}

const MOST_NAMED = 5;

/** What to write by hand if the program could not. */
function adviceFor(ids: readonly ChosenId[]): string {
  if (ids.length === 1) return `Add the id to the file yourself: ${ids[0]?.id}`;
  const named = ids.slice(0, MOST_NAMED).map(({ url, id }) => `${id} (${url})`);
  const rest = ids.length - named.length;
  return `Add them to the file yourself: ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
}

/** An id for a course of a file. */
export interface ChosenId {
  /** The index of the course among those of the file. */
  readonly course: number;
  /** The `url` that the course had when it was read, to recognize it. */
  readonly url: string;
  readonly id: string;
}

/** Why ids cannot be written into a text. */
interface Refusal {
  /** A clause without a full stop. */
  readonly reason: string;
  /** The course that is the cause, if it is only one. */
  readonly span?: Span;
}

const NOT_POSSIBLE = "an id cannot be added to a course that is written in this way";
const CHANGED: Refusal = { reason: "it has changed since it was read" };

/** The edits of a text, and its intended content. */
interface EditPlan {
  /** The indexes of the courses that get an id. */
  readonly chosen: ReadonlySet<number>;
  readonly edits: readonly TextEdit[];
  readonly places: readonly (PlacedNode | undefined)[];
  readonly intended: readonly unknown[];
}

/**
 * Adds the ids to the courses of a text, all of them or none, and changes nothing else. The result
 * has been parsed, and contains the same courses as before, with their ids.
 */
export async function withIds(
  text: string,
  format: FileFormat,
  ids: readonly ChosenId[],
): Promise<{ readonly text: string } | Refusal> {
  const plan = await planEdits(text, format, ids);
  if ("reason" in plan) return plan;
  const edited = applyEdits(text, plan.edits);
  return (await findUnintendedChange(edited, format, plan)) ?? { text: edited };
}

async function planEdits(
  text: string,
  format: FileFormat,
  ids: readonly ChosenId[],
): Promise<EditPlan | Refusal> {
  const parsed = await parseAs(format, text);
  if (parsed.problems.length > 0) return CHANGED;
  const { places: all } = await parsed.positions();
  const courses = findCourses(parsed);
  const places = courses.map((course) => placeOfCourse(course, all));
  const intended = courses.map(({ value }) => value);
  const edits: TextEdit[] = [];
  for (const { course: index, url, id } of ids) {
    const course = intended[index];
    if (!isObject(course) || course.url !== url) return CHANGED;
    const existing = course.id ?? "";
    if (String(existing).toLowerCase() === id.toLowerCase()) continue;
    if (existing !== "") return CHANGED;
    const place = places[index];
    const edit = place && insertId(text, place, id);
    if (edit === undefined) return refuseAt(place, "a course in it is an alias of another value");
    intended[index] = { ...course, id };
    edits.push(edit);
  }
  return { chosen: new Set(ids.map(({ course }) => course)), edits, places, intended };
}

/** Parses the edited text: with anchors and rare layouts, more may have changed than intended. */
async function findUnintendedChange(
  edited: string,
  format: FileFormat,
  { chosen, places, intended }: EditPlan,
): Promise<Refusal | undefined> {
  const parsed = await parseAs(format, edited);
  const courses = findCourses(parsed);
  if (parsed.problems.length > 0 || courses.length !== intended.length)
    return { reason: NOT_POSSIBLE };
  const changed = courses.findIndex(
    ({ value }, index) => !isDeepStrictEqual(value, intended[index]),
  );
  if (changed === -1) return undefined;
  const reason = chosen.has(changed) ? NOT_POSSIBLE : "another course in it would change, too";
  return refuseAt(places[changed], reason);
}

function refuseAt(place: PlacedNode | undefined, reason: string): Refusal {
  return place === undefined ? { reason } : { reason, span: place.span };
}

function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { span, text: written } of edits.toSorted(
    (one, other) => one.span.start - other.span.start,
  )) {
    parts.push(text.slice(done, span.start), written);
    done = span.end;
  }
  return parts.join("") + text.slice(done);
}
