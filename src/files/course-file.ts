/** Reads course files: bytes → text or table → courses, and what a workbook remembers of them. */
import { isDeepStrictEqual } from "node:util";
import { attempt, type CatalogError } from "../base/errors.ts";
import { isNearlySame } from "../base/text.ts";
import { type FoundValue, isObject, type Path, type PlainObject, valueAt } from "../base/values.ts";
import { COURSE_SHAPE, namedPath } from "../course/fields.ts";
import { type Problem, RULES, type Severity } from "../course/problem.ts";
import {
  isPrivateKey,
  normalizeUrl,
  PROVIDER_KEYS,
  UNIQUE_FIELDS,
} from "../course/special-fields.ts";
import { type FoundFile, noCourse, readBytes } from "./decode.ts";
import { type Diagnostic, type FindPlace, placeOf, spanAt, textDiagnostics } from "./diagnostic.ts";
import { isDefaults, NOT_READ } from "./find.ts";
import { LIMITS, tooMany } from "./limits.ts";
import { formatOf, parseAs, readContent, sentences, type TableOptions } from "./parse.ts";
import { findCourses, type Parsed, type ParsedCourse, unparsed } from "./parsed.ts";
import { withParts } from "./path-keys.ts";
import { parseCourses } from "./table.ts";

/** A file with its courses; of one that is not read, only why. */
export interface CourseFile {
  readonly name: string;
  readonly courses: readonly SourceCourse[];
  /** What is wrong with the text of a file that was not validated: if there is a problem, courses may be missing. */
  readonly diagnostics: readonly Diagnostic[];
  readonly notices: readonly string[];
  readonly isEditable?: boolean;
  /** Whether the user named the file itself, so that all its values are meant as courses. */
  readonly isNamed?: boolean;
  /** The courses that a workbook of catalog had when it was written. */
  readonly remembered?: readonly PlainObject[] | undefined;
  /** The columns of a table, all of whose courses have the same fields. */
  readonly columns?: readonly Path[] | undefined;
  /** Whether this is a defaults file or an entry that is not read, and does not count as a file. */
  readonly isLeftOut?: boolean;
}

/** One course of a file, as plain data that has not been validated. */
export interface SourceCourse {
  readonly file: string;
  readonly index: number;
  readonly value: unknown;
  /** In a partial update, the values of cells inside fields, of which the rest stays unchanged. */
  readonly parts?: readonly FoundValue<unknown>[];
  /** Which fields a row of a workbook that remembers courses gives itself. */
  readonly own?: OwnFields | undefined;
  /** What a row of a table that a report gives back has in its columns. */
  readonly cells?: PlainObject;
  /** The line in which the course begins. */
  readonly line: number;
  /** Whether comments of YAML follow values in the same line, which may have been meant as text. */
  readonly mayBeCut?: boolean;
  /** May read the file again. If the course has changed since, the place is the line in which the course began. */
  readonly place: FindPlace;
  /** For each field that was filled in, the defaults that its value comes from. */
  readonly defaults?: ReadonlyMap<string, SourceCourse>;
}

/** The fields of a row of a workbook that remembers courses. */
export interface OwnFields {
  /** Each field that the row has a cell for, and whether the row changes a part of what the workbook remembers. */
  readonly fields: ReadonlyMap<string, boolean>;
  /** Whether the workbook remembers the course, so that the course also has what the workbook remembers of other fields. */
  readonly isKnown: boolean;
}

/** A course exactly as its file contains it, without default values. */
export function writtenValue({ value, defaults }: SourceCourse): unknown {
  if (!isObject(value) || defaults === undefined) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !defaults.has(name)));
}

/** Parses the bytes of a file. The format of a file without a path, which is standard input, is detected. */
async function parseContent({ name, path }: FoundFile, bytes: Buffer, options: TableOptions) {
  const content = await readContent(name, path, bytes, options);
  const { text, table, memory: kept, problem } = content;
  if (problem !== undefined) {
    return { ...content, parsed: unparsed(problem), remembered: undefined, own: undefined };
  }
  const parsed = table ? parseCourses(table) : await parseAs(formatOf(path, text), text);
  const memory = kept && parseCourses(kept);
  const own = memory && completeRows(parsed, memory);
  const isTooLong = findCourses(parsed).length > LIMITS.courses;
  const remembered = memory && objectsIn(memory);
  const read = isTooLong ? unparsed(tooMany("courses", 0)) : parsed;
  return { ...content, parsed: read, remembered, own };
}

/** Finds places while there is memory for the text, and then parses it again: all texts would fill the memory. */
function placeFinder(
  file: FoundFile,
  bytes: Buffer,
  content: Awaited<ReturnType<typeof parseContent>>,
  options: TableOptions,
): (course: ParsedCourse, line: number) => FindPlace {
  const { name } = file;
  const streamed = file.path === "" ? bytes : undefined;
  let held = new WeakRef(content);
  const parseAgain = async () => {
    const now = streamed ?? attempt(() => readBytes(file));
    return now && (await parseContent(file, now, options));
  };
  return ({ value, document, item }, line) =>
    async (path, at = "value") => {
      const again = held.deref() ?? (await parseAgain());
      const course = valueAt(
        again?.parsed.documents,
        item === undefined ? [document] : [document, item],
      );
      if (again === undefined || !isDeepStrictEqual(course, value)) {
        return { file: name, line, column: 1, endLine: line, endColumn: 1 };
      }
      held = new WeakRef(again);
      const root = await again.parsed.place({ document, item });
      const span = spanAt(root, path, path.length === 0 ? "value" : at);
      const place = { ...placeOf({ name, lines: again.lines }, span), cells: root.cells };
      return isCutAt(again.text, span.start, span.end) ? { ...place, isCut: true } : place;
    };
}

/** Whether a comment follows what may be a plain value of YAML or a key without a value. */
function isCutAt(text: string, start: number, end: number): boolean {
  const comment = /[ \t]*:?[ \t]+#/y;
  comment.lastIndex = end;
  return comment.test(text) && !/["'[{|>]/.test(text[start] ?? "");
}

/**
 * Parses one file: a file with the text `name: Knitting` has the course `{ name: "Knitting" }`.
 *
 * @throws CatalogError of kind `file` if the file cannot be read, of kind `usage` if it has no course
 */
export async function parseCourseFile(
  file: FoundFile,
  bytes: Buffer,
  options: TableOptions = {},
): Promise<CourseFile> {
  const { name, isNamed = false } = file;
  const content = await parseContent(file, bytes, options);
  const { parsed, lines, isEditable, remembered } = content;
  const { columns } = parsed;
  const found = findCourses(parsed);
  if (found.length === 0 && parsed.problems.length === 0) throw noCourse(name);
  const isCourse = courseTest(columns);
  const isForeign = ({ rule }: Problem): boolean => !isNamed && rule === "not-a-course";
  const foreign = parsed.problems.filter(isForeign).map(({ span }) => span?.start ?? 0);
  const findPlace = placeFinder(file, bytes, content, options);
  const courses: SourceCourse[] = [];
  const mayBeCut = formatOf(file.path, content.text) === "yaml" && /[ \t]#/.test(content.text);
  for (const [index, course] of found.entries()) {
    const { value } = course;
    const start = parsed.startOf(course);
    const line = lines.lineOf(start);
    const place = findPlace(course, line);
    if (isNamed || (!parsed.isReport && isCourse(value)))
      courses.push({
        file: name,
        index,
        value,
        own: content.own?.get(value),
        line,
        place,
        mayBeCut,
      });
    else foreign.push(start);
  }
  const notices = [...content.notices, ...sentences(name, parsed.notices)];
  const [first] = foreign;
  if (first !== undefined) notices.push(`${name}:${lines.lineOf(first)}:1: ${FOREIGN}`);
  const isOwn = !isNamed && parsed.isReport === true;
  const problems = isOwn ? [] : parsed.problems.filter((each) => !isForeign(each));
  const diagnostics = textDiagnostics({ name, lines, problems });
  const facts = { isEditable, isNamed, columns, remembered };
  return { name, courses, diagnostics, notices, ...facts };
}

/** What is said about objects of other programs in a folder, which no command uses or changes. */
const FOREIGN =
  "notice: not a course, so catalog ignores it; to silence this, add it to .catalogignore [not-a-course]";

/** The result for a file or an entry that is not read. @param unread the severity of an entry that may be left out */
export function unreadFile(
  { message, facts }: CatalogError,
  unread: Severity = "warning",
): CourseFile {
  const { file: name = "", advice } = facts;
  const isEntry = facts.rule === NOT_READ;
  const rule = RULES.find((each) => each === facts.rule) ?? "unreadable";
  const place = { file: name, line: 1, column: 1, endLine: 1, endColumn: 1 };
  const severity = isEntry ? unread : "error";
  const notes = advice === undefined ? undefined : [advice];
  const diagnostics = [{ ...place, severity, rule, message, path: [], notes }];
  return { name, courses: [], notices: [], diagnostics, isLeftOut: isEntry || isDefaults(name) };
}

/**
 * Whether an object is a course, even with many problems: at least two of its keys and at least half of
 * them, without private keys, are fields or differ from one by at most one letter in five.
 *
 *     { name: "Knitting", "image-urll": "…" } → true
 *     { name: "app", version: "1.0" }         → false
 */
export function isCourse(value: unknown): value is PlainObject {
  return isObject(value) && areFields(Object.keys(value).map((name) => String(namedPath(name)[0])));
}

function areFields(names: readonly string[]): boolean {
  const own = names.filter((name) => !isPrivateKey(name));
  if (own.length > 2 * COURSE_SHAPE.keys.length) return false;
  const isProvider = own.includes("domain") && !PROVIDER_KEYS.some((name) => own.includes(name));
  const { byName, keys } = COURSE_SHAPE;
  const isLikeField = (name: string): boolean =>
    byName.has(name) || keys.some((field) => isNearlySame(name, field.name));
  const fields = own.filter(isLikeField).length;
  return !isProvider && fields >= 2 && fields >= own.length / 2;
}

/** Recognizes the courses of one file: of a table, all rows or none, because a row may have few cells. */
export function courseTest(columns: CourseFile["columns"]): (value: unknown) => boolean {
  if (columns === undefined) return isCourse;
  const isTableOfCourses = areFields([...new Set(columns.map(([name]) => String(name)))]);
  return (value) => isTableOfCourses && isObject(value);
}

function objectsIn({ documents }: Parsed): PlainObject[] {
  return documents.flat().filter(isObject);
}

/**
 * Completes the rows of a sheet that a workbook remembers: the course is as it is remembered, but for the cells that were
 * edited; an emptied cell clears its value.
 */
function completeRows(sheet: Parsed, memory: Parsed): ReadonlyMap<unknown, OwnFields> {
  const known = new Map(
    objectsIn(memory).flatMap((one) => namesOf(one).map((name) => [name, one] as const)),
  );
  const fields = new Set(memory.columns?.map(([name]) => String(name)));
  const isField = (name: string): boolean => fields.has(name) && !isPrivateKey(name);
  const columns = sheet.columns ?? [];
  const rows = new Map<unknown, OwnFields>();
  for (const row of objectsIn(sheet)) {
    const before = known.get(namesOf(row)[0] ?? "");
    const cells = columns.map((path) => ({ path, value: valueAt(row, path) ?? null }));
    // An empty cell may show an empty text.
    const isEdited = ({ path, value }: FoundValue<unknown>): boolean => {
      const old = valueAt(before, path) ?? null;
      return !isDeepStrictEqual(value, old === "" ? null : old);
    };
    const own = cells.filter(({ path: [name], value }) => value !== null || isField(String(name)));
    const edited = before === undefined ? [] : own.filter(isEdited);
    const changed = new Set(edited.map(({ path: [name] }) => name));
    const names = own.map(({ path: [name = "", ...rest] }) => {
      return [String(name), rest.length > 0 && changed.has(name)] as const;
    });
    rows.set(row, { fields: new Map(names), isKnown: before !== undefined });
    if (before === undefined) continue;
    // A row that names its provider needs no other name of it.
    const isNamed = PROVIDER_KEYS.some((name) => (row[name] ?? null) !== null);
    const others = [...fields].filter((name) => !isNamed || !PROVIDER_KEYS.includes(name));
    const rest = others.filter(isField).map((name) => [name, before[name] ?? null]);
    Object.assign(row, withParts(Object.fromEntries(rest), edited));
  }
  return rows;
}

/** What names a course, the surest first: its id, key and url. */
function namesOf(course: PlainObject): string[] {
  const own = UNIQUE_FIELDS.filter((field) => typeof course[field] === "string");
  return own.map((field) => {
    const name = normalizeUrl(String(course[field]));
    return JSON.stringify([field, field === "id" ? name.toLowerCase() : name]);
  });
}
