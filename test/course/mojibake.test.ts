/** Text that was decoded in the wrong encoding is found and repaired, and no text of a real course looks damaged. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { findValues } from "../../src/base/values.ts";
import {
  decodeWindows1252,
  encodeWindows1252,
  repairMojibake,
} from "../../src/course/text-rules.ts";
import { realCourses } from "../real-courses.ts";

const asWindows = (text: string) => decodeWindows1252(Buffer.from(text));
const asLatin = (text: string) => Buffer.from(text).toString("latin1");

// Texts of 300 real courses, in 63 languages.
const isString = (value: unknown): value is string => typeof value === "string";
const found = realCourses().flatMap((course) => findValues(course, isString));
const texts = [...new Set(found.map(({ value }) => value))];

test("no text of the real courses looks damaged", () => {
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.filter((text) => repairMojibake(text))).toEqual([]);
});

test.each([
  ["Windows-1252", asWindows],
  ["Latin-1", asLatin],
  ["Windows-1252 twice", (text: string) => asWindows(asWindows(text))],
  ["Latin-1, then as Windows-1252", (text: string) => asWindows(asLatin(text))],
])("of 200 texts that are read as %s, at least 199 are repaired exactly", (_, misread) => {
  const marked = texts.filter((text) => /[^\0-\x7f]/.test(text));
  expect(marked.length).toBeGreaterThan(500);
  const missed = marked.filter((text) => repairMojibake(misread(text)) !== text);
  expect(missed.filter((text) => repairMojibake(misread(text)) !== undefined)).toEqual([]);
  expect(missed.length).toBeLessThan(marked.length / 200);
});

test.each([
  "AMANHÃ…",
  "« Â\u00a0», « À\u00a0», « Ã\u00a0»",
  "PÅ\u00a0SVENSKA",
  "à\u00a0«demain»",
  "£5, 20 °C, 3×½",
  "20Â °C",
  "fÃ¼r und für",
  "a\u00ef\u00bf\u00bdb",
])("%j does not look damaged", (text) => {
  expect(repairMojibake(text)).toBeUndefined();
});

test.each([
  ["Apprendre Ã\u00a0 coder", "Apprendre à coder"],
  ["â€œAâ€\u009d", "“A”"],
  ["NestlÃ©Â®", "Nestlé®"],
  ["\u00ef\u00bb\u00bfKurs", "\ufeffKurs"],
  ["fÃƒÆ’Ã‚Â¼r", "für"],
])("%j is repaired to %j", (damaged, repaired) => {
  expect(repairMojibake(damaged)).toBe(repaired);
});

test("bytes that are decoded as Windows-1252 are encoded as the same bytes, and no other text", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect([...(encodeWindows1252(decodeWindows1252(bytes)) ?? [])]).toEqual([...bytes]);
    }),
  );
  expect(["ğ", "Ω", "–ſ", "日本", "😀"].map(encodeWindows1252)).toEqual(Array(5).fill(undefined));
});
