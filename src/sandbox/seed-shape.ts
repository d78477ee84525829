/** Checks the shape of a seed and says what is wrong with it, by path (cli.md section 11). */
import * as z from "zod/mini";
import { CatalogError } from "../base/errors.ts";
import { isHeaderValue } from "../base/header.ts";
import { isUuid } from "../base/uuid.ts";
import { formatPath, type Path } from "../base/values.ts";
import { hostOf, type Provider } from "../course/provider.ts";
import { asciiSlug } from "./slug.ts";

/** The message for a value of the wrong type, which `form` explains; a missing one is called so. */
function typed(expected: string, form = "") {
  return {
    error: ({ code, input }: { code?: string | undefined; input?: unknown }): string => {
      if (code === "unrecognized_keys") return `is not a key of ${expected}`;
      return input === undefined ? "is missing" : `is not ${expected}${form}`;
    },
  };
}

function textThat(passes: (text: string) => boolean, otherwise: string) {
  return z.string(typed("a text")).check(z.refine(passes, otherwise));
}

const line = textThat((text) => text.trim() !== "", "is blank");
const uuid = textThat(isUuid, "is not a UUID");
const address = textThat(
  (text) => /^https?:\/\//i.test(text) && hostOf(text) !== undefined,
  "is not an http or https URL",
);
const domain = textThat((text) => hostOf(text) !== undefined, "is not a domain");
// Sent as a header value, where blanks at the ends and other letters do not survive.
const key = textThat(isHeaderValue, "is not printable ASCII without blanks");

const provider = z.strictObject(
  {
    id: uuid,
    name: line,
    description: z.optional(z.nullable(z.string(typed("a text")))),
    slug: z.optional(line),
    url: address,
    domain: z.optional(z.nullable(domain)),
    published: z.optional(z.boolean(typed("true or false"))),
  },
  typed("a provider"),
);

const providers = z.array(provider, typed("a list of providers"));

const user = z.strictObject(
  {
    key,
    providers: z.optional(providers),
    courses: z.optional(z.array(z.unknown(), typed("a list of courses"))),
  },
  typed("a user"),
);

const users = z.strictObject(
  {
    users: z
      .array(user, typed("a list of users"))
      .check(z.minLength(1, "names no user; at least one is needed")),
  },
  typed("a seed", ": a mapping with the key users, or a list of providers"),
);

/** One user as a seed writes it, the providers complete. */
export interface WrittenUser {
  readonly key: string;
  readonly providers: readonly Provider[];
  /** Not checked yet. */
  readonly courses: readonly unknown[];
  /** Where these stand in the seed. */
  readonly at: Readonly<Record<"key" | "providers" | "courses", Path>>;
}

/** Reads `{users: [...]}`. */
export function readUsers(value: unknown): WrittenUser[] {
  return read(users, value).users.map((written, index) => ({
    key: written.key,
    providers: (written.providers ?? []).map(complete),
    courses: written.courses ?? [],
    at: {
      key: ["users", index, "key"],
      providers: ["users", index, "providers"],
      courses: ["users", index, "courses"],
    },
  }));
}

/** Reads a list of providers. */
export function readProviders(value: unknown): Provider[] {
  return read(providers, value).map(complete);
}

/** The failure of a seed that is wrong at a path. */
export function seedError(path: Path, message: string): CatalogError {
  return new CatalogError(
    "usage",
    `seed: ${[formatPath(path), message].filter(Boolean).join(": ")}`,
  );
}

function read<Shape extends z.ZodMiniType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = z.safeParse(shape, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = (issue?.path ?? []).map((step) => (typeof step === "number" ? step : String(step)));
  const extra = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  throw seedError([...path, ...extra], issue?.message ?? "is not a seed");
}

function complete(written: z.output<typeof provider>): Provider {
  const { id, name, description, slug, url, domain, published } = written;
  return {
    id: id.toLowerCase(),
    name,
    description: description === undefined ? "" : description,
    slug: slug ?? asciiSlug(name, "provider"),
    url,
    domain: domain ?? null,
    published: published ?? true,
  };
}
