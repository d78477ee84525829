import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeWindows1252, encodeWindows1252 } from "../../src/course/mojibake.ts";

test("Windows-1252 decodes the bytes from 0x80 to 0x9f to the characters that browsers and Excel read", () => {
  const bytes = Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index);
  expect(decodeWindows1252(bytes)).toBe("€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ");
});

test("Windows-1252 decodes every other byte to the character of the same number", () => {
  const rest = [...Array(256).keys()].filter((byte) => byte < 0x80 || byte > 0x9f);
  expect(decodeWindows1252(Uint8Array.from(rest))).toBe(String.fromCharCode(...rest));
});

test("bytes that are decoded as Windows-1252 are encoded as the same bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect([...(encodeWindows1252(decodeWindows1252(bytes)) ?? [])]).toEqual([...bytes]);
    }),
  );
});

test("control characters that Latin-1 has for quotes are encoded as their own bytes", () => {
  expect(encodeWindows1252("a\x80\x93\xff")).toEqual(Buffer.from([0x61, 0x80, 0x93, 0xff]));
});

test.each(["ğ", "ł", "Ω", "–ſ", "日本", "😀", "\u2010"])(
  "%s cannot be encoded in Windows-1252",
  (text) => expect(encodeWindows1252(text)).toBeUndefined(),
);
