/** Validates the shape of a seed, and reports the first problem with its path. */
import * as z from "zod/mini";
import { CatalogError } from "../base/errors.ts";
import { isHeaderValue } from "../base/http.ts";
import { isUuid } from "../base/uuid.ts";
import { formatPath, type Path } from "../base/values.ts";
import { hostOf, type Provider } from "../course/provider.ts";
import { asciiSlug } from "./stored-course.ts";

/** The messages for a value of the wrong type, a missing one, and an unknown field. */
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

const line = stringThat((text) => text.trim() !== "", "must not be blank");
const uuid = stringThat(isUuid, "must be a UUID");
const address = stringThat(
  (text) => /^https?:\/\//i.test(text) && hostOf(text) !== undefined,
  "must be an http or https URL",
);
const domain = stringThat((text) => hostOf(text) !== undefined, "must be a domain");
// It is sent as a header value.
const key = stringThat(isHeaderValue, "must be printable ASCII without spaces");

const provider = z.strictObject(
  {
    id: uuid,
    name: line,
    description: z.optional(z.nullable(z.string(mustBe("a string")))),
    slug: z.optional(line),
    url: address,
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
  mustBe("an object with the key users, or a list of providers"),
);

export interface SeedFileUser {
  readonly key: string;
  readonly providers: readonly Provider[];
  /** Not checked yet. */
  readonly courses: readonly unknown[];
  /** The path of the user in the file. */
  readonly path: Path;
}

/** Parses `{users: [...]}`. @throws CatalogError of kind `usage` */
export function parseUsers(value: unknown): SeedFileUser[] {
  return parse(users, value).users.map((written, index) => ({
    key: written.key,
    providers: (written.providers ?? []).map(completeProvider),
    courses: written.courses ?? [],
    path: ["users", index],
  }));
}

/** Parses a list of providers. @throws CatalogError of kind `usage` */
export function parseProviders(value: unknown): Provider[] {
  return parse(providers, value).map(completeProvider);
}

/** What is wrong with a seed, and where. */
export class SeedError extends CatalogError {
  readonly path: Path;
  readonly problem: string;
  /** The place of the cause, which can be inside of the value at `path`. */
  readonly place: Path;

  constructor(path: Path, problem: string, inside: Path = []) {
    super("usage", seedMessage(path, problem));
    this.path = path;
    this.problem = problem;
    this.place = [...path, ...inside];
  }
}

export function seedMessage(path: Path, problem: string): string {
  return `seed: ${[formatPath(path), problem].filter(Boolean).join(": ")}`;
}

function parse<Shape extends z.ZodMiniType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = z.safeParse(shape, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = (issue?.path ?? []).map((step) => (typeof step === "number" ? step : String(step)));
  const extra = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  throw new SeedError([...path, ...extra], issue?.message ?? "must be a seed");
}

/** A provider with its defaults. */
export function completeProvider(written: z.output<typeof provider>): Provider {
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
