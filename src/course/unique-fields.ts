/** The fields that no two courses share, and the search for courses that share one. */
import { copyString } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import { EXTERNAL_KEY, PROVIDER_KEY } from "./field-names.ts";
import type { RuleId } from "./problem.ts";

/** Each field with the rule that a repeated value breaks. */
export const UNIQUE_RULES = {
  id: "duplicate-id",
  [EXTERNAL_KEY]: "duplicate-key",
  url: "duplicate-url",
} as const satisfies Record<string, RuleId>;

export type UniqueField = keyof typeof UNIQUE_RULES;

export const UNIQUE_FIELDS = Object.keys(UNIQUE_RULES) as readonly UniqueField[];

/** Remembers the ids, keys and urls of courses, with where each was first. */
export class UniqueValues<Origin> {
  readonly #first: Readonly<Record<UniqueField, Map<string, Origin>>> = {
    id: new Map(),
    [EXTERNAL_KEY]: new Map(),
    url: new Map(),
  };

  /** Remembers a course, and yields what it shares with the first that had it. */
  *findRepeated(
    course: unknown,
    origin: Origin,
  ): Generator<{ readonly field: UniqueField; readonly first: Origin }> {
    for (const field of UNIQUE_FIELDS) {
      const identity = identityOf(course, field);
      if (identity === undefined) continue;
      const first = this.#first[field].get(identity);
      if (first === undefined) this.#first[field].set(copyString(identity), origin);
      else yield { field, first };
    }
  }
}

/** What must be unique of a field, if it is given. */
function identityOf(course: unknown, field: UniqueField): string | undefined {
  if (!isObject(course)) return undefined;
  const value = course[field];
  if (typeof value !== "string" || value === "") return undefined;
  if (field === "url") return value;
  if (field === "id") return value.toLowerCase();
  // A key is unique among the courses of a provider.
  const provider = course.provider_id ?? course[PROVIDER_KEY];
  return JSON.stringify([typeof provider === "string" ? provider.toLowerCase() : null, value]);
}
