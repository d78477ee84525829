/** The table of settings: name, flag, variable, config key, default. */
import { parseApiKey, parseBaseUrl, quoteUnlessKey } from "../base/credentials.ts";
import { usageError } from "../base/errors.ts";
import { DEFAULTS } from "../base/http.ts";

/** Where a value came from. */
export type Source = "flag" | "environment" | "project config" | "user config" | "default";

export type SettingValue = string | number | boolean;

export interface Setting<Value> {
  /** The name of its flag, without dashes; none for the key, which process lists would show. */
  readonly flag?: string;
  readonly variable: string;
  readonly configKey: string;
  /** The name of the flag's value in the help. */
  readonly placeholder?: string;
  readonly default?: Value;
  readonly description: string;
  /** Whether it is neither shown nor documented, because no known service needs it. */
  readonly isHidden?: boolean;
  /** Parses the value of a flag, variable or file. @throws CatalogError of kind `usage` */
  readonly parse: (text: string, origin: string) => Value;
}

export const SETTINGS = {
  apiKey: {
    variable: "CATALOG_API_KEY",
    configKey: "apiKey",
    description: "API key sent with every request",
    parse: parseApiKey,
  },
  baseUrl: {
    flag: "base-url",
    placeholder: "<url>",
    variable: "CATALOG_BASE_URL",
    configKey: "baseUrl",
    description: "base URL of the service",
    parse: parseBaseUrl,
  },
  profile: {
    flag: "profile",
    placeholder: "<name>",
    variable: "CATALOG_PROFILE",
    configKey: "profile",
    description: "configuration profile to use",
    parse: (text, origin) => {
      // A script that leaves the variable empty meant to select a profile.
      if (text.trim() === "") throw usageError(`the profile from ${origin} is empty`);
      return text;
    },
  },
  timeout: {
    flag: "timeout",
    placeholder: "<seconds>",
    variable: "CATALOG_TIMEOUT",
    configKey: "timeout",
    default: DEFAULTS.timeout,
    description: "timeout per request, in seconds",
    parse: (text, origin) => {
      const seconds = parseNumber(text);
      if (seconds > 0 && seconds <= 86_400) return seconds;
      throw usageError(
        `${origin} must be a number above 0 and at most 86400${quoteUnlessKey(text)}`,
      );
    },
  },
  retries: {
    flag: "retries",
    placeholder: "<n>",
    variable: "CATALOG_RETRIES",
    configKey: "retries",
    default: DEFAULTS.retries,
    description: "how often to retry a failed request",
    parse: (text, origin) => parseInteger(text, origin, 0, 100),
  },
  concurrency: {
    flag: "concurrency",
    placeholder: "<n>",
    variable: "CATALOG_CONCURRENCY",
    configKey: "concurrency",
    default: DEFAULTS.concurrency,
    description: "maximum number of parallel requests",
    parse: (text, origin) => parseInteger(text, origin, 1, 256),
  },
  vendor: {
    variable: "CATALOG_VENDOR",
    configKey: "vendor",
    default: DEFAULTS.vendor,
    description: "vendor prefix of the single-object media type",
    isHidden: true,
    parse: (text, origin) => {
      if (/^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(text)) return text;
      throw usageError(
        `the vendor prefix from ${origin} must consist of letters, digits, dots and hyphens${quoteUnlessKey(text)}`,
      );
    },
  },
  complete: {
    variable: "CATALOG_COMPLETE",
    configKey: "complete",
    default: false,
    description: "whether push and diff clear the fields that a file leaves out",
    parse: (text, origin) => {
      const word = text.trim().toLowerCase();
      if (word === "true" || word === "1") return true;
      if (word === "false" || word === "0") return false;
      throw usageError(`${origin} must be true or false${quoteUnlessKey(text)}`);
    },
  },
} satisfies Readonly<Record<string, Setting<SettingValue>>>;

export type SettingName = keyof typeof SETTINGS;

const ALL: Readonly<Record<string, Setting<SettingValue>>> = SETTINGS;

/** Every setting that users see, where its name does not matter. */
export const ALL_SETTINGS = Object.values(ALL).filter(({ isHidden }) => isHidden !== true);

/** The description of a setting, with its default. */
export function describedSetting({
  description,
  default: usual,
}: Pick<Setting<SettingValue>, "description" | "default">): string {
  return usual === undefined ? description : `${description} (default ${usual})`;
}

/** The choice of the project config; not a setting, because a config file cannot have it. */
export const CONFIG_CHOICE = {
  flag: "config",
  variable: "CATALOG_CONFIG",
  placeholder: "<file>",
  description: "project config to use instead of the one found",
} as const;

/** The type of each setting's value. */
export type SettingValues = {
  readonly [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]["parse"]>;
};

/** The settings that always have a value. */
export type DefaultedSetting = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { readonly default: unknown }
    ? Name
    : never;
}[SettingName];

function parseInteger(text: string, origin: string, minimum: number, maximum: number): number {
  const value = parseNumber(text);
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  throw usageError(
    `${origin} must be a whole number from ${minimum} to ${maximum}${quoteUnlessKey(text)}`,
  );
}

function parseNumber(text: string): number {
  return /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
}
