/** Brings the courses of a seed into the store's form (cli.md section 11). */
import type { Clock } from "../base/clock.ts";
import { isObject, type Path, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { FIELDS } from "../course/fields.ts";
import { checkOwnership, resolveProvider } from "../course/ownership.ts";
import type { Provider } from "../course/provider.ts";
import { type StoredCourse, storedCourse } from "./record.ts";
import { isError } from "./refusal.ts";
import { seedError } from "./seed-shape.ts";
import { newSlug } from "./slug.ts";

/** What may exist only once in a seed. */
export interface Taken {
  readonly ids: Set<string>;
  readonly slugs: Set<string>;
}

/**
 * The course as the store holds it. The rules are those of POST, but read-only fields and the slug
 * are kept, and the file's own `provider` is understood.
 */
export function seedCourse(
  written: unknown,
  providers: readonly Provider[],
  at: Path,
  taken: Taken,
  clock: Clock,
): StoredCourse {
  const fault = courseFault(written, providers);
  if (fault !== undefined || !isObject(written)) throw seedError(at, fault ?? "is not a course");
  const course = resolveProvider(written, providers);

  const id = typeof course.id === "string" ? course.id.toLowerCase() : clock.uuid();
  if (taken.ids.has(id)) throw seedError(at, `id ${id} belongs to another course of the seed too`);
  taken.ids.add(id);
  const slug =
    typeof course.slug === "string" && course.slug.trim() !== ""
      ? course.slug
      : newSlug(String(course.name), clock, (candidate) => taken.slugs.has(candidate));
  taken.slugs.add(slug);
  return storedCourse(course, { id, slug, now: clock.now() });
}

function courseFault(course: unknown, providers: readonly Provider[]): string | undefined {
  const problem = checkCourse(course).find(isError);
  if (problem !== undefined) return problem.message;
  if (!isObject(course)) return undefined;
  return readOnlyFault(course) ?? checkOwnership(course, providers).find(isError)?.message;
}

function readOnlyFault(course: PlainObject): string | undefined {
  const wrong = FIELDS.find(
    ({ name, readOnly }) => readOnly && typeof (course[name] ?? "") !== "string",
  );
  return wrong === undefined ? undefined : `${wrong.name} is not a text`;
}
