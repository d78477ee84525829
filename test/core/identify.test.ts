/** Which urls are one (RFC 3986, section 6.2). */
import { expect, test } from "vitest";
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
