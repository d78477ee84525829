/** The type of the position tables, and functions that create cases. */

/** A course file and its expected problems, in order. */
export interface PositionCase {
  readonly title: string;
  readonly file: string;
  readonly text: string | Uint8Array;
  /**
   * Each as `line:column rule`, `line:column-line:column rule` with the end, or `line rule`.
   * Findings about missing fields are left out.
   */
  readonly finds: readonly string[];
}

/** A JSON file and its expected problems. */
export function json(
  says: string,
  text: string | Uint8Array,
  ...finds: readonly string[]
): PositionCase {
  return { title: `JSON: ${says}`, file: "course.json", text, finds };
}

/** A YAML file and its expected problems. */
export function yaml(
  says: string,
  text: string | Uint8Array,
  ...finds: readonly string[]
): PositionCase {
  return { title: `YAML: ${says}`, file: "course.yaml", text, finds };
}

/** Encodes a string in which angle brackets contain the hex code of a byte, as in `caf<e9>`. */
export function bytes(text: string): Uint8Array {
  const parts = text.split(/<([0-9a-f]{2})>/);
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 ? "hex" : "utf8")));
}
