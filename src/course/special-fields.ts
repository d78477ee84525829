/** Keys with a special meaning, and the fields whose values must be unique. */
import { parseUrl } from "../base/credentials.ts";
import { isObject, type Path } from "../base/values.ts";
import type { RuleId } from "./problem.ts";

/** The key that a course file may use instead of `provider_id`. */
export const PROVIDER_KEY = "provider";

/** The two keys that name a course's provider. */
export const PROVIDER_KEYS: readonly string[] = ["provider_id", PROVIDER_KEY];

/** The keys that may contain a field. */
export function keysOf(name: Path[number] = ""): readonly Path[number][] {
  return name === "provider_id" ? PROVIDER_KEYS : [name];
}

/** The key of a course file with the identifier that the course has elsewhere, such as a CMS; never sent. */
export const EXTERNAL_KEY = "key";

/** Whether a top-level key of a course file is for private notes, such as `x-notes`: never sent or compared. */
export function isPrivateKey(name: string): boolean {
  return name.startsWith("x-");
}

/** The fields whose values must be unique, each with the rule that a repeated value breaks. */
export const UNIQUE_RULES = {
  id: "duplicate-id",
  [EXTERNAL_KEY]: "duplicate-key",
  url: "duplicate-url",
} as const satisfies Record<string, RuleId>;

export type UniqueField = keyof typeof UNIQUE_RULES;

/** The fields that decide which course a course is. */
export const UNIQUE_FIELDS = Object.keys(UNIQUE_RULES) as readonly UniqueField[];

/** Fields that a defaults file cannot fill, because they differ from course to course. */
export const WITHOUT_DEFAULT: readonly string[] = [...UNIQUE_FIELDS, "slug"];

/**
 * A url in the one spelling in which urls are compared, wherever they are: `HTTPS://Ä.example:443/%7eb/../c/` gives
 * `https://xn--4ca.example/c` (RFC 3986, section 6.2, and without one slash at the end of the path).
 */
export function normalizeUrl(text: string): string {
  const url = parseUrl(text);
  if (url === undefined) return text;
  if (url.pathname.endsWith("/")) url.pathname = url.pathname.slice(0, -1);
  return url.href.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
}

/** Remembers the ids, keys and urls of courses, and where each of them was first. */
export class UniqueValues<Origin> {
  readonly #first = new Map<string, { readonly origin: Origin; readonly hasId: boolean }>();

  /**
   * Remembers a course. Yields the first unique field whose value an earlier course has, for each such course; and whether
   * both have an id, so that they may be two courses with one url.
   */
  *findRepeated(
    course: unknown,
    origin: Origin,
  ): Generator<{ field: UniqueField; first: Origin; haveIds: boolean }> {
    const hasId = identityOf(course, "id") !== undefined;
    const found = new Set<Origin>();
    for (const field of UNIQUE_FIELDS) {
      const identity = identityOf(course, field);
      if (identity === undefined) continue;
      // A string from the text of a file would keep the complete text in memory, but JSON is a copy.
      const name = JSON.stringify([field, identity]);
      const first = this.#first.get(name);
      if (first === undefined) {
        this.#first.set(name, { origin, hasId });
      } else if (!found.has(first.origin)) {
        found.add(first.origin);
        yield { field, first: first.origin, haveIds: hasId && first.hasId };
      }
    }
  }
}

/** What must be unique about the value of a field; undefined if the course does not have it. */
function identityOf(course: unknown, field: UniqueField): unknown {
  if (!isObject(course)) return undefined;
  const value = course[field];
  if (typeof value !== "string" || value === "") return undefined;
  if (field === "url") return normalizeUrl(value);
  if (field === "id") return value.toLowerCase();
  // Courses of different providers may have the same key.
  const provider = course.provider_id ?? course[PROVIDER_KEY];
  return [typeof provider === "string" ? provider.toLowerCase() : null, value];
}
