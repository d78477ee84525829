/** Decides which course a file, a row, an argument or a record means: by the id, or else the key, or else the url. */
import { normalizeUrl } from "../base/credentials.ts";
import { addTo, isUuid, type PlainObject } from "../base/values.ts";
import type { Located } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";
import { type Course, derivedId } from "../course/request-body.ts";
import { EXTERNAL_KEY } from "../course/special-fields.ts";
import type { Found } from "./located.ts";

/** The course that a description means, or why that is not clear. */
export type Match<Item> = { readonly found: Item | undefined } | Mismatch<Item>;

/** Why it is not clear which course a description means. */
export type Mismatch<Item = Course> =
  /** Several courses have the url of a description that has no id. */
  | { readonly candidates: readonly Item[] }
  /** The `field` of the description means the course `own`, or none, but `other` has its url. */
  | { readonly field: "id" | "key"; readonly own: Item | undefined; readonly other: Item };

/** Courses in the catalog, or in files, by id and by url. Courses in files may have no id. */
export class CourseIndex<Item extends PlainObject = Course> {
  readonly #byId = new Map<string, Item>();
  readonly #byUrl = new Map<string, Item[]>();

  constructor(items: Iterable<Item>) {
    for (const item of items) {
      const [id, url] = [idOf(item), textOf(item.url)];
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, item);
      if (url !== undefined) addTo(this.#byUrl, normalizeUrl(url), item);
    }
  }

  get courses(): Iterable<Item> {
    return this.#byId.values();
  }

  /** The course with an id, in uppercase or lowercase. A course of a file without an id has its derived id. */
  find(id: string): Item | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** The courses with a url, as the service may write it. */
  findByUrl(url: unknown): readonly Item[] {
    return typeof url === "string" ? (this.#byUrl.get(normalizeUrl(url)) ?? []) : [];
  }

  /** The courses with a key, at any of the providers. None for a word that cannot be a key. */
  findByKey(key: unknown, providers: readonly Provider[]): readonly Item[] {
    if (typeof key !== "string" || !key.isWellFormed()) return [];
    const known = providers.filter(({ id }) => isUuid(id));
    const ids = known.map(({ id }) => derivedId({ provider_id: id, [EXTERNAL_KEY]: key }));
    return ids.map((id) => this.find(id)).filter((found) => found !== undefined);
  }

  /** The course that has the `id`, or else the `key`, or else the `url` of a description (docs/course-files.md). */
  identify(description: PlainObject): Match<Item> {
    const id = idOf(description);
    const own = id === undefined ? undefined : this.find(id);
    const same = this.findByUrl(description.url);
    if (own !== undefined && same.includes(own)) return { found: own };
    const [other, ...others] = same;
    const hasId = textOf(description.id) !== undefined;
    const hasKey = textOf(description[EXTERNAL_KEY]) !== undefined;
    if (hasId || (hasKey && own !== undefined)) {
      return other === undefined ? { found: own } : { field: hasId ? "id" : "key", own, other };
    }
    // An earlier run may have created the course with this url, and its url was changed since.
    if (other === undefined) return { found: own };
    if (own !== undefined) return { candidates: [own, ...same] };
    if (others.length > 0) return { candidates: same };
    return { found: other };
  }
}

/** The error of a course of a file that fits several courses, or whose id or key names another course than its url. */
export function describeMismatch(from: Located, match: Mismatch): Found {
  const error = { severity: "error", at: "value" } as const;
  if ("candidates" in match) {
    const field = from.value.url === undefined ? EXTERNAL_KEY : "url";
    const ids = match.candidates.map(({ id }) => id).join(", ");
    const message = `several courses in the catalog have this ${field}: add the id of your course (${ids})`;
    return { from, problem: { ...error, rule: "several-courses", path: [field], message } };
  }
  const { field, own, other } = match;
  const named = own === undefined ? "no course in the catalog" : `the course ${own.id}`;
  const message = `${field} names ${named}, but the course with this url is ${other.id}: correct the ${field} or the url`;
  return { from, problem: { ...error, rule: "other-id", path: [field], message } };
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

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
