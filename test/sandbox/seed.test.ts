import { describe, expect, test } from "vitest";
import { parseSeeds } from "../../src/sandbox/seed.ts";
import { uuid5 } from "../core/plans.ts";
import { course, PROVIDER_ID } from "../rig.ts";
import { ID, numbered, OTHER_ID, testClock } from "./rig.ts";

const ACADEMY = { id: PROVIDER_ID, name: "Example Academy", url: "https://academy.example" };
const OTHER = { id: OTHER_ID, name: "Ünder Wasser", url: "https://other.example" };

const named = (provider: string, url: string) => course({ provider_id: undefined, provider, url });

/** Expects a usage error about seeds. */
function expectRefused(values: readonly unknown[], message: string): void {
  const error = expect.objectContaining({ kind: "usage", message });
  expect(() => parseSeeds(values, testClock())).toThrow(error);
}

const users = (...list: unknown[]) => ({ users: list });
const withProvider = (provider: unknown) => users({ key: "a.1", providers: [ACADEMY, provider] });
const withCourses = (...courses: unknown[]) => users({ key: "a.1", providers: [ACADEMY], courses });

test.each([
  [null, "seed: it must be an object with the field users, or a list of providers or courses"],
  [{}, "seed: users must be a list"],
  [users(), "seed: users must have a user"],
  [users({ key: "a b" }), "seed: key must be printable ASCII without spaces"],
  [users({ key: "a.1", providers: {} }), "seed: providers must be a list"],
  [withProvider({ ...OTHER, url: "x" }), "seed: url must be an http or https URL"],
  [withProvider({ ...OTHER, id: "x" }), "seed: id must be a UUID"],
  [withProvider({ ...OTHER, domain: "a b" }), "seed: domain must be a domain or a list of domains"],
  [withProvider({ ...OTHER, sulg: "x" }), 'seed: unknown field "sulg"'],
  [
    withCourses(course({ provider_id: OTHER_ID })),
    "seed: provider_id 7c2f3c1e-93a4-4a4e-8a3b-0c1f2e3d4b5a is not the id of one of your providers (example-academy)",
  ],
])("an invalid seed of users is rejected (case %#): $1", (value, message) => {
  expectRefused([value], message);
});
test("a seed of courses gives the default user the courses, the default provider and the named providers", () => {
  const courses = [
    course({ id: ID }),
    course({ provider_id: numbered(1), url: "https://www.stitch.example:8443/a/b" }),
    course({ provider_id: numbered(1), url: "https://shop.elsewhere.example/d" }),
    named("Ünder Wasser", "https://wet.example/e"),
    named("example-academy", String(course().url)),
  ];
  const [user, ...others] = parseSeeds([courses], testClock()).users;
  expect([user?.key, others]).toEqual(["sandbox.0123456789abcdef", []]);
  expect(user?.providers).toMatchObject([
    { id: PROVIDER_ID, slug: "example-academy", domain: null },
    {
      id: numbered(1),
      name: "stitch.example",
      slug: "stitch-example",
      url: "https://www.stitch.example:8443",
      domain: "stitch.example",
    },
    { name: "Ünder Wasser", slug: "under-wasser", url: "https://wet.example" },
    { name: "shop.elsewhere.example", url: "https://shop.elsewhere.example" },
  ]);
  const owners = user?.courses.map(({ provider_id }) => provider_id);
  const wet = user?.providers[2]?.id;
  expect(owners).toEqual([PROVIDER_ID, numbered(1), numbered(1), wet, PROVIDER_ID]);
});

test("a course of a seed without an id gets the id that a push derives from its key or url", () => {
  const keyed = course({ key: "knit-1", url: "https://academy.example/keyed" });
  const { users } = parseSeeds([[course(), keyed]], testClock());
  expect(users[0]?.courses.map(({ id }) => id)).toEqual([
    uuid5(String(course().url), PROVIDER_ID),
    uuid5("key:knit-1", PROVIDER_ID),
  ]);
});

describe("several seeds", () => {
  const RENAMED = { ...ACADEMY, slug: "new-academy", url: "https://new.example" };

  test("a course names the provider that had the slug when its seed was made", () => {
    const swapped = [
      { ...ACADEMY, slug: "under-wasser" },
      { ...OTHER, slug: "example-academy" },
    ];
    const old = named("example-academy", "https://academy.example/a");
    const [user] = parseSeeds([[ACADEMY, OTHER], [old], swapped], testClock()).users;
    expect(user?.courses).toMatchObject([{ provider_id: PROVIDER_ID }]);
  });

  test("a course whose provider or website no seed has is rejected, with the names of all providers", () => {
    for (const [other, message] of [
      [
        named("unknown", "https://academy.example/a"),
        'seed: provider "unknown" is not one of your providers (new-academy and under-wasser)',
      ],
      [
        named("new-academy", "https://elsewhere.example/a"),
        "seed: url is on elsewhere.example, which is not the website of one of your providers (new.example and other.example)",
      ],
    ] as const) {
      expectRefused([[ACADEMY, OTHER], [other], [RENAMED]], message);
    }
  });

  test("seeds with users are united by their API keys", () => {
    const users = [{ key: "a.1", providers: [ACADEMY], courses: [course()] }, { key: "b.2" }];
    const later = { users: [{ key: "a.1", providers: [OTHER] }] };
    const seed = parseSeeds([{ users }, later], testClock());
    expect(seed.users).toMatchObject([
      { key: "a.1", providers: [ACADEMY, OTHER], courses: [{ provider_id: PROVIDER_ID }] },
      { key: "b.2", providers: [] },
    ]);
  });
});
