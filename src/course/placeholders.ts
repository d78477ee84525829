/** The texts of a starter file that its author has to replace, and the finding for those that remain. */
import type { PlainObject } from "../base/values.ts";
import type { Problem } from "./problem.ts";

/** The end of a placeholder url, which begins with the site of a provider. */
const PLACEHOLDER_PATH = "/replace-this-path";

/** The placeholder of each field that no default can fill. */
export const PLACEHOLDERS: Readonly<Record<string, string>> = {
  name: "Replace this with the name of the course",
  url: `https://academy.example${PLACEHOLDER_PATH}`,
  short_description: "Replace this with what search results show.",
  long_description: "Replace this with the text of the course card.",
};

const ENTRIES = Object.entries(PLACEHOLDERS);

/** The fields of a course that still have the text of the starter file. */
export function* findPlaceholders(course: PlainObject): Generator<Problem> {
  for (const [name, placeholder] of ENTRIES) {
    const value = course[name];
    if (typeof value !== "string") continue;
    const text = value.trim();
    if (text !== placeholder && !(name === "url" && text.endsWith(PLACEHOLDER_PATH))) continue;
    const message = `${name} is still the placeholder of the starter file; replace it`;
    yield { rule: "placeholder", severity: "error", at: "value", path: [name], message };
  }
}
