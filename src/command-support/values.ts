/** Turns typed words into typed values; each refusal is a usage error that names the flag. */
import { usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";
import type { ParsedArguments } from "./arguments.ts";

/** The text of a flag, if it was given. */
export function textFlag(words: ParsedArguments, name: string): string | undefined {
  const value = words.flags[name];
  return typeof value === "string" ? value : undefined;
}

/** The texts of a repeatable flag, in their order. */
export function textsFlag(words: ParsedArguments, name: string): readonly string[] {
  const value = words.flags[name];
  return Array.isArray(value) ? value : [];
}

/** Whether a flag without a value was given. */
export function isSet(words: ParsedArguments, name: string): boolean {
  return words.flags[name] === true;
}

/** A whole number of at least `least`. */
export function wholeFlag(words: ParsedArguments, name: string, least: number): number | undefined {
  const text = textFlag(words, name);
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= least && Number.isSafeInteger(value)) return value;
  throw usageError(`--${name} is not a whole number of at least ${least}: ${text}`);
}

/** The values of a flag that is true or false. */
export const BOOLEANS = ["true", "false"] as const;

/** `true` or `false`. */
export function booleanFlag(words: ParsedArguments, name: string): boolean | undefined {
  const text = textFlag(words, name);
  if (text === undefined || text === "true") return text === undefined ? undefined : true;
  if (text === "false") return false;
  throw usageError(`--${name} is neither true nor false: ${text}`);
}

/** One of the closed list that the flag declares. */
export function choiceFlag<Choice extends string>(
  words: ParsedArguments,
  { name, choices }: { readonly name: string; readonly choices: readonly Choice[] },
): Choice | undefined {
  const text = textFlag(words, name);
  if (text === undefined) return undefined;
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  const meant = closest(text, choices);
  throw usageError(
    `--${name} is not one of ${joinList(choices)}: ${text}`,
    meant === undefined ? undefined : `Did you mean ${meant}?`,
  );
}

/** A UUID in lower case. `what` names it in the refusal: `the course id`, `--id`. */
export function uuid(text: string, what: string): string {
  const trimmed = text.trim();
  if (isUuid(trimmed)) return trimmed.toLowerCase();
  throw usageError(
    `${what} is not a UUID: ${JSON.stringify(trimmed)}`,
    'A UUID looks like 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10; "catalog courses ls -o id" lists those of your courses.',
  );
}
