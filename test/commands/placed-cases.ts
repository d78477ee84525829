/** How the tables of texts and the places of their mistakes are written. */

/** A course file, and all that is wrong with it, in order. */
export interface PlacedCase {
  readonly says: string;
  readonly file: string;
  readonly text: string | Uint8Array;
  /**
   * Each as `line:column rule`, with the end as `line:column-line:column rule`, or `line rule`.
   * The fields of a course that the text does not name are not among them.
   */
  readonly finds: readonly string[];
}

/** A JSON file and what is wrong with it. */
export function json(
  says: string,
  text: string | Uint8Array,
  ...finds: readonly string[]
): PlacedCase {
  return { says: `JSON: ${says}`, file: "course.json", text, finds };
}

/** A YAML file and what is wrong with it. */
export function yaml(
  says: string,
  text: string | Uint8Array,
  ...finds: readonly string[]
): PlacedCase {
  return { says: `YAML: ${says}`, file: "course.yaml", text, finds };
}

/** A text whose parts in angle brackets stand for single bytes, as in `caf<e9>`. */
export function bytes(text: string): Uint8Array {
  const parts = text.split(/<([0-9a-f]{2})>/);
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 ? "hex" : "utf8")));
}
