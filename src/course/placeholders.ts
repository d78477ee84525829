/** Text in place of a value: of the template of `courses init`, and what other templates and programs leave. */
import { isList } from "../base/values.ts";
import { PROVIDER_KEY } from "./field-names.ts";

const LANGUAGE_PLACEHOLDER = "Replace this with a language code";

/** What is wrong with a placeholder. */
export const STILL_PLACEHOLDER = "still has the placeholder text; replace it";

/** The end of a placeholder url, which starts with the website of a provider. */
const PLACEHOLDER_PATH = "/replace-this-path";

/** The placeholders of the template, for each field that only the author can fill in. */
export const PLACEHOLDERS: Readonly<Record<string, unknown>> = {
  name: "Replace this with the name of the course",
  url: `https://academy.example${PLACEHOLDER_PATH}`,
  short_description: "Replace this with what search results show.",
  long_description: "Replace this with the text of the course card.",
  audio: [LANGUAGE_PLACEHOLDER],
  [PROVIDER_KEY]: "Replace this with the slug of your provider",
};

/** Whether the value of a field is the placeholder of the template. */
export function isPlaceholder(name: string, value: unknown): boolean {
  if (isList(value)) return name === "audio" && value.includes(LANGUAGE_PLACEHOLDER);
  if (typeof value !== "string") return false;
  const text = value.trim();
  return text === PLACEHOLDERS[name] || (name === "url" && text.endsWith(PLACEHOLDER_PATH));
}

/** What a template or a program leaves where it had no value. */
const UNFILLED = /\{\{[^{}]*\}\}|\$\{[^{}]*\}|\[object Object\]/g;

/** Whether a value, or a part of a url, was never filled in: `{{ name }}`, `https://academy.example/${slug}`. */
export function isUnfilled(value: string): boolean {
  const left = value.replace(UNFILLED, "");
  return left !== value && (left.trim() === "" || /^https?:/i.test(value));
}
