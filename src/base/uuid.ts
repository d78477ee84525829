/** Tells whether a text is a UUID. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID in the usual form, of any version, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
