/** A saved key belongs to one base URL. */
import { isSameBaseUrl } from "./base-url.ts";
import type { Layer } from "./layers.ts";
import { SETTINGS } from "./table.ts";

/** A saved key that is not sent to the base URL in effect. */
export interface WithheldKey {
  readonly file: string;
  readonly baseUrl: string | undefined;
}

/** Whether the key in these values may be sent to a base URL: a saved one only to that saved with it. */
export function canUseKeyOf({ source, values }: Layer, baseUrl: string | undefined): boolean {
  if (source === "project config") return true;
  const saved = values[SETTINGS.baseUrl.configKey];
  return typeof saved === "string" && baseUrl !== undefined && isSameBaseUrl(saved, baseUrl);
}

/** The first saved key that must not be used; undefined if no file has one. */
export function findWithheldKey(layers: readonly Layer[]): WithheldKey | undefined {
  const { apiKey, baseUrl } = SETTINGS;
  const layer = layers.find(({ values }) => values[apiKey.configKey] !== undefined);
  if (layer === undefined) return undefined;
  const saved = layer.values[baseUrl.configKey];
  // Text before an @ may be a password.
  const isPrintable = typeof saved === "string" && !saved.includes("@");
  return { file: layer.file, baseUrl: isPrintable ? saved : undefined };
}
