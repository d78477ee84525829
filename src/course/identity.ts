/** Gives a new course the id that every run agrees on (cli.md sections 8 and 11). */
import { v5 } from "uuid";

/**
 * The id of a new course whose file gives none: the UUIDv5 of its url, exactly as it is written, in
 * the namespace of its provider's id.
 *
 * @param providerId a UUID in either case
 */
export function newCourseId(providerId: string, url: string): string {
  // As bytes, since the library takes only UUIDs of the known versions for such, and a service need not.
  return v5(url, Buffer.from(providerId.replaceAll("-", ""), "hex"));
}
