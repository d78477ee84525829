/**
 * Decides which course a file, a row, an argument, a plan or a record means, and whether its url is free. Nothing else
 * does (docs/contributing/which-course.md).
 */
import { escapeLine, listSome, truncate } from "../base/text.ts";
import { addTo, asText, isUuid, type PlainObject } from "../base/values.ts";
import { courseLabel, type Problem } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";
import { type Course, derivedId } from "../course/request-body.ts";
import { EXTERNAL_KEY, normalizeUrl, PROVIDER_KEYS } from "../course/special-fields.ts";
import { isWrite, type Step, type StepTo } from "./step.ts";

/** The fields that can name a course; the first one that a description has decides. */
export const NAMES = ["id", EXTERNAL_KEY, "url"] as const;

/** What a description means. */
export type Meaning<Item> =
  /** `by`: the field that names the course. */
  | { readonly is: "found"; readonly course: Item; readonly by: (typeof NAMES)[number] }
  /** No course; or none is listed, and the listing may lack it. */
  | { readonly is: "free" | "unknown" }
  | Unclear<Item>;

/** Why it is not clear which course a description means. */
type Unclear<Item> =
  | { readonly is: "several"; readonly by: "key" | "url"; readonly courses: readonly Item[] }
  /** The id or the key means the course `own`, or none, but `other` has the url. */
  | {
      readonly is: "taken";
      readonly by: "id" | "key";
      readonly own: Item | undefined;
      readonly other: Item;
    }
  /** The id that follows from the url is that of a course with another url and another name. */
  | { readonly is: "derived"; readonly own: Item };

/**
 * What is remembered of a course that equals its file, so that a large catalog needs little memory. It is no course: no
 * step, record or comparison accepts it.
 */
export class EqualCourse {
  readonly id: string;
  readonly url: unknown;
  readonly provider_id: unknown;
  readonly step: StepTo<"unchanged">;

  constructor({ id, url, provider_id }: Course, step: StepTo<"unchanged">) {
    this.id = id;
    this.url = url;
    this.provider_id = provider_id;
    this.step = step;
  }
}

/** A course of a listing. */
export type Listed = Course | EqualCourse;

/** The courses in the catalog, or in files, by id and url. Courses in files may have no id. */
export class CourseIndex<Item extends PlainObject | EqualCourse = Listed> {
  /** Whether the listing is complete: if it changed while it was read, it may lack courses. */
  readonly isReliable: boolean;
  readonly #providers: readonly Provider[];
  readonly #byId = new Map<string, Item>();
  readonly #byUrl = new Map<string, Item[]>();
  /** Only courses in files have keys. The id of a course in the catalog may follow from one. */
  readonly #byKey = new Map<string, Item[]>();

  /** @param providers the user's providers, with which keys and urls are looked up that name none */
  constructor(items: Iterable<Item>, providers: readonly Provider[] = [], isReliable = true) {
    this.isReliable = isReliable;
    this.#providers = providers.filter(({ id }) => isUuid(id));
    for (const item of items) {
      const id = item instanceof EqualCourse ? item.id.toLowerCase() : idOf(item);
      const url = textOf(item.url);
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, item);
      if (url !== undefined) addTo(this.#byUrl, normalizeUrl(url), item);
      const key = item instanceof EqualCourse ? undefined : textOf(item[EXTERNAL_KEY]);
      if (key !== undefined) addTo(this.#byKey, key, item);
    }
  }

  get courses(): Iterable<Item> {
    return this.#byId.values();
  }

  /** The course with an id, in uppercase or lowercase. A course of a file without an id has its derived id. */
  find(id: string): Item | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** The courses with a url. */
  findByUrl(url: unknown): readonly Item[] {
    return typeof url === "string" ? (this.#byUrl.get(normalizeUrl(url)) ?? []) : [];
  }

  /** The ids of the other courses that have a url. */
  findOthers(url: unknown, id: string): readonly string[] {
    const ids = this.findByUrl(url).map((item) => String(item.id).toLowerCase());
    return ids.filter((other) => other !== id.toLowerCase());
  }

  /** The course that an argument means: an id, a key or a url. A key may be a UUID, too. */
  identifyWord(word: string): Meaning<Item> {
    const own = isUuid(word) ? this.find(word) : undefined;
    if (own !== undefined) return { is: "found", course: own, by: "id" };
    const meaning = this.identify({ [EXTERNAL_KEY]: word });
    return meaning.is === "free" || meaning.is === "unknown"
      ? this.identify({ url: word })
      : meaning;
  }

  /** The course that has the `id`, or else the `key`, or else the `url` of a description (docs/course-files.md). */
  identify(description: PlainObject): Meaning<Item> {
    const by = NAMES.find((name) => textOf(description[name]) !== undefined) ?? "url";
    const [own, ...owns] = this.#findNamed(description, by);
    const same = this.findByUrl(description.url);
    const [other, ...others] = same;
    if (by === "key" && own !== undefined && owns.length > 0) {
      return { is: "several", by, courses: [own, ...owns] };
    }
    // Of several courses with the url, the one that was created with it.
    const first = by === "url" ? [own, ...owns].find((each) => each && same.includes(each)) : own;
    if (first !== undefined && (other === undefined || same.includes(first))) {
      return { is: "found", course: first, by };
    }
    if (other === undefined) {
      if (own === undefined || by !== "url") return { is: this.isReliable ? "free" : "unknown" };
      // A file that has the name of the course, and the url that it was created with, takes the url back.
      const name = textOf(description.name);
      const isSame = name !== undefined && !(own instanceof EqualCourse) && own.name === name;
      return isSame ? { is: "found", course: own, by } : { is: "derived", own };
    }
    // A course in a file without an id may have the id that a description gives.
    const isNamed = by === "id" && (own !== undefined || same.some(({ id }) => textOf(id)));
    if (isNamed || (by === "key" && own !== undefined)) return { is: "taken", by, own, other };
    if (others.length > 0) return { is: "several", by: "url", courses: same };
    return { is: "found", course: other, by: "url" };
  }

  /** The courses with the id or key, or the id that follows from the key or url, of a description. */
  #findNamed(description: PlainObject, by: (typeof NAMES)[number]): readonly Item[] {
    const derived = this.#idsOf(description, by).map((id) => this.find(id));
    const keyed = by === "key" ? (this.#byKey.get(String(description[EXTERNAL_KEY])) ?? []) : [];
    const own = keyed.filter((item) => haveOneProvider(item, description));
    return [...new Set([...derived, ...own])].filter((item) => item !== undefined);
  }

  /** The ids that a description may mean: several if it names no provider. */
  #idsOf(description: PlainObject, by: (typeof NAMES)[number]): readonly string[] {
    if (by === "id" || description.provider_id !== undefined) {
      const id = idOf(description);
      return id === undefined ? [] : [id];
    }
    const isDerivable = textOf(description[by])?.isWellFormed() === true;
    const ids = isDerivable ? this.#providers.map(({ id }) => id) : [];
    return ids.map((id) => derivedId({ ...description, provider_id: id }).toLowerCase());
  }
}

/** Whether it is not clear which course a description means. */
export function isUnclear<Item>(meaning: Meaning<Item>): meaning is Unclear<Item> {
  return meaning.is === "several" || meaning.is === "taken" || meaning.is === "derived";
}

/** How an error names the courses that a description may mean, and where they are. */
const IN_CATALOG = {
  where: "in the catalog",
  nameOf: ({ id }: Listed | PlainObject): string => truncate(asText(id)),
};

/** The error of a description of which it is not clear which course it means. */
export function describeUnclear(
  value: PlainObject,
  meaning: Unclear<Listed | PlainObject>,
  { where, nameOf }: typeof IN_CATALOG = IN_CATALOG,
): Problem {
  const error = { severity: "error", at: "value" } as const;
  if (meaning.is === "several") {
    const { by, courses } = meaning;
    const names = listSome(courses.map(nameOf));
    const message = `several courses ${where} have this ${by}: add the id of your course (${names})`;
    return { ...error, rule: "several-courses", path: [by], message };
  }
  if (meaning.is === "derived") {
    const { own } = meaning;
    const message = `the id derived from this url belongs to ${describeListed(own)}: add "id: ${own.id}" if it is the same course, or a key if it is a new one`;
    return { ...error, rule: "other-id", path: ["url"], message };
  }
  const { by, own, other } = meaning;
  const written = escapeLine(truncate(asText(value[by])));
  const named = own === undefined ? `no course ${where}` : `the course ${nameOf(own)}`;
  const message = `${by} ${written} names ${named}, but the course with this url is ${nameOf(other)}: correct the ${by} or the url`;
  return { ...error, rule: "other-id", path: [by], message };
}

/** The ids of courses, for a message. */
export function listIds(courses: readonly { readonly id?: unknown }[]): string {
  return listSome(courses.map(({ id }) => truncate(asText(id))));
}

/** `"Knitting" (6f0f…) at https://academy.example/knitting` */
export function describeListed(course: Listed | PlainObject): string {
  const label = course instanceof EqualCourse ? course.id : courseLabel(course);
  return `${label} at ${escapeLine(truncate(asText(course.url)))}`;
}

/**
 * The steps that would give a course a url that another course has, or that an earlier step gives to another course.
 *
 * @param mayShare the ids of courses that may have the same url as the course of a step
 * @returns with each step the id of the other course, and the step that gives it the url, if it does not have it yet
 */
export function findTakenUrls(
  steps: readonly Step[],
  index: CourseIndex,
  mayShare: (step: Step) => readonly string[] = () => [],
) {
  const given = new Map<string, Step[]>();
  return steps.flatMap((step) => {
    if (!isWrite(step) || step.action === "delete" || typeof step.body.url !== "string") return [];
    const url = normalizeUrl(step.body.url);
    const earlier = given.get(url) ?? [];
    addTo(given, url, step);
    const shared = new Set([step.id, ...mayShare(step)]);
    const other = index.findOthers(step.body.url, step.id).find((each) => !shared.has(each));
    const by = other === undefined ? earlier.find((each) => !shared.has(each.id)) : undefined;
    const id = other ?? by?.id;
    return id === undefined ? [] : [{ step, id, by }];
  });
}

/** The id of a course in lowercase, or the id that is derived from its provider and its key or url. */
export function chooseId(course: PlainObject): string {
  return (textOf(course.id) ?? derivedId(course)).toLowerCase();
}

function idOf(course: PlainObject): string | undefined {
  const name = textOf(course[EXTERNAL_KEY]) ?? textOf(course.url);
  const isDerivable = isUuid(course.provider_id) && name !== undefined;
  return textOf(course.id) !== undefined || isDerivable ? chooseId(course) : undefined;
}

/** Whether no field names different providers. A key identifies a course of one provider. */
function haveOneProvider(one: PlainObject | EqualCourse, other: PlainObject): boolean {
  if (one instanceof EqualCourse) return false;
  return PROVIDER_KEYS.every((name) => !one[name] || !other[name] || one[name] === other[name]);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
