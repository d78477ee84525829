/** The table of settings: name, flag, variable, config key, default, and what a checkout can do with each. */

import { DEFAULTS, PARSERS, parseApiKey, parseBaseUrl } from "../base/credentials.ts";
import { usageError } from "../base/errors.ts";
import { truncateJson } from "../base/text.ts";

/**
 * The most deletions that a limit allows, of `all` courses or files: of `20` or `50%` this amount, of `5 or 10%` the
 * larger one, and of `50%, at most 5 or 10%` the lower limit.
 */
export function mostDeletions(limit: string, all: number): number {
  const amount = (word: string): number =>
    word.endsWith("%") ? Math.floor((all * Number.parseInt(word, 10)) / 100) : Number(word);
  const limits = limit.split(", at most ").map((each) => each.split(" or ").map(amount));
  return Math.min(...limits.map((amounts) => Math.max(...amounts)));
}

export interface Resolved<Value = SettingValue> {
  readonly value: Value;
  readonly source: "flag" | "environment" | "project config" | "user config" | "default";
  /** The source as messages name it: `--timeout`, `CATALOG_TIMEOUT`, `timeout in /project/.catalogrc`. */
  readonly origin: string;
}

export type SettingValue = string | number | boolean;

export interface Setting<Value = SettingValue> {
  /**
   * Its flag: with the name of the flag's value, a flag of every command; without, one of the commands that use it. The
   * key has no flag, because process lists would show it.
   */
  readonly flag?: readonly [name: string, value?: string];
  readonly variable: string;
  /**
   * What a project config file, which may be someone else's, can do with it:
   *
   * - `nothing`: no config file may set it
   * - `set`: its value is used where no flag or variable decides
   * - `decide`: as `set`, and the target line of a run names the file
   * - `lower`: its value is used only below the user's
   */
  readonly checkout: "nothing" | "set" | "decide" | "lower";
  /** Whether it selects the account, so that a profile never takes it from outside of the profile. */
  readonly isAccount?: true;
  /** Whether no output shows its value. */
  readonly isSecret?: true;
  readonly default?: Value;
  readonly description: string;
  /**
   * Parses the value of a flag, variable or file.
   *
   * @param origin how messages name the source: `--timeout`, `CATALOG_TIMEOUT`, `timeout in .catalogrc`
   * @throws CatalogError of kind `usage`
   */
  readonly parse: (text: string, origin: string) => Value;
}

/** Makes the `parse` of a setting whose value must have a form. */
function matching(form: RegExp, expected: string): Setting<string>["parse"] {
  return (text, origin) => {
    const word = text.trim();
    if (form.test(word)) return word;
    throw usageError(`${origin} must be ${expected}, not ${truncateJson(text)}`);
  };
}

const parseSwitch = matching(/^(true|false)$/, "true or false");

/** The settings by their names in a config file. */
export const SETTINGS = {
  apiKey: {
    variable: "CATALOG_API_KEY",
    checkout: "decide",
    isAccount: true,
    isSecret: true,
    description: "API key sent with every request",
    parse: parseApiKey,
  },
  baseUrl: {
    flag: ["base-url", "<url>"],
    variable: "CATALOG_BASE_URL",
    checkout: "set",
    isAccount: true,
    description: "base URL of the service",
    parse: parseBaseUrl,
  },
  profile: {
    flag: ["profile", "<name>"],
    variable: "CATALOG_PROFILE",
    checkout: "decide",
    description: "profile to use",
    // In a script whose variable is empty, the settings outside profiles would be another account.
    parse: matching(/./s, "the name of a profile"),
  },
  config: {
    flag: ["config", "<file>"],
    variable: "CATALOG_CONFIG",
    checkout: "nothing",
    description: "project config file to use, instead of searching for one",
    parse: String,
  },
  timeout: {
    flag: ["timeout", "<seconds>"],
    variable: "CATALOG_TIMEOUT",
    checkout: "set",
    default: DEFAULTS.timeout,
    description: "timeout per request, in seconds",
    parse: PARSERS.timeout,
  },
  retries: {
    flag: ["retries", "<n>"],
    variable: "CATALOG_RETRIES",
    checkout: "set",
    default: DEFAULTS.retries,
    description: "how often to retry a failed request",
    parse: PARSERS.retries,
  },
  concurrency: {
    flag: ["concurrency", "<n>"],
    variable: "CATALOG_CONCURRENCY",
    checkout: "set",
    default: DEFAULTS.concurrency,
    description: "maximum number of parallel requests",
    parse: PARSERS.concurrency,
  },
  complete: {
    flag: ["complete"],
    variable: "CATALOG_COMPLETE",
    checkout: "decide",
    default: false,
    description: "whether push and diff clear fields that are missing from a file",
    parse: (text, origin) => parseSwitch(text, origin) === "true",
  },
  maxDeletes: {
    flag: ["max-deletes"],
    variable: "CATALOG_MAX_DELETES",
    checkout: "lower",
    default: "5 or 10%",
    description: "how many deletions --prune allows, as a number or a percentage",
    parse: matching(/^(\d{1,9}|(\d\d?|100)%)$/, "a number or a percentage, such as 20 or 50%"),
  },
  vendor: {
    variable: "CATALOG_VENDOR",
    checkout: "set",
    default: DEFAULTS.vendor,
    description: "vendor prefix of the single-object media type",
    parse: matching(/^[A-Za-z0-9][A-Za-z0-9.-]*$/, "letters, digits, dots and hyphens"),
  },
} satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

export type SettingValues = Partial<Readonly<Record<SettingName, SettingValue>>>;

/** The description of a setting, with its default. */
export function describedSetting(setting: Setting): string {
  const { description, default: usual } = setting;
  return usual === undefined ? description : `${description} (default ${usual})`;
}
