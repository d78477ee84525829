/** Makes the state that a sandbox starts from (cli.md sections 9 and 11, "Sandbox"). */
import type { Clock } from "../base/clock.ts";
import { isList, isObject } from "../base/values.ts";
import { PROVIDER_KEY } from "../course/fields.ts";
import type { Provider } from "../course/provider.ts";
import { seedCourse } from "./seed-courses.ts";
import { providersFor } from "./seed-providers.ts";
import { readProviders, readUsers, seedError, type WrittenUser } from "./seed-shape.ts";
import type { Seed } from "./store.ts";

/** The key of the default user; of the service's shape, and plainly no secret. */
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

/** One user with one key and one provider, and no course (cli.md section 9). */
export function defaultSeed(): Seed {
  return { users: [{ key: DEFAULT_KEY, providers: [DEFAULT_PROVIDER], courses: [] }] };
}

/**
 * The seed that a seed file holds: `{users: [...]}`; a list of providers, for the default user; or
 * one course or a list of them, as `courseSeed` takes them.
 *
 * @param value the file's content as plain data
 * @throws CatalogError of kind `usage` that names the place and what is wrong there
 */
export function parseSeed(value: unknown, clock: Clock): Seed {
  if (isCourse(value)) return courseSeed([value], clock);
  if (!isList(value)) return seedOf(readUsers(value), clock);
  if (value.some(isCourse)) return courseSeed(value, clock);
  return seedOf([defaultUser(readProviders(value), [])], clock);
}

/**
 * The seed that a folder of courses makes: all belong to the default user, who also owns every
 * provider that they name and every site that they are on.
 *
 * @throws CatalogError of kind `usage` that names the course and what is wrong with it
 */
export function courseSeed(courses: readonly unknown[], clock: Clock): Seed {
  const providers = providersFor(courses, [DEFAULT_PROVIDER], clock);
  return seedOf([defaultUser(providers, courses)], clock);
}

function defaultUser(providers: readonly Provider[], courses: readonly unknown[]): WrittenUser {
  const at = { key: [], providers: [], courses: ["courses"] };
  return { key: DEFAULT_KEY, providers, courses, at };
}

function seedOf(users: readonly WrittenUser[], clock: Clock): Seed {
  refuseRepeats(users);
  const taken = { ids: new Set<string>(), slugs: new Set<string>() };
  return {
    users: users.map(({ key, providers, courses, at }) => ({
      key,
      providers,
      courses: courses.map((course, index) =>
        seedCourse(course, providers, [...at.courses, index], taken, clock),
      ),
    })),
  };
}

function refuseRepeats(users: readonly WrittenUser[]): void {
  const keys = new Set<string>();
  const ids = new Set<string>();
  for (const { key, providers, at } of users) {
    if (keys.has(key)) throw seedError(at.key, "belongs to another user too");
    keys.add(key);
    for (const [index, { id }] of providers.entries()) {
      const path = [...at.providers, index, "id"];
      if (ids.has(id)) throw seedError(path, "belongs to another provider too");
      ids.add(id);
    }
  }
}

/** Fields that no provider has; a course that lacks one of them has another. */
const OF_COURSES = ["provider_id", PROVIDER_KEY, "pace", "audio", "short_description"];

function isCourse(value: unknown): boolean {
  return isObject(value) && OF_COURSES.some((field) => Object.hasOwn(value, field));
}
