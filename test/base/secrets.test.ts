import { describe, expect, test } from "vitest";
import { MASK, maskValue, Secrets } from "../../src/base/secrets.ts";

const KEY = "person.fedcba9876543210";

/** A string with these keys masked. */
function masked(text: string, ...keys: readonly string[]): string {
  const secrets = new Secrets();
  for (const key of keys) secrets.add(key);
  return secrets.mask(text);
}

describe("Secrets", () => {
  test.each([
    ["a key each time it appears", `${KEY} and x${KEY}y`, `${MASK} and x${MASK}y`, [KEY]],
    ["several keys", `${KEY} another.key`, `${MASK} ${MASK}`, [KEY, "another.key"]],
    ["a key of eight characters", "ab.cdefg", MASK, ["ab.cdefg"]],
    ["nothing for a key of seven characters", "the latest of us", "the latest of us", ["latest "]],
    ["nothing but the key itself", KEY.toUpperCase(), KEY.toUpperCase(), [KEY]],
  ])("Secrets masks %s", (_, text, expected, keys) => {
    expect(masked(text, ...keys)).toBe(expected);
  });

  test("maskValue masks a key in the strings and field names of a value", () => {
    const value = { [KEY]: [KEY, 7, null, { a: `x ${KEY}` }] };
    expect(maskValue(value, (text) => masked(text, KEY))).toEqual({
      [MASK]: [MASK, 7, null, { a: `x ${MASK}` }],
    });
  });
});
