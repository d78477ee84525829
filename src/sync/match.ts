/** Finds the remote course that a desired one describes: by its id, its key, or its url. */
import { addTo, type PlainObject } from "../base/values.ts";
import { EXTERNAL_KEY } from "../course/field-names.ts";
import { type Course, derivedId } from "../course/request-body.ts";

/** The result of matching one desired course. */
export type Match =
  | {
      readonly id: string;
      /** Absent if the course is to be created. */
      readonly remote: Course | undefined;
      /** Whether it has a key, but was found by its url, because its id is not derived from the key. */
      readonly isAdopted?: true;
    }
  /** Several remote courses have its url, and nothing else identifies it. */
  | { readonly candidates: readonly Course[] };

/** Remote courses by what identifies them. */
export class CourseIndex {
  readonly #byId = new Map<string, Course>();
  readonly #byUrl = new Map<string, Course[]>();

  constructor(courses: readonly Course[]) {
    for (const course of courses) {
      this.#byId.set(course.id.toLowerCase(), course);
      if (typeof course.url === "string") addTo(this.#byUrl, course.url, course);
    }
  }

  get courses(): Iterable<Course> {
    return this.#byId.values();
  }

  /** The course with an id in either case. */
  find(id: string): Course | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** Every course with exactly this url. */
  findByUrl(url: string): readonly Course[] {
    return this.#byUrl.get(url) ?? [];
  }

  /**
   * Matches a course by its `id`, or else by its `key`, or else by its `url`; a new one gets its
   * `id`, or the one that is derived from its provider and its key or url.
   *
   * @param course with `url` and `provider_id`
   */
  match(course: PlainObject): Match {
    if (typeof course.id === "string") {
      return { id: course.id.toLowerCase(), remote: this.find(course.id) };
    }
    const id = derivedId(course);
    const own = this.find(id);
    const hasKey = typeof course[EXTERNAL_KEY] === "string";
    if (hasKey && own !== undefined) return { id, remote: own };
    const candidates = this.findByUrl(String(course.url));
    const [first, ...others] = candidates;
    if (first === undefined) return { id, remote: own };
    if (others.length === 0) {
      const found = { id: first.id.toLowerCase(), remote: first };
      return hasKey ? { ...found, isAdopted: true } : found;
    }
    // One of several may be the course that an earlier push of this file created.
    return own !== undefined && candidates.includes(own) ? { id, remote: own } : { candidates };
  }
}
