/** Validates the content of a config file, the project's or the user's, and locates syntax errors. */
import { quoteUnlessKey } from "../base/credentials.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import type { Unfit } from "../base/open-file.ts";
import { requireChoice, suggest } from "../base/suggest.ts";
import { truncate } from "../base/text.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { RULES, type RuleId } from "../course/problem.ts";
import { SETTINGS } from "./table.ts";

export interface ConfigFile {
  readonly file: string;
  /** The settings outside profiles. */
  readonly values: PlainObject;
  readonly profiles: Readonly<Record<string, PlainObject>>;
}

/** The keys whose values are objects; they are not part of a profile. */
const OBJECT_KEYS = ["profiles", "rules"];
const KEYS = [...Object.values(SETTINGS).map(({ configKey }) => configKey), ...OBJECT_KEYS];

/** The settings and profiles in parsed data. No message contains a value, which may be the key. */
export function parseConfig(file: string, config: unknown): ConfigFile {
  if (!isObject(config)) throw usageError(`the config file ${file} must be an object of settings`);
  checkKeys(file, config, KEYS, "");
  const profiles = config.profiles ?? {};
  if (!isObject(profiles)) throw usageError(`profiles in ${file} must be an object of profiles`);
  const profileKeys = KEYS.filter((key) => key !== "profile" && !OBJECT_KEYS.includes(key));
  const parsed = Object.entries(profiles).map(([name, values]): [string, PlainObject] => {
    const path = `profiles.${isPrintable(name) ? name : "…"}`;
    if (!isObject(values)) throw usageError(`${path} in ${file} must be an object of settings`);
    checkKeys(file, values, profileKeys, `${path}.`);
    return [name, values];
  });
  const values = Object.fromEntries(Object.entries(config).filter(([key]) => key !== "profiles"));
  return { file, values, profiles: Object.fromEntries(parsed) };
}

/** Whether parsed data has at least one of our settings. */
export function hasSettings(config: unknown): boolean {
  return isObject(config) && KEYS.some((key) => Object.hasOwn(config, key));
}

function checkKeys(
  file: string,
  values: PlainObject,
  known: readonly string[],
  prefix: string,
): void {
  for (const [key, value] of Object.entries(values)) {
    if (!known.includes(key)) throw unknownSetting(file, prefix, key, known);
    if (OBJECT_KEYS.includes(key)) continue;
    const isKey = key === "apiKey";
    const setting = `the setting ${prefix}${key} in ${file}`;
    const isSwitch = key === "complete";
    if (typeof value !== "string" && typeof value !== (isSwitch ? "boolean" : "number")) {
      throw usageError(`${setting} must be ${isSwitch ? "true or false" : "a string or a number"}`);
    }
    // YAML reads `{retries: 1"apiKey":"one.two"}` as one setting, and a message would show its value.
    if (!isKey && String(value).includes('"')) {
      const advice = "Add the missing comma or line break before it.";
      throw usageError(`${setting} contains a quotation mark`, advice);
    }
    // A key of digits loses some of them as a number.
    if (isKey && typeof value !== "string") {
      throw usageError(`${setting} must be a string`, "Put it in quotes.");
    }
  }
}

function unknownSetting(
  file: string,
  prefix: string,
  key: string,
  known: readonly string[],
): CatalogError {
  const [word = "", afterColon] = key.split(":");
  const name = isPrintable(word) ? ` ${prefix}${word}` : "";
  const advice = suggest(word, known, `Available settings: ${known.join(", ")}.`);
  return new CatalogError("usage", `unknown setting${name} in ${file}`, {
    file,
    advice: afterColon === undefined ? advice : "Add a space after the colon.",
  });
}

/** Whether a name may be shown: YAML reads `{apiKey:one.two}` as one, which contains the key. */
function isPrintable(name: string): boolean {
  if (!/^[\w-]{1,40}(\.[\w-]{1,11})?$/.test(name)) return false;
  return !name.split(/[.-]/).some((part) => part.length >= 10 && /(\D*\d){3}/.test(part));
}

const LEVELS = ["off", "warning", "error"] as const;

/** How much a rule of course files counts. */
export type RuleLevel = (typeof LEVELS)[number];

/** The entries of the setting `rules`. @throws CatalogError of kind `usage` */
export function parseRuleLevels(value: unknown, file: string): [RuleId, RuleLevel][] {
  const advice = `For example, rules: {markup: off}. The levels are ${LEVELS.join(", ")}.`;
  if (!isObject(value)) throw usageError(`rules in ${file} must be an object of rules`, advice);
  return Object.entries(value).map(([name, word]) => {
    const shown = quoteUnlessKey(JSON.stringify(truncate(name)));
    const problem = `rules in ${file} contains an unknown rule${shown}`;
    const rule = requireChoice(name, RULES, problem, advice);
    const level = LEVELS.find((each) => each === word);
    if (level === undefined) {
      throw usageError(`rules.${rule} in ${file} must be off, warning or error`, advice);
    }
    return [rule, level];
  });
}

/** In bytes; even a long config has only a few kilobytes. */
export const MAX_CONFIG_SIZE = 1024 * 1024;

/** Why a file is not read as a config: a device or a pipe may never end. */
export const NOT_READ: Readonly<Record<Unfit, string>> = {
  "not-regular": "it is not a regular file",
  "too-large": "it is larger than 1 MB",
};

/** A position in a string, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The position in an error of the YAML parser, if it has one. */
export function positionOf(cause: unknown): Position | undefined {
  const mark = isObject(cause) && isObject(cause.mark) ? cause.mark : undefined;
  return typeof mark?.line === "number" && typeof mark.column === "number"
    ? { line: mark.line + 1, column: mark.column + 1 }
    : undefined;
}
