/** Codes of languages, with a country where one is begun, and their names. */
import { COUNTRY_CODES, LANGUAGE_CODES } from "../../course/iso-codes.ts";
import type { Candidate } from "./answer.ts";

/** What `typed` may become: `pt`, or behind `pt-` the countries. */
export function languageCandidates(typed: string): Candidate[] {
  const names = new Intl.DisplayNames("en", { type: "language" });
  const [, language] = /^([a-z]{2})-/.exec(typed) ?? [];
  const codes =
    language === undefined
      ? codesOf(LANGUAGE_CODES)
      : codesOf(COUNTRY_CODES).map((country) => `${language}-${country}`);
  return codes
    .filter((code) => code.startsWith(typed))
    .map((value) => ({ value, description: names.of(value) ?? "" }));
}

/** The codes of a list that keeps them between blanks. */
export function codesOf(list: string): string[] {
  return list.trim().split(" ");
}
