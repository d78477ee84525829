/** The table of settings: name, flag, variable, config key, default; and the limit of deletions. */

import { usageError } from "../base/errors.ts";
import { DEFAULTS } from "../base/http.ts";
import { parseApiKey, parseBaseUrl } from "../base/secrets.ts";
import { numberFrom } from "../base/values.ts";

export interface DeletionLimit {
  /** As status shows it: `20`, `50%`. */
  readonly text: string;
  /** The most deletions. @param all how many courses or files there are */
  readonly of: (all: number) => number;
}

const DEFAULT_LIMIT: DeletionLimit = {
  text: "5 or 10%",
  of: (all) => Math.max(5, Math.floor(all / 10)),
};

/** Parses `20` or `50%`. @param origin the source of the text, for the message @throws CatalogError of kind `usage` */
export function parseLimit(text: string, origin: string): DeletionLimit {
  const [, digits = "", sign] = /^(\d{1,9})(%?)$/.exec(text.trim()) ?? [];
  const amount = Number(digits);
  if (digits === "" || (sign === "%" && amount > 100)) {
    const problem = `${origin} must be a number or a percentage, not ${JSON.stringify(text)}`;
    throw usageError(problem, "For example: 20, or 50%");
  }
  const of = (all: number) => (sign === "%" ? Math.floor((all * amount) / 100) : amount);
  return { text: `${amount}${sign}`, of };
}

/** A limit that counts only where it is below another one. */
export function lowerLimit(limit: DeletionLimit, most: DeletionLimit): DeletionLimit {
  return {
    text: `${limit.text}, at most ${most.text}`,
    of: (all) => Math.min(limit.of(all), most.of(all)),
  };
}

export type Source = "flag" | "environment" | "project config" | "user config" | "default";

export type SettingValue = string | number | boolean | DeletionLimit;

export interface Setting<Value> {
  /** Its global flag and the name of the flag's value. The key has no flag, because process lists would show it. */
  readonly flag?: readonly [name: string, value: string];
  /** The name of the flag of the commands that use it. */
  readonly commandFlag?: string;
  readonly variable: string;
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
    throw usageError(`${origin} must be ${expected}, not ${JSON.stringify(text)}`);
  };
}

const parseSwitch = matching(/^(true|false)$/, "true or false");

/** The settings by their names in a config file. */
export const SETTINGS = {
  apiKey: {
    variable: "CATALOG_API_KEY",
    description: "API key sent with every request",
    parse: parseApiKey,
  },
  baseUrl: {
    flag: ["base-url", "<url>"],
    variable: "CATALOG_BASE_URL",
    description: "base URL of the service",
    parse: parseBaseUrl,
  },
  profile: {
    flag: ["profile", "<name>"],
    variable: "CATALOG_PROFILE",
    description: "profile to use: a named set of settings in a config file",
    // In a script whose variable is empty, the settings outside profiles would be another account.
    parse: matching(/./s, "the name of a profile"),
  },
  config: {
    flag: ["config", "<file>"],
    variable: "CATALOG_CONFIG",
    description: "project config file to use, instead of searching for one",
    parse: String,
  },
  timeout: {
    flag: ["timeout", "<seconds>"],
    variable: "CATALOG_TIMEOUT",
    default: DEFAULTS.timeout,
    description: "timeout per request, in seconds",
    parse: numberFrom(0.001, 86_400, "a number"),
  },
  retries: {
    flag: ["retries", "<n>"],
    variable: "CATALOG_RETRIES",
    default: DEFAULTS.retries,
    description: "how often to retry a failed request",
    parse: numberFrom(0, 100),
  },
  concurrency: {
    flag: ["concurrency", "<n>"],
    variable: "CATALOG_CONCURRENCY",
    default: DEFAULTS.concurrency,
    description: "maximum number of parallel requests",
    parse: numberFrom(1, 256),
  },
  complete: {
    commandFlag: "complete",
    variable: "CATALOG_COMPLETE",
    default: false,
    description: "whether push and diff clear fields that are missing from a file",
    parse: (text, origin) => parseSwitch(text, origin) === "true",
  },
  maxDeletes: {
    commandFlag: "max-deletes",
    variable: "CATALOG_MAX_DELETES",
    default: DEFAULT_LIMIT,
    description: "how many deletions --prune allows, as a number or a percentage",
    parse: parseLimit,
  },
  vendor: {
    variable: "CATALOG_VENDOR",
    default: DEFAULTS.vendor,
    description: "vendor prefix of the single-object media type",
    parse: matching(/^[A-Za-z0-9][A-Za-z0-9.-]*$/, "letters, digits, dots and hyphens"),
  },
} satisfies Readonly<Record<string, Setting<SettingValue>>>;

export type SettingName = keyof typeof SETTINGS;

/** The value of a setting as text or JSON shows it. */
export function settingText(value: SettingValue): string | number | boolean {
  return typeof value === "object" ? value.text : value;
}

/** The description of a setting, with its default. */
export function describedSetting(setting: Setting<SettingValue>): string {
  const { description, default: usual } = setting;
  return usual === undefined ? description : `${description} (default ${settingText(usual)})`;
}
