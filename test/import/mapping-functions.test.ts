/** How the functions of mappings read values of other systems. */
import { describe, expect, test } from "vitest";
import { languageCodes } from "../../src/import/mapping-functions.ts";

describe("languages", () => {
  test.each([
    ["Español, English", ["es", "en"]],
    ["Deutsch / 日本語", ["de", "ja"]],
    ["English, French and German", ["en", "fr", "de"]],
    ["Português & Nederlands", ["pt", "nl"]],
    ["Portuguese (Brazil)", ["pt-BR"]],
    ["Englisch, 英語", ["Englisch", "英語"]],
    ["en_US; pt", ["en-US", "pt"]],
  ])("languageCodes reads several languages in %s", (text, codes) => {
    expect(languageCodes(text)).toEqual(codes);
  });

  test('languageCodes does not read a language code as the word "and"', () => {
    expect(languageCodes("de en fr")).toEqual(["de en fr"]);
  });
});
