/** The one table of settings: name, flag, variable, config key, default (cli.md section 5). */

import { usageError } from "../base/errors.ts";
import { DEFAULTS, isHeaderValue, parseUrl } from "../base/http.ts";
import { escapeLine } from "../base/text.ts";

/** Where a value came from. */
export type Source = "flag" | "environment" | "project config" | "user config" | "default";

/** One setting. `parse` turns the text of a flag or variable into the value or throws `usage`. */
export interface Setting<Value> {
  /** The name of its flag, without dashes; none for the key, which process lists would show. */
  readonly flag?: string;
  readonly variable: string;
  /** Its key in a config file, if it may stand there. */
  readonly configKey?: string;
  /** What the flag's value is called in the help. */
  readonly placeholder?: string;
  readonly default?: Value;
  readonly description: string;
  readonly parse: (text: string, origin: string) => Value;
}

/** A setting that may have no value. */
function optional<Value>(
  definition: Setting<Value> & { readonly configKey: string },
): Setting<Value> & { readonly configKey: string } {
  return definition;
}

/** A setting that always has a value. */
function defaulted<Value>(
  definition: Setting<Value> & { readonly default: Value },
): Setting<Value> & { readonly default: Value } {
  return definition;
}

/** Every setting. */
export const SETTINGS = {
  apiKey: optional<string>({
    variable: "CATALOG_API_KEY",
    configKey: "apiKey",
    description: "API key sent with every request",
    parse: (text, origin) => {
      const key = text.trim();
      if (key === "") throw usageError(`the API key from ${origin} is empty`);
      // The value itself is never part of a message.
      if (!isHeaderValue(key)) {
        throw usageError(
          `the API key from ${origin} holds characters that no HTTP header may hold`,
        );
      }
      return key;
    },
  }),
  baseUrl: optional<string>({
    flag: "base-url",
    placeholder: "<url>",
    variable: "CATALOG_BASE_URL",
    configKey: "baseUrl",
    description: "base URL of the service",
    parse: baseUrl,
  }),
  profile: optional<string>({
    flag: "profile",
    placeholder: "<name>",
    variable: "CATALOG_PROFILE",
    configKey: "profile",
    description: "configuration profile to use",
    parse: (text, origin) => {
      // A script whose variable is empty means some set, and not one without a name.
      if (text.trim() === "") throw usageError(`the profile from ${origin} is empty`);
      return text;
    },
  }),
  timeout: defaulted<number>({
    flag: "timeout",
    placeholder: "<seconds>",
    variable: "CATALOG_TIMEOUT",
    configKey: "timeout",
    default: DEFAULTS.timeout,
    description: "timeout per request, in seconds",
    parse: (text, origin) => numberOf(text, origin, { above: 0, most: 86_400 }),
  }),
  retries: defaulted<number>({
    flag: "retries",
    placeholder: "<n>",
    variable: "CATALOG_RETRIES",
    configKey: "retries",
    default: DEFAULTS.retries,
    description: "how often to retry a failed request",
    parse: (text, origin) => numberOf(text, origin, { least: 0, most: 100, whole: true }),
  }),
  concurrency: defaulted<number>({
    flag: "concurrency",
    placeholder: "<n>",
    variable: "CATALOG_CONCURRENCY",
    configKey: "concurrency",
    default: DEFAULTS.concurrency,
    description: "maximum number of parallel requests",
    parse: (text, origin) => numberOf(text, origin, { least: 1, most: 256, whole: true }),
  }),
  vendor: defaulted<string>({
    variable: "CATALOG_VENDOR",
    configKey: "vendor",
    default: DEFAULTS.vendor,
    description: "advanced: vendor prefix of the single-object media type",
    parse: (text, origin) => {
      if (/^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(text)) return text;
      throw usageError(`the vendor word from ${origin} is no part of a media type: ${text}`);
    },
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** Every setting, where its name does not matter. */
export const ALL_SETTINGS: readonly Setting<string | number>[] = Object.values(SETTINGS);

/** What a setting is, with its default. */
export function describedSetting({
  description,
  default: usual,
}: Pick<Setting<string | number>, "description" | "default">): string {
  return usual === undefined ? description : `${description} (default ${usual})`;
}

/** Which file is the project config: no setting, as no config file could say it. */
export const CONFIG_CHOICE = {
  flag: "config",
  variable: "CATALOG_CONFIG",
  placeholder: "<file>",
  description: "project config to use instead of the one found",
} as const;

/** The value's type of each setting. */
export type SettingValues = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer Value>
    ? Value
    : never;
};

/** How an address begins, be it one that can be used or not. */
const BEGINNING = /^(https?:|[a-z][a-z\d+.-]*:\/\/)/i;

function baseUrl(text: string, origin: string): string {
  const trimmed = text.trim();
  const wrong = (why: string) => usageError(`the base URL from ${origin} ${why}`);
  // Whatever stands before an @ may be a password, and is not shown.
  if (trimmed.includes("@")) throw wrong("holds a user name or password");
  // What is no address at all may be the key, in the wrong place.
  if (trimmed === "") throw wrong("is empty");
  if (!BEGINNING.test(trimmed)) throw wrong("is no address, such as https://api.catalog.example");
  const url = parseUrl(trimmed);
  if (url === undefined) throw wrong(`is not a URL: ${trimmed}`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw wrong(`is not an http or https URL: ${trimmed}`);
  }
  if (url.search !== "" || url.hash !== "") throw wrong("has a query or fragment");
  // A URL may hold them between its parts, where they count for nothing; a message must not.
  if (escapeLine(trimmed) !== trimmed) throw wrong("holds control characters");
  return trimmed.replace(/\/+$/, "");
}

interface Range {
  readonly above?: number;
  readonly least?: number;
  readonly most: number;
  readonly whole?: boolean;
}

function numberOf(text: string, origin: string, range: Range): number {
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  const low = range.least ?? range.above ?? 0;
  const fits =
    value <= range.most &&
    (range.least === undefined || value >= range.least) &&
    (range.above === undefined || value > range.above) &&
    (!range.whole || Number.isInteger(value));
  if (fits) return value;
  const kind = range.whole ? "a whole number" : "a number";
  const from = range.above === undefined ? `of at least ${low}` : `above ${low}`;
  throw usageError(`${origin} is not ${kind} ${from} and at most ${range.most}: ${text}`);
}

/** The settings that always have a value. */
export type Defaulted = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { readonly default: unknown }
    ? Name
    : never;
}[SettingName];
