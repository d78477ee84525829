/** Which urls are one (RFC 3986, section 6.2), and whose key is meant. */
import { expect, test } from "vitest";
import type { PlainObject } from "../../src/base/values.ts";
import { CourseIndex } from "../../src/core/identify.ts";
import { providerIn } from "../../src/course/provider.ts";
import { derivedId } from "../../src/course/request-body.ts";
import { normalizeUrl } from "../../src/course/special-fields.ts";

test.each([
  ["https://a.example/x", "HTTPS://A.example:443/x/", true],
  ["https://a.example/~x", "https://a.example/%7ex", true],
  ["https://a.example/ä", "https://a.example/%c3%a4", true],
  ["https://a.example/b/../x/?q=1", "https://a.example/x?q=1", true],
  ["https://a.example/x", "https://a.example/X", false],
  ["https://a.example/x", "https://a.example/x//", false],
  ["https://a.example/x", "http://a.example/x", false],
  ["https://a.example/a%2Fb", "https://a.example/a/b", false],
])("%s and %s are one url: %s", (one, other, isSame) => {
  expect(normalizeUrl(one) === normalizeUrl(other)).toBe(isSame);
});

const [MINE, YOURS] = [
  "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
  "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b22",
];
const PROVIDERS = [MINE, YOURS].map((id) => providerIn({ id }));
const COURSE = { key: "K", provider_id: MINE, url: "https://a.example/x" };

test.each([
  [MINE, "found"],
  [YOURS, "free"],
  [undefined, "found"],
])("a key of the provider %s is, where another provider has it, %s", (provider, is) => {
  const inCatalog = { ...COURSE, key: undefined, id: derivedId(COURSE) };
  for (const known of [COURSE, inCatalog]) {
    const index = new CourseIndex<PlainObject>([known], PROVIDERS);
    const named = { key: "K", url: "https://a.example/y" };
    expect(index.identify(provider ? { ...named, provider_id: provider } : named).is).toBe(is);
  }
});
