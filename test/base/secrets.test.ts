import { describe, expect, test } from "vitest";
import { MASK, maskValue, Secrets } from "../../src/base/secrets.ts";

const KEY = "person.fedcba9876543210";

/** A string with these keys masked. */
function masked(text: string, ...keys: readonly string[]): string {
  const secrets = new Secrets();
  for (const key of keys) secrets.add(key);
  return secrets.mask(text);
}

describe("texts with a key", () => {
  test.each([
    ["each time the full key appears", `${KEY} and ${KEY}`, `${MASK} and ${MASK}`],
    ["without the part before its dot", "fedcba9876543210", MASK],
    ["as a part of a longer word", `x${KEY}y`, `x${MASK}y`],
    ["whose beginning is at the end of a cut text", `x${KEY.slice(0, 19)}…`, `x${MASK}…`],
    [
      "whose beginning is at the end of a cut text in quotes",
      `"x${KEY.slice(7, 18)}"… x`,
      `"x${MASK}"… x`,
    ],
    ["only in full if the text is not cut", KEY.slice(0, 19), KEY.slice(0, 19)],
    ["in a URL", `?key=${encodeURIComponent(KEY)}`, `?key=${MASK}`],
  ])("Secrets masks a key %s", (_, text, expected) => {
    expect(masked(text, KEY)).toBe(expected);
  });

  test("Secrets masks a key in lowercase, as in the host of a URL", () => {
    expect(masked(`https://${KEY}/`, KEY.toUpperCase())).toBe(`https://${MASK}/`);
  });

  test("Secrets masks a key with characters that JSON and URLs escape", () => {
    const key = 'a"b\\c/d.e"f\\g/h+i"j\\k';
    for (const text of [key, JSON.stringify(key), encodeURIComponent(key)]) {
      expect(masked(text, key)).not.toMatch(/[a-k]/);
    }
  });

  test.each(["", "a", "ab", "abc"])("Secrets masks a key in Base64 after %j", (before) => {
    // The second key has characters for which both forms of Base64 differ.
    for (const key of [KEY, "person.~?>~?>~?>~?>"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const encoded = Buffer.from(`${before}${key} and more`).toString(encoding);
        expect(masked(encoded, key)).toMatch(/^.{0,8}\*{8}.{8,16}$/);
      }
    }
  });

  test("Secrets masks a key of eight characters that is the entire text", () => {
    expect(masked("ab.cdefg", "ab.cdefg")).toBe(MASK);
  });

  test("Secrets masks a key in the strings and field names of a value", () => {
    const secrets = new Secrets();
    secrets.add(KEY);
    const value = { [KEY]: [KEY, 7, null, { a: `x ${KEY}` }] };
    expect(maskValue(value, (text) => secrets.mask(text))).toEqual({
      [MASK]: [MASK, 7, null, { a: `x ${MASK}` }],
    });
  });

  test("Secrets masks several keys in one text", () => {
    expect(masked(`${KEY} another.key`, KEY, "another.key")).toBe(`${MASK} ${MASK}`);
  });
});

describe("texts without a key", () => {
  test.each([
    ["if no key is known", `${KEY}…`, []],
    ["that contains other words", "person. fedcba98… 9876543210", [KEY]],
    [
      "that spells the key in another way, because it may be ordinary text",
      "P e r s o n . fedc BA98 7654 3210",
      [KEY],
    ],
    ["if the key is an ordinary word", "developers of x.y", ["dev", "x.y", "e"]],
    ["with only the short part of a key", "the key of them", ["another.key"]],
    ["if the key is empty", "text", [""]],
  ])("Secrets changes no text %s", (_, text, keys) => {
    expect(masked(text, ...keys)).toBe(text);
  });
});
