/** Parses the numbers of flags, variables and config files. */
import { usageError } from "./errors.ts";

/** @param origin how the message names the source: `--limit`, `CATALOG_RETRIES` @throws CatalogError of kind `usage` */
type Parse = (text: string, origin: string) => number;

/** Parses numbers from `minimum` to `maximum`. */
export function decimal(minimum: number, maximum: number): Parse {
  return numberThat(() => true, minimum, maximum, "a number");
}

/** Parses whole numbers from `minimum` to `maximum`. */
export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER): Parse {
  return numberThat(Number.isInteger, minimum, maximum, "a whole number");
}

function numberThat(
  passes: (value: number) => boolean,
  minimum: number,
  maximum: number,
  kind: string,
): Parse {
  const isOpen = maximum === Number.MAX_SAFE_INTEGER;
  const range = isOpen ? `, ${minimum} or more` : ` from ${minimum} to ${maximum}`;
  return (text, origin) => {
    const value = /^(\d+|\d*\.\d+)$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (passes(value) && value >= minimum && value <= maximum) return value;
    throw usageError(`${origin} must be ${kind}${range}, not ${JSON.stringify(text)}`);
  };
}
