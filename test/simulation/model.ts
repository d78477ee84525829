/**
 * What the contract says about values, urls, identity and files, a second time: the simulator judges the program by
 * nothing of `src`.
 */
import { extname } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import { parseAllDocuments, parse as parseYaml } from "yaml";
import { uuid5 } from "../core/plans.ts";

export type Course = Readonly<Record<string, unknown>>;

/** The fields that can be sent, without `id` and `slug`. */
export const FIELDS =
  `name url short_description long_description audio provider_id pace published prices
  certificate offered_by video provider_rating free_content paid_content level instructors
  what_you_will_learn syllabus subtitles_text image_url number_of_lessons assessments
  assignments duration_in_hours`.split(/\s+/);

const DEFAULTS: Course = {
  published: true,
  number_of_lessons: 1,
  assessments: false,
  assignments: false,
};
const SETS: readonly string[] = ["level", "audio", "subtitles_text"];

/** A url after the normalization of RFC 3986, and without one slash at the end of its path. */
export function normalUrl(text: unknown): string {
  if (!URL.canParse(String(text))) return String(text);
  const url = new URL(String(text));
  const decode = (part: string): string =>
    part.replace(/%[0-9a-f]{2}/gi, (code) => {
      const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(letter) ? letter : code.toUpperCase();
    });
  const path = decode(url.pathname).replace(/\/$/, "");
  return `${url.protocol}//${url.host}${path}${decode(url.search)}${decode(url.hash)}`;
}

/** A value of a field in the one form that is compared: null, absent, an empty list and the default are one. */
function normal(field: string, value: unknown): unknown {
  const filled = Array.isArray(value) && value.length === 0 ? null : (value ?? null);
  const given = filled ?? DEFAULTS[field] ?? null;
  if (SETS.includes(field) && Array.isArray(given)) return [...new Set(given)].sort();
  return simplify(field, given);
}

const NUMBERS = /^(number_of_lessons|duration_in_hours|value|min|max|\w+_count)$/;
const YES_OR_NO = /^(published|assessments|assignments|main|distinguished|\w+_content)$/;

function simplify(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => simplify(key, each));
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([name, each]) => [name, simplify(name, each)]);
    const given = entries.filter(([, each]) => each !== null);
    given.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
    return given.length === 0 ? null : Object.fromEntries(given);
  }
  if (value === null || value === undefined) return null;
  const text = String(value).replace(/\r\n?/g, "\n");
  if (/url$/.test(key)) return normalUrl(text);
  if (key === "id" || key === "provider_id") return text.toLowerCase();
  if (/price$/.test(key)) return text.replace(/^0+(?=\d)/, "").replace(/(\.\d*?)0+$/, "$1");
  if (NUMBERS.test(key)) return Number(text);
  return YES_OR_NO.test(key) ? text === "true" : text;
}

/** Whether two values of a field mean the same. */
export function isSame(field: string, one: unknown, other: unknown): boolean {
  const text = (value: unknown): string =>
    JSON.stringify(normal(field, value)).replace(/\.(?=")/g, "");
  return text(one) === text(other);
}

/** The fields in which two courses differ. */
export function differences(one: Course, other: Course, fields: readonly string[] = FIELDS) {
  return fields.filter((field) => !isSame(field, one[field], other[field]));
}

/** The id that a course without one gets. */
export function derivedId({ provider_id: provider, key, url }: Course): string {
  return uuid5(key ? `key:${key}` : String(url), String(provider).toLowerCase());
}

/** Which course a description means: its id, `new`, or `unclear`, which is an error. */
export function findMeant(description: Course, courses: readonly Course[]): string {
  const { id, key, url, name } = description;
  const byId = new Map(courses.map((course) => [String(course.id).toLowerCase(), course]));
  const same = courses.filter((course) => normalUrl(course.url) === normalUrl(url));
  const ids = same.map((course) => String(course.id).toLowerCase());
  if (id) {
    const own = String(id).toLowerCase();
    if (ids.length > 0 && !ids.includes(own)) return "unclear";
    return byId.has(own) ? own : "new";
  }
  const own = derivedId(description);
  if (key && byId.has(own)) return ids.length > 0 && !ids.includes(own) ? "unclear" : own;
  if (ids.includes(own)) return own;
  if (ids.length > 0) return ids.length === 1 ? (ids[0] ?? "") : "unclear";
  const derived = byId.get(own);
  if (derived === undefined) return "new";
  return derived.name === name ? own : "unclear";
}

export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly url: string;
}

/** The courses of a file as they are written. Undefined if it cannot be read. */
export function readCourses(path: string, text: string): Record<string, unknown>[] | undefined {
  try {
    const value = readAny(path, text);
    return value.flat().filter((each) => typeof each === "object" && each !== null) as Record<
      string,
      unknown
    >[];
  } catch {
    return undefined;
  }
}

function readAny(path: string, text: string): unknown[] {
  const extension = extname(path);
  if (extension === ".json") return [JSON.parse(text)];
  if (extension === ".ndjson")
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  if (extension !== ".csv") return parseAllDocuments(text).map((each) => each.toJS());
  const rows: Record<string, string>[] = parseCsv(text, { columns: true, skip_empty_lines: true });
  return rows.map((row) => {
    const course: Record<string, unknown> = {};
    for (const [column, cell] of Object.entries(row)) {
      if (cell !== "") assign(course, column, readCell(column, cell));
    }
    return course;
  });
}

function assign(course: Record<string, unknown>, column: string, value: unknown): void {
  const [, field = column, key] = /^(\w+)\[0\]\.(\w+)$/.exec(column) ?? [];
  if (key === undefined) course[field] = value;
  else course[field] = [{ ...((course[field] as object[] | undefined)?.[0] ?? {}), [key]: value }];
}

function readCell(column: string, cell: string): unknown {
  if (cell === "null") return null;
  if (/^[[{]/.test(cell)) return JSON.parse(cell);
  if (SETS.includes(column)) return cell.split(",").map((each) => each.trim());
  return NUMBERS.test(column) || YES_OR_NO.test(column) ? simplify(column, cell) : cell;
}

/** What a cell of a column says about a course of the catalog. */
export function cellOf(course: Course, column: string): unknown {
  const [, field = column, key] = /^(\w+)\[0\]\.(\w+)$/.exec(column) ?? [];
  return key === undefined ? course[field] : (course[field] as Course[] | null)?.[0]?.[key];
}

/** A course of a file, with defaults, and its provider by its id. */
export interface Described {
  readonly file: string;
  readonly course: Course;
}

/** The courses of a folder: of its files, by their paths. Undefined if one of them cannot be read. */
export function describeFiles(
  files: ReadonlyMap<string, string>,
  providers: readonly Provider[],
): Described[] | undefined {
  const defaults = [...files].find(([path]) => path.endsWith("catalog.defaults.yaml"));
  const usual = defaults === undefined ? {} : (parseYaml(defaults[1]) as Course);
  const found: Described[] = [];
  for (const [file, text] of files) {
    if (file === defaults?.[0]) continue;
    const courses = readCourses(file, text);
    if (courses === undefined) return undefined;
    for (const written of courses) {
      const { provider = usual.provider, ...course }: Course = { ...usual, ...written };
      const named = providers.find(({ slug }) => slug === provider)?.id;
      found.push({ file, course: { ...course, provider_id: written.provider_id ?? named } });
    }
  }
  return found;
}

/** The files whose courses nobody can push together: of two courses that mean one, and of one that is unclear. */
export function findConflicts(
  described: readonly Described[],
  courses: readonly Course[],
): string[] {
  const [meant, urls] = [new Set<string>(), new Map<string, Course>()];
  return described.flatMap(({ course, file }) => {
    const found = findMeant(course, courses);
    const own = found === "new" ? String(course.id ?? derivedId(course)).toLowerCase() : found;
    const twin = urls.get(normalUrl(course.url));
    const isDouble = meant.has(own) || (twin !== undefined && !(twin.id && course.id));
    meant.add(own);
    urls.set(normalUrl(course.url), course);
    return isDouble || found === "unclear" ? [file] : [];
  });
}
