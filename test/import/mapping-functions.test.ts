/** How the functions of mappings read values of other systems. */
import { describe, expect, test } from "vitest";
import { languageCodes } from "../../src/import/mapping-functions.ts";

describe("languages", () => {
  test.each([
    ["Español e inglés", ["es", "en"]],
    ["Deutsch und Englisch", ["de", "en"]],
    ["Français et anglais", ["fr", "en"]],
    ["Português e espanhol", ["pt", "es"]],
    ["Nederlands en Engels", ["nl", "en"]],
    ["English, French and German", ["en", "fr", "de"]],
    ["Deutsch & Englisch", ["de", "en"]],
    ["日本語と英語", ["ja", "en"]],
    ["en_US; pt", ["en-US", "pt"]],
  ])("languageCodes reads several languages in %s", (text, codes) => {
    expect(languageCodes(text)).toEqual(codes);
  });

  test('languageCodes does not read a language code as the word "and"', () => {
    expect(languageCodes("de en fr")).toEqual(["de en fr"]);
  });
});
