/** Recognizes UUIDs. */

/** A UUID in either case, as the source of a regular expression. */
export const UUID_PATTERN =
  "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$";

const UUID = new RegExp(UUID_PATTERN);

/** Whether the value is a UUID in the usual form, of any version, in either case. */
export function isUuid(value: unknown): boolean {
  return typeof value === "string" && UUID.test(value);
}
