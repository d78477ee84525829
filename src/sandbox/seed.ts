/** Creates the initial state of a sandbox from a seed. */

import { parseUrl } from "../base/http.ts";
import type { Clock } from "../base/process.ts";
import { isUuid } from "../base/uuid.ts";
import { isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { PROVIDER_KEY } from "../course/field-names.ts";
import { checkOwnership, resolveProvider } from "../course/ownership.ts";
import type { Problem } from "../course/problem.ts";
import { findProvider, hostOf, ownsHost, type Provider } from "../course/provider.ts";
import { isError } from "./body.ts";
import {
  completeProvider,
  parseProviders,
  parseUsers,
  SeedError,
  type SeedFileUser,
} from "./seed-shape.ts";
import type { Seed } from "./store.ts";
import { newSlug, type StoredCourse, toStoredCourse } from "./stored-course.ts";

/** The key of the default user: it has the service's form, and is clearly not a secret. */
export const DEFAULT_KEY = "sandbox.0123456789abcdef";

/** The provider of the default user. */
export const DEFAULT_PROVIDER: Provider = {
  id: "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
  name: "Example Academy",
  description: "",
  slug: "example-academy",
  url: "https://academy.example",
  domain: null,
  published: true,
};

/** One user with one key, one provider and no courses. */
export function defaultSeed(): Seed {
  return { users: [{ key: DEFAULT_KEY, providers: [DEFAULT_PROVIDER], courses: [] }] };
}

/** The seed in a file: `{users: [...]}`, a list of providers, or courses as in `courseSeed`. */
export function parseSeed(value: unknown, clock: Clock): Seed {
  if (isCourse(value)) return courseSeed([value], clock);
  if (!isList(value)) return toSeed(parseUsers(value), clock);
  if (value.some(isCourse)) return courseSeed(value, clock);
  return toSeed([defaultUser(parseProviders(value), [])], clock);
}

/** The seed of courses, for the default user, who owns every provider and site that they name. */
export function courseSeed(courses: readonly unknown[], clock: Clock): Seed {
  const providers = providersFor(courses, [DEFAULT_PROVIDER], clock);
  return toSeed([defaultUser(providers, courses)], clock);
}

function defaultUser(providers: readonly Provider[], courses: readonly unknown[]): SeedFileUser {
  return { key: DEFAULT_KEY, providers, courses, path: [] };
}

function toSeed(users: readonly SeedFileUser[], clock: Clock): Seed {
  rejectDuplicates(users);
  const used = { ids: new Set<string>(), slugs: new Set<string>() };
  return {
    users: users.map(({ key, providers, courses, path }) => ({
      key,
      providers,
      courses: courses.map((course, index) =>
        toSeedCourse(course, providers, [...listPath(path, "courses"), index], used, clock),
      ),
    })),
  };
}

function rejectDuplicates(users: readonly SeedFileUser[]): void {
  const keys = new Set<string>();
  const ids = new Set<string>();
  for (const { key, providers, path } of users) {
    if (keys.has(key)) throw new SeedError([...path, "key"], "belongs to another user too");
    keys.add(key);
    const list = listPath(path, "providers");
    for (const [index, { id }] of providers.entries()) {
      if (!ids.has(id)) ids.add(id);
      else throw new SeedError([...list, index, "id"], "belongs to another provider too");
    }
  }
}

/** The seed of the default user is a list of providers or courses. */
function listPath(user: Path, name: "courses" | "providers"): Path {
  return user.length === 0 ? [] : [...user, name];
}

/** Fields that no provider has, and that no course lacks all of. */
const COURSE_FIELDS = ["provider_id", PROVIDER_KEY, "pace", "audio", "short_description"];

export function isCourse(value: unknown): boolean {
  return isObject(value) && COURSE_FIELDS.some((field) => Object.hasOwn(value, field));
}

/** Applies the rules of POST, but accepts read-only fields, a slug, and the key `provider`. */
function toSeedCourse(
  value: unknown,
  providers: readonly Provider[],
  path: Path,
  used: Readonly<Record<"ids" | "slugs", Set<string>>>,
  clock: Clock,
): StoredCourse {
  const problem = findProblem(value, providers);
  if (problem !== undefined) throw new SeedError(path, problem.message, problem.path);
  if (!isObject(value)) throw new SeedError(path, "is not a course");
  const course = resolveProvider(value, providers);

  const id = typeof course.id === "string" ? course.id.toLowerCase() : clock.uuid();
  if (used.ids.has(id))
    throw new SeedError(path, `id ${id} belongs to another course of the seed too`);
  used.ids.add(id);
  const slug =
    typeof course.slug === "string" && course.slug.trim() !== ""
      ? course.slug
      : newSlug(String(course.name), clock, (candidate) => used.slugs.has(candidate));
  used.slugs.add(slug);
  return toStoredCourse(course, { id, slug, now: clock.now() });
}

function findProblem(course: unknown, providers: readonly Provider[]): Problem | undefined {
  const problem = checkCourse(course).find(isError);
  if (problem !== undefined || !isObject(course)) return problem;
  return checkOwnership(course, providers).find(isError);
}

/**
 * The known providers; for each other one that the courses name, a new one on the site of its first
 * course; and one for each site that none of these has. Invalid courses are skipped.
 */
function providersFor(
  courses: readonly unknown[],
  known: readonly Provider[],
  clock: Pick<Clock, "uuid">,
): Provider[] {
  const providers = [...known];
  const objects = courses.filter(isObject);
  for (const course of objects) {
    const name = course.provider_id ?? course[PROVIDER_KEY];
    if (typeof name !== "string" || findProvider(name, providers).found !== undefined) continue;
    const created = isUuid(name)
      ? newProvider(course, { id: name })
      : newProvider(course, { id: clock.uuid(), name });
    if (created !== undefined) providers.push(created);
  }
  for (const course of objects) {
    const host = hostOf(course.url);
    if (host === undefined || providers.some((provider) => ownsHost(provider, host))) continue;
    const created = newProvider(course, { id: clock.uuid() });
    if (created !== undefined) providers.push(created);
  }
  return providers;
}

function newProvider(
  { url }: PlainObject,
  { id, name }: { id: string; name?: string },
): Provider | undefined {
  const host = hostOf(url);
  const site = typeof url === "string" ? parseUrl(url) : undefined;
  if (host === undefined || site === undefined) return undefined;
  const domain = host.replace(/^www\./, "");
  return completeProvider({ id, name: name ?? domain, url: site.origin, domain });
}
