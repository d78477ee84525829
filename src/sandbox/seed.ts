/** Creates the initial state of a sandbox from a seed, and reports the first problem of the seed with its path. */
import * as z from "zod/mini";
import { CatalogError } from "../base/errors.ts";
import { isHeaderValue, parseUrl } from "../base/http.ts";
import type { Clock } from "../base/process.ts";
import {
  formatPath,
  isList,
  isObject,
  isUuid,
  type Path,
  type PlainObject,
} from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { PROVIDER_KEY } from "../course/field-names.ts";
import { isRejected, type Problem } from "../course/problem.ts";
import { findProvider, hostOf, ownsHost, type Provider } from "../course/provider.ts";
import { checkOwnership, resolveProvider } from "../course/provider-ownership.ts";
import { asciiSlug, newSlug, type Seed, type StoredCourse, toStoredCourse } from "./store.ts";

/** The API key of the default user. The key has the service's form, and is clearly not a secret. */
export const DEFAULT_KEY = "sandbox.0123456789abcdef";

export const DEFAULT_PROVIDER: Provider = {
  id: "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
  name: "Example Academy",
  description: "",
  slug: "example-academy",
  url: "https://academy.example",
  domain: null,
  published: true,
};

/** The seed without a file: one user with one API key, one provider and no courses. */
export function defaultSeed(): Seed {
  return { users: [{ key: DEFAULT_KEY, providers: [DEFAULT_PROVIDER], courses: [] }] };
}

/**
 * Parses the value of a seed file. A list of providers or courses belongs to the default user:
 * `[{"id":"6f0f…","name":"Example Academy","url":"https://academy.example"}]` gives
 * `{users: [{key: DEFAULT_KEY, providers: [{id: "6f0f…", …}], courses: []}]}`. A value `{users: [...]}` has
 * separate users, each with a key, providers and courses.
 *
 * @throws SeedError
 */
export function parseSeed(value: unknown, clock: Clock): Seed {
  if (isSeedCourse(value)) return courseSeed([value], clock);
  if (!isList(value)) return toSeed(parseUsers(value), clock);
  if (value.some(isSeedCourse)) return courseSeed(value, clock);
  return toSeed([defaultUser(parseProviders(value), [])], clock);
}

/** The seed for a list of courses of the default user, who gets every provider that the courses name or need. */
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
    if (keys.has(key)) {
      throw new SeedError([...path, "key"], "must be unique: another user has the same key");
    }
    keys.add(key);
    const list = listPath(path, "providers");
    for (const [index, { id }] of providers.entries()) {
      const problem = "must be unique: another provider has the same id";
      if (ids.has(id)) throw new SeedError([...list, index, "id"], problem);
      ids.add(id);
    }
  }
}

/** The path of a user's list. A seed for the default user is itself the list, and has the empty path. */
function listPath(user: Path, name: "courses" | "providers"): Path {
  return user.length === 0 ? [] : [...user, name];
}

/** Fields of courses that providers do not have. Every course has at least one of them. */
const COURSE_FIELDS = ["provider_id", PROVIDER_KEY, "pace", "audio", "short_description"];

/** Whether an item of a seed is a course, even with problems, and not a provider. */
export function isSeedCourse(value: unknown): boolean {
  return isObject(value) && COURSE_FIELDS.some((field) => Object.hasOwn(value, field));
}

/** Applies the rules of POST to a course, but accepts read-only fields, a slug, and the field `provider`. */
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
  if (used.ids.has(id)) {
    throw new SeedError(path, `id must be unique: another course in the seed has the id ${id}`);
  }
  used.ids.add(id);
  const slug =
    typeof course.slug === "string" && course.slug.trim() !== ""
      ? course.slug
      : newSlug(String(course.name), clock, (candidate) => used.slugs.has(candidate));
  used.slugs.add(slug);
  return toStoredCourse(course, { id, slug, now: clock.now() });
}

function findProblem(course: unknown, providers: readonly Provider[]): Problem | undefined {
  const problem = checkCourse(course).find(isRejected);
  if (problem !== undefined || !isObject(course)) return problem;
  return checkOwnership(course, providers).find(isRejected);
}

/**
 * Completes the known providers: adds a provider for each other name in the courses, on the website of its first
 * course, and then a provider for each website that no provider has. Invalid courses are skipped.
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

/** The messages for a value of the wrong type, a missing value, and an unknown field. */
function mustBe(expected: string) {
  return {
    error: ({ code, input }: { code?: string | undefined; input?: unknown }): string => {
      if (code === "unrecognized_keys") return "unknown field";
      return input === undefined ? "is missing" : `must be ${expected}`;
    },
  };
}

function stringThat(passes: (text: string) => boolean, otherwise: string) {
  return z.string(mustBe("a string")).check(z.refine(passes, otherwise));
}

const nonBlank = stringThat((text) => text.trim() !== "", "must not be blank");
const uuid = stringThat(isUuid, "must be a UUID");
const url = stringThat(
  (text) => /^https?:\/\//i.test(text) && hostOf(text) !== undefined,
  "must be an http or https URL",
);
const domain = stringThat((text) => hostOf(text) !== undefined, "must be a domain");
// It is sent as a header value.
const key = stringThat(isHeaderValue, "must be printable ASCII without spaces");

const provider = z.strictObject(
  {
    id: uuid,
    name: nonBlank,
    description: z.optional(z.nullable(z.string(mustBe("a string")))),
    slug: z.optional(nonBlank),
    url,
    domain: z.optional(
      z.nullable(z.union([domain, z.array(domain)], mustBe("a domain or a list of domains"))),
    ),
    published: z.optional(z.boolean(mustBe("true or false"))),
  },
  mustBe("a provider"),
);

const providers = z.array(provider, mustBe("a list of providers"));

const user = z.strictObject(
  {
    key,
    providers: z.optional(providers),
    courses: z.optional(z.array(z.unknown(), mustBe("a list of courses"))),
  },
  mustBe("a user"),
);

const users = z.strictObject(
  {
    users: z
      .array(user, mustBe("a list of users"))
      .check(z.minLength(1, "must have at least one user")),
  },
  mustBe("an object with the field users, or a list of providers or courses"),
);

interface SeedFileUser {
  readonly key: string;
  readonly providers: readonly Provider[];
  /** The courses, which are not checked yet. */
  readonly courses: readonly unknown[];
  /** The path of the user in the file; empty for the default user. */
  readonly path: Path;
}

function parseUsers(value: unknown): SeedFileUser[] {
  return parse(users, value).users.map((written, index) => ({
    key: written.key,
    providers: (written.providers ?? []).map(completeProvider),
    courses: written.courses ?? [],
    path: ["users", index],
  }));
}

function parseProviders(value: unknown): Provider[] {
  return parse(providers, value).map(completeProvider);
}

/** What is wrong with a seed, and where; an error of kind `usage`. */
export class SeedError extends CatalogError {
  readonly path: Path;
  readonly problem: string;
  /** The path of the cause, which can be inside the value at `path`. */
  readonly place: Path;

  constructor(path: Path, problem: string, inside: Path = []) {
    super("usage", `seed: ${[formatPath(path), problem].filter(Boolean).join(": ")}`);
    this.path = path;
    this.problem = problem;
    this.place = [...path, ...inside];
  }
}

function parse<Shape extends z.ZodMiniType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = z.safeParse(shape, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = (issue?.path ?? []).map((step) => (typeof step === "number" ? step : String(step)));
  const extra = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  throw new SeedError([...path, ...extra], issue?.message ?? "must be a seed");
}

/** The provider with default values for the fields that the seed omits. */
function completeProvider(written: z.output<typeof provider>): Provider {
  const { id, name, description = "", slug, url, domain = null, published = true } = written;
  return {
    id: id.toLowerCase(),
    name,
    description,
    slug: slug ?? asciiSlug(name, "provider"),
    url,
    domain,
    published,
  };
}
