/** Makes the names of course files from slugs, safe on every system (cli.md sections 8 and 11). */
import { createHash } from "node:crypto";
import { isUuid } from "../base/uuid.ts";
import { isCourseFile } from "./find.ts";
import type { FileFormat } from "./write.ts";

/** What a name is made from. The slug comes from the service and may be anything. */
export interface Nameable {
  readonly id: string;
  readonly slug?: unknown;
}

/**
 * The name of each course's file, by id: its slug, with the start of the id appended where the slug
 * is missing, where two files would have one name on some system, or where the name means something
 * else. The same courses get the same names, in whatever order they come.
 *
 * @param courses of which no two have the same id
 */
export function fileNames(
  courses: readonly Nameable[],
  format: FileFormat,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  let unnamed = courses.map(({ id, slug }) => ({ id, stem: stemOf(slug) }));
  // Whoever stands alone in a round is named; the others try again with more of their ids.
  for (let round = 0; unnamed.length > 0; round++) {
    const tried = unnamed.map(({ id, stem }) => {
      const name = nameOf(stem, suffixOf(id, round), `.${format}`);
      return { id, stem, name, key: keyOf(name), fits: round > 0 || isOwnName(stem, name) };
    });
    const uses = new Map<string, number>();
    for (const { key, fits } of tried) if (fits) uses.set(key, (uses.get(key) ?? 0) + 1);
    unnamed = [];
    const named = new Set<string>();
    for (const { id, stem, name, key, fits } of tried) {
      if (fits && uses.get(key) === 1 && !taken.has(key)) {
        names.set(id, name);
        named.add(key);
      } else {
        unnamed.push({ id, stem });
      }
    }
    for (const key of named) taken.add(key);
  }
  return names;
}

/** Far more than a name can hold; a hostile slug may have megabytes. */
const MOST_READ = 1000;

/** What is a separator, a wildcard or a quote somewhere, cannot be written, or cannot be seen. */
const UNSAFE = /[/\\:*?"<>|\s\p{Cc}\p{Cs}\p{Bidi_Control}]/gu;

/** Names of devices on Windows, whatever follows behind a dot. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(\.|$)/i;

/** As much of a slug as can stand in a name; may be empty. */
function stemOf(slug: unknown): string {
  if (typeof slug !== "string") return "";
  const stem = slug
    .slice(0, MOST_READ)
    .normalize("NFC")
    .trim()
    .replace(UNSAFE, "-")
    // A name that begins with one of these is hidden, a flag, or somebody's home folder.
    .replace(/^[-.~]+|\.+$/g, "");
  return DEVICE.test(stem) ? stem.replaceAll(".", "-") : stem;
}

/** Whether a stem makes a name without anything appended: one that is found as a course file. */
function isOwnName(stem: string, name: string): boolean {
  // Some systems take Package.json for package.json.
  return (
    stem !== "" && !DEVICE.test(name) && isCourseFile(name) && isCourseFile(name.toLowerCase())
  );
}

/** How much of an id is appended, round by round: its groups one after another. */
const PARTS_OF_ID = [0, 8, 13, 18, 23, 36];

function suffixOf(id: string, round: number): string {
  // An id leads outside the folder no more than a slug does.
  const digits = isUuid(id) ? id.toLowerCase() : createHash("sha256").update(id).digest("hex");
  const part = PARTS_OF_ID[round];
  // Only a slug that spells out another course's id can take the whole of it.
  return part === undefined ? `${digits}-${round}` : digits.slice(0, part);
}

/** Bytes of a whole name. File systems take 255, and a draft beside the file needs some of them. */
const MOST_BYTES = 200;

function nameOf(stem: string, suffix: string, extension: string): string {
  const end = `${suffix === "" ? "" : `-${suffix}`}${extension}`;
  return `${cut(stem || "course", MOST_BYTES - Buffer.byteLength(end))}${end}`;
}

/** The text up to a number of bytes, cut between two characters. */
function cut(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  let room = most;
  let end = 0;
  for (const character of text) {
    room -= Buffer.byteLength(character);
    if (room < 0) return text.slice(0, end).replace(/\.+$/, "");
    end += character.length;
  }
  return text;
}

/** What every system takes for what it is, but for its case. */
const ASCII = /^[\x20-\x7e]*$/;

/** The same for two names that some system takes for one: case, composed and invisible characters. */
function keyOf(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase();
  return name
    .normalize("NFKD")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD");
}
