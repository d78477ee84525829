/** Creates the initial state of a sandbox from a seed, and reports the first problem of the seed with its path. */
import * as z from "zod/mini";
import { CatalogError } from "../base/errors.ts";
import { isHeaderValue, parseUrl } from "../base/http.ts";
import type { Clock } from "../base/process.ts";
import { isList, isObject, isUuid, type Path, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { PROVIDER_KEY } from "../course/field-names.ts";
import { isRejected } from "../course/problem.ts";
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

/** What is wrong with a seed; an error of kind `usage`. */
export class SeedError extends CatalogError {
  /** Where in the seed it is. */
  readonly path: Path;

  constructor(path: Path, problem: string) {
    super("usage", `seed: ${problem}`);
    this.path = path;
  }
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
  const list = parse(providers, value).map(completeProvider);
  return toSeed([{ key: DEFAULT_KEY, providers: list, courses: [], path: [] }], clock);
}

/** The seed for a list of courses of the default user, who gets every provider that the courses name or need. */
export function courseSeed(courses: readonly unknown[], clock: Clock): Seed {
  const list = providersFor(courses, clock);
  return toSeed([{ key: DEFAULT_KEY, providers: list, courses, path: [] }], clock);
}

/** The users of a seed file or data file. @throws SeedError */
export function parseUsers(value: unknown): SeedFileUser[] {
  return parse(users, value).users.map((written, index) => ({
    key: written.key,
    providers: (written.providers ?? []).map(completeProvider),
    courses: written.courses ?? [],
    path: ["users", index],
  }));
}

interface SeedFileUser {
  readonly key: string;
  readonly providers: readonly Provider[];
  /** The courses, which are not checked yet. */
  readonly courses: readonly unknown[];
  /** The path of the user in the file; empty for the default user, whose only list is the file. */
  readonly path: Path;
}

function toSeed(users: readonly SeedFileUser[], clock: Clock): Seed {
  const used = new Set<string>();
  const claim = (text: string, path: Path, what: string): void => {
    if (used.has(text))
      throw new SeedError(path, `${what} must be unique: another one has ${text}`);
    used.add(text);
  };
  const place = (user: Path, list: string, index: number): Path =>
    user.length === 0 ? [index] : [...user, list, index];
  for (const { key, providers, path } of users) {
    claim(`the key ${key}`, [...path, "key"], "key");
    for (const [index, { id }] of providers.entries()) {
      claim(`the id ${id}`, [...place(path, "providers", index), "id"], "id");
    }
  }
  const slugs = new Set<string>();
  const seeded = users.map(({ key, providers, courses, path }) => ({
    key,
    providers,
    courses: courses.map((course, index) => {
      const at = place(path, "courses", index);
      const stored = toSeedCourse(course, providers, at, slugs, clock);
      claim(`the id ${stored.id}`, at, "id");
      slugs.add(stored.slug);
      return stored;
    }),
  }));
  return { users: seeded };
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
  slugs: ReadonlySet<string>,
  clock: Clock,
): StoredCourse {
  const written = isObject(value) ? value : {};
  const problem =
    checkCourse(value).find(isRejected) ?? checkOwnership(written, providers).find(isRejected);
  if (problem !== undefined) throw new SeedError([...path, ...problem.path], problem.message);
  const course = resolveProvider(written, providers);
  const id = typeof course.id === "string" ? course.id.toLowerCase() : clock.uuid();
  const slug =
    typeof course.slug === "string" && course.slug.trim() !== ""
      ? course.slug
      : newSlug(String(course.name), clock, (candidate) => slugs.has(candidate));
  return toStoredCourse(course, { id, slug, now: clock.now() });
}

/**
 * The providers of a list of courses: the default one, one for each other name in the courses, on the website of its
 * first course, and one for each website that no provider has.
 */
function providersFor(courses: readonly unknown[], clock: Pick<Clock, "uuid">): Provider[] {
  const providers = [DEFAULT_PROVIDER];
  const add = ({ url }: PlainObject, id: string, name?: string): void => {
    const site = typeof url === "string" ? parseUrl(url) : undefined;
    const domain = hostOf(url)?.replace(/^www\./, "");
    if (site === undefined || domain === undefined) return;
    providers.push(completeProvider({ id, name: name ?? domain, url: site.origin, domain }));
  };
  const objects = courses.filter(isObject);
  for (const course of objects) {
    const name = course.provider_id ?? course[PROVIDER_KEY];
    if (typeof name !== "string" || findProvider(name, providers).found !== undefined) continue;
    if (isUuid(name)) add(course, name);
    else add(course, clock.uuid(), name);
  }
  for (const course of objects) {
    const host = hostOf(course.url);
    const isOwned = providers.some((each) => host === undefined || ownsHost(each, host));
    if (!isOwned) add(course, clock.uuid());
  }
  return providers;
}

function text(fits: (value: string) => boolean, expected: string) {
  const isFit = (value: unknown): boolean => typeof value === "string" && fits(value);
  return z.custom<string>(isFit, `must be ${expected}`);
}

const isFilled = (value: string): boolean => value.trim() !== "";
const domain = text((value) => hostOf(value) !== undefined, "a domain");

const provider = z.strictObject(
  {
    id: text(isUuid, "a UUID"),
    name: text(isFilled, "a string that is not blank"),
    description: z.optional(z.nullable(z.string("must be a string"))),
    slug: z.optional(text(isFilled, "a string that is not blank")),
    url: text(
      (url) => /^https?:\/\//i.test(url) && hostOf(url) !== undefined,
      "an http or https URL",
    ),
    domain: z.optional(
      z.nullable(z.union([domain, z.array(domain)], "must be a domain or a list of domains")),
    ),
    published: z.optional(z.boolean("must be true or false")),
  },
  "must be a provider",
);

const providers = z.array(provider, "must be a list of providers");

const user = z.strictObject(
  {
    // It is sent as a header value.
    key: text(isHeaderValue, "printable ASCII without spaces"),
    providers: z.optional(providers),
    courses: z.optional(z.array(z.unknown(), "must be a list of courses")),
  },
  "must be a user",
);

const users = z.strictObject(
  { users: z.array(user, "must be a list of users").check(z.minLength(1, "must have a user")) },
  "must be an object with the field users, or a list of providers or courses",
);

function parse<Shape extends z.ZodMiniType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = z.safeParse(shape, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = (issue?.path ?? []).map((step) => (typeof step === "number" ? step : String(step)));
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    throw new SeedError([...path, key], `unknown field ${JSON.stringify(key)}`);
  }
  const name = path.findLast((step) => typeof step === "string") ?? "it";
  throw new SeedError(path, `${name} ${issue?.message}`);
}

/** The provider with default values for the fields that the seed omits. */
function completeProvider(written: z.output<typeof provider>): Provider {
  const { id, name, description = "", slug, url, domain = null, published = true } = written;
  const own = { id: id.toLowerCase(), name, description };
  return { ...own, slug: slug ?? asciiSlug(name, "provider"), url, domain, published };
}
