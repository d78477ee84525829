import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeWindows1252, encodeWindows1252 } from "../../src/course/text-rules.ts";

test("bytes that are decoded as Windows-1252 are encoded as the same bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect([...(encodeWindows1252(decodeWindows1252(bytes)) ?? [])]).toEqual([...bytes]);
    }),
  );
});

test.each(["ğ", "ł", "Ω", "–ſ", "日本", "😀", "\u2010"])(
  "%s cannot be encoded in Windows-1252",
  (text) => expect(encodeWindows1252(text)).toBeUndefined(),
);
