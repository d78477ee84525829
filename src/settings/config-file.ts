/** Validates the content of a project config file or user config file, and locates syntax errors. */
import { CatalogError, usageError } from "../base/errors.ts";
import { describeForeign } from "../base/folders.ts";
import type { Unfit } from "../base/open-file.ts";
import { requireChoice, suggest } from "../base/suggest.ts";
import { joinList, truncate } from "../base/text.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { RULES, type RuleId } from "../course/problem.ts";
import { SETTINGS } from "./table.ts";

export interface ConfigFile {
  readonly file: string;
  readonly values: PlainObject;
  readonly profiles: Readonly<Record<string, PlainObject>>;
}

/** The settings whose values are objects. A profile cannot contain them. */
const OBJECT_KEYS = ["profiles", "rules"];
const KEYS = [...Object.values(SETTINGS).map(({ configKey }) => configKey), ...OBJECT_KEYS];

/**
 * The settings and profiles in parsed data: `{retries: 2, profiles: {test: {timeout: 5}}}` has the values
 * `{retries: 2}` and the profile `test`.
 *
 * @throws CatalogError of kind `usage`
 */
export function parseConfig(file: string, config: unknown): ConfigFile {
  if (!isObject(config)) throw usageError(`${file} must contain settings, such as timeout: 60`);
  checkKeys(file, config, KEYS, "");
  const profiles = config.profiles ?? {};
  if (!isObject(profiles)) throw usageError(`profiles in ${file} must be an object with profiles`);
  const profileKeys = KEYS.filter((key) => key !== "profile" && !OBJECT_KEYS.includes(key));
  const parsed = Object.entries(profiles).map(([name, values]): [string, PlainObject] => {
    const path = `profiles.${name}`;
    if (!isObject(values)) throw usageError(`${path} in ${file} must be an object with settings`);
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
    const setting = `${prefix}${key} in ${file}`;
    const isSwitch = key === "complete";
    if (typeof value !== "string" && typeof value !== (isSwitch ? "boolean" : "number")) {
      throw usageError(`${setting} must be ${isSwitch ? "true or false" : "a string or a number"}`);
    }
    // An API key of digits would lose some digits as a number.
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
  // YAML reads `{retries:2}` as one name.
  const [word = "", afterColon] = key.split(":");
  const advice = suggest(word, known, `Available settings: ${known.join(", ")}.`);
  return new CatalogError("usage", `unknown setting ${prefix}${word} in ${file}`, {
    file,
    advice: afterColon === undefined ? advice : "Add a space after the colon.",
  });
}

const LEVELS = ["off", "warning", "error"] as const;

/** Whether a problem with a rule is an error, a warning, or not reported. */
export type RuleLevel = (typeof LEVELS)[number];

/** The entries of the setting `rules`: `{markup: off}`. @throws CatalogError of kind `usage` */
export function parseRuleLevels(value: unknown, file: string): [RuleId, RuleLevel][] {
  const advice = "For example: rules: {markup: off}";
  if (!isObject(value)) throw usageError(`rules in ${file} must be an object with rules`, advice);
  return Object.entries(value).map(([name, word]) => {
    const problem = `unknown rule ${JSON.stringify(truncate(name))} in ${file}`;
    const rule = requireChoice(name, RULES, problem, advice);
    const level = LEVELS.find((each) => each === word);
    if (level === undefined) {
      const given = JSON.stringify(word);
      throw usageError(
        `rules.${rule} in ${file} must be ${joinList(LEVELS)}, not ${given}`,
        advice,
      );
    }
    return [rule, level];
  });
}

/** Refuses a config file that another user may have left for others to find. @throws CatalogError of kind `usage` */
export function requireOwn(path: string, uid: number | undefined): void {
  const reason = describeForeign(path, uid);
  if (reason === undefined) return;
  throw new CatalogError("usage", `cannot use the config file ${path}: ${reason}`, {
    file: path,
    advice: "Remove the file, or pass --config with a copy in a private folder.",
  });
}

/** The largest config file, in bytes. Even a long one has only a few kilobytes. */
export const MAX_CONFIG_SIZE = 1024 * 1024;

/** Why a file is not read: a device or a pipe may never end. */
export const NOT_READ: Readonly<Record<Unfit, string>> = {
  "not-regular": "it is not a regular file",
  "too-large": "it is larger than 1 MB",
};

/** A position in a file. Line and column start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The position in an error of the YAML parser; undefined if the error has none. */
export function positionOf(cause: unknown): Position | undefined {
  const mark = isObject(cause) && isObject(cause.mark) ? cause.mark : undefined;
  return typeof mark?.line === "number" && typeof mark.column === "number"
    ? { line: mark.line + 1, column: mark.column + 1 }
    : undefined;
}

/** The error of a config file with invalid syntax. Omits the parser's own message, which may quote the API key. */
export function syntaxError(
  file: string,
  format: string,
  position: Position | undefined,
  advice: string,
): CatalogError {
  const message = position === undefined ? `${file} is not valid ${format}` : `not valid ${format}`;
  return new CatalogError("usage", message, { file, ...position, advice });
}
