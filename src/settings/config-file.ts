/** What a config file may say, the project's and the user's alike (cli.md section 5). */
import { CatalogError, usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { SETTINGS } from "./table.ts";

/** What a config file says. */
export interface ConfigFile {
  /** Its path. */
  readonly file: string;
  /** The settings outside of the named sets. */
  readonly values: PlainObject;
  /** The named sets. */
  readonly profiles: Readonly<Record<string, PlainObject>>;
}

const KEYS = [...Object.values(SETTINGS).flatMap((setting) => setting.configKey ?? []), "profiles"];

/**
 * What a config file holds, once it is data of the right form.
 *
 * @param file its path
 * @throws CatalogError of kind `usage` for what no setting is; never quotes a value
 */
export function configFile(file: string, config: unknown): ConfigFile {
  if (!isObject(config)) throw usageError(`the config file ${file} is not a mapping of settings`);
  checkKeys(file, config, KEYS, "");
  const sets = config.profiles ?? {};
  if (!isObject(sets)) throw usageError(`profiles in ${file} is not a mapping of named sets`);
  const inProfile = KEYS.filter((key) => key !== "profiles" && key !== "profile");
  const profiles = Object.entries(sets).map(([name, set]): [string, PlainObject] => {
    const shown = `profiles.${isPlain(name) ? name : "…"}`;
    if (!isObject(set)) throw usageError(`${shown} in ${file} is not a mapping of settings`);
    checkKeys(file, set, inProfile, `${shown}.`);
    return [name, set];
  });
  const values = Object.fromEntries(Object.entries(config).filter(([key]) => key !== "profiles"));
  return { file, values, profiles: Object.fromEntries(profiles) };
}

function checkKeys(
  file: string,
  values: PlainObject,
  known: readonly string[],
  prefix: string,
): void {
  for (const [key, value] of Object.entries(values)) {
    if (!known.includes(key)) throw unknownSetting(file, prefix, key, known);
    if (key === "profiles" && prefix === "") continue;
    if (typeof value !== "string" && typeof value !== "number") {
      throw usageError(`the setting ${prefix}${key} in ${file} is neither a text nor a number`);
    }
    // YAML takes `{retries: 1"apiKey":"one.two"}` for one setting, whose value is told if it is wrong.
    if (key !== SETTINGS.apiKey.configKey && String(value).includes('"')) {
      const next = "Is a comma or the end of a line missing before it?";
      throw usageError(`the setting ${prefix}${key} in ${file} holds a quotation mark`, next);
    }
    // Read as a number, a key of digits has lost some of them.
    if (key === SETTINGS.apiKey.configKey && typeof value === "number") {
      throw usageError(`the setting ${prefix}${key} in ${file} is a number`, "Put it in quotes.");
    }
  }
}

function unknownSetting(
  file: string,
  prefix: string,
  key: string,
  known: readonly string[],
): CatalogError {
  const [word = "", behindColon] = key.split(":");
  const name = isPlain(word) ? ` ${prefix}${word}` : "";
  const meant = closest(word, known);
  const next =
    meant === undefined ? `Known are ${joinList(known, "and")}.` : `Did you mean ${meant}?`;
  return new CatalogError("usage", `unknown setting${name} in ${file}`, {
    file,
    advice: behindColon === undefined ? next : "Behind a colon belongs a blank.",
  });
}

/** Whether a name may be shown: YAML takes `{apiKey:one.two}` for one, and it may be a secret. */
function isPlain(name: string): boolean {
  if (!/^[\w-]{1,40}(\.[\w-]{1,11})?$/.test(name)) return false;
  return !name.split(/[.-]/).some((part) => part.length >= 10 && /(\D*\d){3}/.test(part));
}
