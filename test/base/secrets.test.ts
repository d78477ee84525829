import { describe, expect, test } from "vitest";
import { MASK, maskValue, Secrets } from "../../src/base/secrets.ts";

const KEY = "person.fedcba9876543210";

/** A string with these keys masked. */
function masked(text: string, ...keys: readonly string[]): string {
  const secrets = new Secrets();
  for (const key of keys) secrets.add(key);
  return secrets.mask(text);
}

describe("Secrets masks a key", () => {
  test.each([
    ["in full, however often", `${KEY} and ${KEY}`, `${MASK} and ${MASK}`],
    ["without the part before its dot", "fedcba9876543210", MASK],
    ["as a part of a longer word", `x${KEY}y`, `x${MASK}y`],
    ["of which a cut text has the beginning", `x${KEY.slice(0, 19)}…`, `x${MASK}…`],
    [
      "of which a cut text in quotes has the beginning",
      `"x${KEY.slice(7, 18)}"… x`,
      `"x${MASK}"… x`,
    ],
    ["but no beginning that is not cut", KEY.slice(0, 19), KEY.slice(0, 19)],
    ["in a URL", `?key=${encodeURIComponent(KEY)}`, `?key=${MASK}`],
  ])("%s", (_, text, expected) => {
    expect(masked(text, KEY)).toBe(expected);
  });

  test("in lower case, as the host of a URL", () => {
    expect(masked(`https://${KEY}/`, KEY.toUpperCase())).toBe(`https://${MASK}/`);
  });

  test("with characters that JSON and URLs escape", () => {
    const key = 'a"b\\c/d.e"f\\g/h+i"j\\k';
    for (const text of [key, JSON.stringify(key), encodeURIComponent(key)]) {
      expect(masked(text, key)).not.toMatch(/[a-k]/);
    }
  });

  test.each(["", "a", "ab", "abc"])("in Base64, after %j", (before) => {
    // The second key has characters for which both forms of Base64 differ.
    for (const key of [KEY, "person.~?>~?>~?>~?>"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const encoded = Buffer.from(`${before}${key} and more`).toString(encoding);
        expect(masked(encoded, key)).toMatch(/^.{0,8}\*{8}.{8,16}$/);
      }
    }
  });

  test("of eight characters, alone in a text", () => {
    expect(masked("ab.cdefg", "ab.cdefg")).toBe(MASK);
  });

  test("in the strings and keys of a value", () => {
    const secrets = new Secrets();
    secrets.add(KEY);
    const value = { [KEY]: [KEY, 7, null, { a: `x ${KEY}` }] };
    expect(maskValue(value, (text) => secrets.mask(text))).toEqual({
      [MASK]: [MASK, 7, null, { a: `x ${MASK}` }],
    });
  });

  test("if there are several", () => {
    expect(masked(`${KEY} another.key`, KEY, "another.key")).toBe(`${MASK} ${MASK}`);
  });
});

describe("Secrets masks nothing", () => {
  test.each([
    ["without a key", `${KEY}…`, []],
    ["in a string without the key", "person. fedcba98… 9876543210", [KEY]],
    ["in other spellings, which may be a text", "P e r s o n . fedc BA98 7654 3210", [KEY]],
    ["for a key that is an ordinary word", "developers of x.y", ["dev", "x.y", "e"]],
    ["for the short part of a key", "the key of them", ["another.key"]],
    ["for an empty key", "text", [""]],
  ])("%s", (_, text, keys) => {
    expect(masked(text, ...keys)).toBe(text);
  });
});
