/** Chooses names for course files from slugs. The names are safe on every platform. */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { attempt } from "../base/errors.ts";
import { isUuid } from "../base/values.ts";
import { isCourseFile } from "./find.ts";
import type { FileFormat } from "./parse.ts";

/** What a name is made from. The service can send any value as the slug. */
interface Nameable {
  readonly id: string;
  readonly slug?: unknown;
}

/**
 * Chooses the file name of each course: `knitting.yaml` for the slug `knitting`. If the slug is missing or reserved, or
 * two names would be the same on some platform, the start of the id is appended: `knitting-6f0f8a34.yaml`; if a file
 * has the name already, the complete id. The result does not depend on the order of the courses.
 */
export function chooseFileNames(
  courses: readonly Nameable[],
  format: FileFormat,
  taken: readonly string[] = [],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const used = new Set(taken.map(keyOf));
  let unnamed = courses.map(({ id, slug }) => {
    const stem = stemOf(slug);
    const isTaken = isUuid(id) && used.has(keyOf(buildName(stem, "", `.${format}`)));
    return { id, stem, first: isTaken ? ID_LENGTHS.length - 1 : 0 };
  });
  // Each round chooses the names that are unique; the next round appends more of the id to the others.
  for (let round = 0; unnamed.length > 0; round++) {
    const candidates = unnamed.map(({ id, stem, first }) => {
      const suffix = idSuffix(id, Math.max(round, first));
      const name = buildName(stem, suffix, `.${format}`);
      const isValid = suffix !== "" || isOwnName(stem, name);
      return { id, stem, first, name, key: keyOf(name), isValid };
    });
    const uses = new Map<string, number>();
    for (const { key, isValid } of candidates) {
      if (isValid) uses.set(key, (uses.get(key) ?? 0) + 1);
    }
    const isFree = ({ key, isValid }: (typeof candidates)[number]): boolean =>
      isValid && uses.get(key) === 1 && !used.has(key);
    const named = candidates.filter(isFree);
    unnamed = candidates.filter((candidate) => !isFree(candidate));
    for (const { id, name, key } of named) {
      names.set(id, name);
      used.add(key);
    }
  }
  return names;
}

/** How many characters of a slug are used: more than fit into a name. A slug may have megabytes. */
const MAX_SLUG = 1000;

/** Separators, wildcards and quotes of all platforms, and characters that are invisible or invalid. */
const UNSAFE = /[/\\:*?"<>|\s\p{Cc}\p{Cs}\p{Bidi_Control}]/gu;

const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(\.|$)/i;

/** The part of a slug that can be used in a name; may be empty. */
function stemOf(slug: unknown): string {
  if (typeof slug !== "string") return "";
  const stem = slug
    .slice(0, MAX_SLUG)
    .normalize("NFC")
    .trim()
    .replace(UNSAFE, "-")
    // At the start, these characters mean a hidden file, a flag or a home folder; Windows drops final dots.
    .replace(/^[-.~]+|\.+$/g, "");
  return DEVICE.test(stem) ? stem.replaceAll(".", "-") : stem;
}

/** Whether every platform accepts a name without an id as the name of a course file. */
function isOwnName(stem: string, name: string): boolean {
  // Where case is ignored, Package.json is package.json.
  return (
    stem !== "" && !DEVICE.test(name) && isCourseFile(name) && isCourseFile(name.toLowerCase())
  );
}

/** How many characters of the id each round appends: one more group of the UUID each time. */
const ID_LENGTHS = [0, 8, 13, 18, 23, 36];

function idSuffix(id: string, round: number): string {
  // The service can send any string as an id, which must not lead out of the folder.
  const safeId = isUuid(id) ? id.toLowerCase() : createHash("sha256").update(id).digest("hex");
  const length = ID_LENGTHS[round];
  // Even a complete id may conflict with a slug that contains the id.
  return length === undefined ? `${safeId}-${round}` : safeId.slice(0, length);
}

/** File systems allow 255 bytes, of which the temporary file needs some. */
const MAX_BYTES = 200;

function buildName(stem: string, suffix: string, extension: string): string {
  const end = `${suffix === "" ? "" : `-${suffix}`}${extension}`;
  return `${cutToBytes(stem || "course", MAX_BYTES - Buffer.byteLength(end))}${end}`;
}

/** Cuts a string to `limit` bytes of UTF-8, and removes dots at the end of the cut. */
function cutToBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  let end = 0;
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    end += character.length;
  }
  return text.slice(0, end).replace(/\.+$/, "");
}

/** A key that is equal for names that some platform treats as one: `Café.yaml` and `CAFÉ.YAML`. */
function keyOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD");
}

/** The names of a folder's files that are names of course files; none if there is no folder. */
export function listCourseFileNames(folder: string): string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries
    .filter((entry) => entry.isFile() && isCourseFile(entry.name))
    .map(({ name }) => name);
}
