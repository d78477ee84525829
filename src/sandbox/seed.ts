/** Creates the initial state of a sandbox from a seed, and reports the first problem of the seed with its path. */
import * as z from "zod/mini";
import { isHeaderValue, parseUrl } from "../base/credentials.ts";
import { CatalogError } from "../base/errors.ts";
import type { Clock } from "../base/io.ts";
import { isList, isObject, isUuid, type Path, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { isRejected } from "../course/problem.ts";
import {
  checkOwnership,
  findProvider,
  hostOf,
  ownsHost,
  type Provider,
  resolveProvider,
} from "../course/provider.ts";
import { derivedId } from "../course/request-body.ts";
import { PROVIDER_KEY } from "../course/special-fields.ts";
import { asciiSlug, type Seed, type StoredCourse, toStoredCourse } from "./store.ts";

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

/** What one value has for a user. A list of courses has no list of providers. */
interface SeedPart {
  readonly key: string;
  readonly providers?: readonly Provider[];
  /** Not checked yet. */
  readonly courses: readonly unknown[];
}

/**
 * Parses the values of seed files, and combines what they contain for each user. A list of providers or courses
 * belongs to the default user: `[{"id":"6f0f…","name":"Example Academy","url":"https://academy.example"}]` is read as
 * `{users: [{key: DEFAULT_KEY, providers: [{id: "6f0f…", …}]}]}`. A value `{users: [...]}` has separate users, each with
 * a key, providers and courses.
 *
 * Of two providers with one id, the later one counts. Courses may name the earlier slug and be on the earlier website,
 * so that the courses from before a rename can be loaded.
 *
 * @throws SeedError with a path that begins with the number of the value, then `users`
 */
export function parseSeeds(values: readonly unknown[], clock: Clock): Seed {
  const parts = values.flatMap((value, number) =>
    readParts(value, [number]).map((part, index) => ({ ...part, path: [number, "users", index] })),
  );
  const keys = new Set(parts.map(({ key }) => key));
  const users = [...keys].map((key) => {
    const own = parts.filter((part) => part.key === key);
    return { key, ...combineParts(own, clock) };
  });
  return { users };
}

function readParts(value: unknown, path: Path): readonly SeedPart[] {
  const list = isSeedCourse(value) ? [value] : value;
  if (!isList(list)) return parseUsers(list, path);
  if (list.some(isSeedCourse)) return [{ key: DEFAULT_KEY, courses: list }];
  return parseUsers({ users: [{ key: DEFAULT_KEY, providers: list }] }, path);
}

/** The users of a seed file or data file, with courses that are not checked yet. @throws SeedError */
export function parseUsers(value: unknown, path: Path = []) {
  return parse(value, path).users.map(({ key, providers = [], courses = [] }) => ({
    key,
    providers: providers.map(completeProvider),
    courses,
  }));
}

function combineParts(parts: readonly (SeedPart & { readonly path: Path })[], clock: Clock) {
  const isListed = parts.some((part) => part.providers !== undefined);
  const all = parts.flatMap(({ courses }) => courses);
  let providers = isListed ? [] : providersFor(all, clock);
  // The providers after each part.
  const states = parts.map((part) => {
    const byId = [...providers, ...(part.providers ?? [])].map((each) => [each.id, each] as const);
    providers = [...new Map(byId).values()];
    return providers;
  });
  const courses = parts.flatMap((part, number) => {
    const next = number + 1;
    const known = [...states.slice(0, next).reverse(), ...states.slice(next)];
    return part.courses.map((course, index) =>
      toSeedCourse(course, known, [...part.path, "courses", index], clock),
    );
  });
  return { providers, courses };
}

/** Fields of courses that providers do not have. Every course has at least one of them. */
const COURSE_FIELDS = ["provider_id", PROVIDER_KEY, "pace", "audio", "short_description"];

/** Whether an item of a seed is a course, even with problems, and not a provider. */
export function isSeedCourse(value: unknown): boolean {
  return isObject(value) && COURSE_FIELDS.some((field) => Object.hasOwn(value, field));
}

/**
 * Applies the rules of POST to a course, but accepts read-only fields, a slug, and the field `provider`. Without an id,
 * the course gets the id that a push would derive.
 *
 * @param known lists of providers; the first list that fits the course counts, and the last one has all providers
 */
function toSeedCourse(
  value: unknown,
  known: readonly (readonly Provider[])[],
  path: Path,
  clock: Clock,
): StoredCourse {
  const written = isObject(value) ? value : {};
  const reject = (providers: readonly Provider[]) =>
    checkOwnership(written, providers).find(isRejected);
  const providers = known.find((list) => reject(list) === undefined) ?? known.at(-1) ?? [];
  const problem = checkCourse(value).find(isRejected) ?? reject(providers);
  if (problem !== undefined) throw new SeedError([...path, ...problem.path], problem.message);
  const course = resolveProvider(written, providers);
  return toStoredCourse({ ...course, id: course.id ?? derivedId(course) }, clock);
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
  for (const course of courses.filter(isObject)) {
    const name = course.provider_id ?? course[PROVIDER_KEY];
    if (typeof name !== "string" || findProvider(name, providers).found !== undefined) continue;
    if (isUuid(name)) add(course, name);
    else add(course, clock.uuid(), name);
  }
  for (const course of courses.filter(isObject)) {
    const host = hostOf(course.url) ?? "";
    if (!providers.some((each) => ownsHost(each, host))) add(course, clock.uuid());
  }
  return providers;
}

function text(fits: (value: string) => boolean, expected: string) {
  const isFit = (value: unknown): boolean => typeof value === "string" && fits(value);
  return z.custom<string>(isFit, `must be ${expected}`);
}

const isFilled = (value: string): boolean => value.trim() !== "";
const isSite = (url: string) => /^https?:\/\//i.test(url) && hostOf(url) !== undefined;
const domain = text((value) => hostOf(value) !== undefined, "a domain");

const provider = z.strictObject({
  id: text(isUuid, "a UUID"),
  name: text(isFilled, "a string that is not blank"),
  description: z.nullish(z.string()),
  slug: z.optional(text(isFilled, "a string that is not blank")),
  url: text(isSite, "an http or https URL"),
  domain: z.nullish(z.union([domain, z.array(domain)], "must be a domain or a list of domains")),
  published: z.optional(z.boolean()),
});

const user = z.strictObject({
  // It is sent as a header value.
  key: text(isHeaderValue, "printable ASCII without spaces"),
  providers: z.optional(z.array(provider)),
  courses: z.optional(z.array(z.unknown())),
});

const file = z.strictObject(
  { users: z.array(user).check(z.minLength(1, "must have a user")) },
  "must be an object with the field users, or a list of providers or courses",
);

function parse(value: unknown, start: Path): z.output<typeof file> {
  const error: z.core.$ZodErrorMap = ({ expected }) =>
    `must be ${expected === "array" ? "a list" : `of the type ${expected}`}`;
  const result = z.safeParse(file, value, { error });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const inside = (issue?.path ?? []).map((step) =>
    typeof step === "number" ? step : String(step),
  );
  const path = [...start, ...inside];
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    throw new SeedError([...path, key], `unknown field ${JSON.stringify(key)}`);
  }
  const name = inside.findLast((step) => typeof step === "string") ?? "it";
  throw new SeedError(path, `${name} ${issue?.message}`);
}

/** The provider with default values for the fields that the seed omits. */
function completeProvider(written: z.output<typeof provider>): Provider {
  const { id, name, description = "", slug, url, domain = null, published = true } = written;
  const own = { id: id.toLowerCase(), name, description };
  return { ...own, slug: slug ?? asciiSlug(name, "provider"), url, domain, published };
}
