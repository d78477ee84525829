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
    ["in JSON escapes", '{"a": "person\\u002Efed\\u0063ba987654321\\u0030"}', `{"a": "${MASK}"}`],
    ["in upper case", `KEY ${KEY.toUpperCase()}`, `KEY ${MASK}`],
    ["percent-encoded twice", "person%252efed%2563ba987654321%252530", MASK],
    ["in escapes of other languages", "\\x70erson%u002efedcba987654321\\x30", MASK],
    ["in HTML entities", "&#112;erson&#x2E;fed&#x63ba98765432&#0049;0", MASK],
    ["with variation selectors in it", [...KEY].join("\ufe0f"), MASK],
    ["with tags in it", [...KEY].join("\u{e0041}"), MASK],
    ["with directions in it", [...KEY].join("\u202c"), MASK],
    ["with invisible characters", "per\u200bson.fedc\u00adba98\ufeff76543210", MASK],
    ["with line breaks, tabs and spaces in it", "per\nson.fe dc\r\n\tba9876543210", MASK],
    ["with line breaks of JSON in it", "per\\nson.fedc\\r\\n\\u0062a9876543210", MASK],
    ["where a table cut it short", "person.fedcba98… and more", `${MASK}… and more`],
    ["where a table cut the secret part", "see fedcba98765…", `see ${MASK}…`],
    ["at each of several cuts", "a… person.fed…\nfedcba98765…", `a… ${MASK}…\n${MASK}…`],
  ])("%s", (_, text, expected) => {
    expect(masked(text, KEY)).toBe(expected);
  });

  test("with characters that JSON and URLs escape", () => {
    const key = 'a"b\\c/d.e"f\\g/h+i"j\\k';
    for (const text of [
      key,
      JSON.stringify(key),
      encodeURIComponent(key),
      key.replaceAll("/", "\\/"),
      key.replaceAll('"', "&quot;"),
    ]) {
      expect(masked(text, key)).not.toMatch(/[a-k]/);
    }
  });

  test.each(["\n", "\\n", "\r\n "])("in Base64 that %j wraps, as in mail", (end) => {
    const encoded = Buffer.from(`Bearer ${KEY}, again and again`).toString("base64");
    expect(masked(encoded.replace(/.{5}/g, `$&${end}`), KEY)).toMatch(/^QmVhc.{0,20}\*{8}/s);
  });

  test("in linear time, also after many backslashes", () => {
    const text = "\\".repeat(100_000);
    expect(masked(`${text}${KEY}`, KEY)).toBe(`${text}${MASK}`);
  });

  test("of eight characters, alone in a text", () => {
    expect(masked("ab.cdefg", "ab.cdefg")).toBe(MASK);
  });

  test("that is a number, with the digits that JSON keeps of it", () => {
    const keys = ["12345678901234567890123", "1234567890.12345678901234"];
    const value = keys.map(Number);
    const secrets = new Secrets();
    for (const key of keys) secrets.add(key);
    const shown = maskValue([...value, 7], (text) => secrets.mask(text));
    expect(shown).toEqual([MASK, MASK, 7]);
  });

  test("if there are several", () => {
    expect(masked(`${KEY} another.key`, KEY, "another.key")).toBe(`${MASK} ${MASK}`);
  });
});

describe("Secrets masks nothing", () => {
  test.each([
    ["without a key", `${KEY}…`, []],
    ["in a string without the key", "person. fedcba98… 9876543210", [KEY]],
    ["if only the first characters of the key appear", "person.fe…", [KEY]],
    ["for a key that is an ordinary word", "developers of x.y", ["dev", "x.y", "e"]],
    ["for the short part of a key", "the key of them", ["another.key"]],
    ["for an empty key", "text", [""]],
  ])("%s", (_, text, keys) => {
    expect(masked(text, ...keys)).toBe(text);
  });
});
