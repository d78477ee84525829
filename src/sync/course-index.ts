/** Decides which course a file, a row or an argument means: by the id, or else the key, or else the url. */
import { addTo, isUuid, type PlainObject } from "../base/values.ts";
import { EXTERNAL_KEY, PROVIDER_KEY } from "../course/field-names.ts";
import { type Course, derivedId } from "../course/request-body.ts";

/** The course that a description means, or several candidates with the url of the description. */
export type Identified<Item> =
  | {
      readonly found: Item | undefined;
      /** Set if no course has the key of the description, so its url identifies the course. */
      readonly isAdopted?: true;
    }
  | { readonly candidates: readonly Item[] };

/** Finds courses in the catalog, or courses of files, by id, key or url. Courses of files may have no id. */
export class CourseIndex<Item extends PlainObject = Course> {
  readonly #byId = new Map<string, Item>();
  readonly #byKey = new Map<string, Item[]>();
  readonly #byUrl = new Map<string, Item[]>();

  constructor(items: Iterable<Item>) {
    for (const item of items) {
      const [id, key, url] = [idOf(item), keyOf(item), textOf(item.url)];
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, item);
      if (key !== undefined) addTo(this.#byKey, key, item);
      if (url !== undefined) addTo(this.#byUrl, url, item);
    }
  }

  get courses(): Iterable<Item> {
    return this.#byId.values();
  }

  /** The course with an id, in uppercase or lowercase. A course of a file without an id has its derived id. */
  find(id: string): Item | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  findByUrl(url: string): readonly Item[] {
    return this.#byUrl.get(url) ?? [];
  }

  /** The course that has the `id`, or else the `key`, or else the `url` of a description. */
  identify(description: PlainObject): Identified<Item> {
    const id = idOf(description);
    const own = id === undefined ? undefined : this.find(id);
    if (textOf(description.id) !== undefined) return { found: own };
    const key = keyOf(description);
    const isSame = (item: Item): boolean => !haveOtherProviders(item, description);
    const keyed = key === undefined ? undefined : (own ?? this.#byKey.get(key)?.find(isSame));
    if (keyed !== undefined) return { found: keyed };
    const candidates = this.findByUrl(textOf(description.url) ?? "");
    const [first, ...others] = candidates;
    // An earlier push may have created the course with another url.
    if (first === undefined) return { found: own };
    if (others.length === 0) {
      return key === undefined ? { found: first } : { found: first, isAdopted: true };
    }
    return own !== undefined && candidates.includes(own) ? { found: own } : { candidates };
  }
}

/** The id of a course in lowercase, or the id that is derived from its provider and its key or url. */
export function chooseId(course: PlainObject): string {
  return (textOf(course.id) ?? derivedId(course)).toLowerCase();
}

function idOf(course: PlainObject): string | undefined {
  const isDerivable =
    isUuid(course.provider_id) && (keyOf(course) ?? textOf(course.url)) !== undefined;
  return textOf(course.id) !== undefined || isDerivable ? chooseId(course) : undefined;
}

function keyOf(course: PlainObject): string | undefined {
  return textOf(course[EXTERNAL_KEY]);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whether both name a provider in the same field, but different providers. A key identifies a course of one provider. */
function haveOtherProviders(one: PlainObject, other: PlainObject): boolean {
  return ["provider_id", PROVIDER_KEY].some((name) => {
    const [left, right] = [textOf(one[name]), textOf(other[name])];
    return left !== undefined && right !== undefined && left.toLowerCase() !== right.toLowerCase();
  });
}
