/** Chooses names for course files from slugs. The names are safe on every platform. */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { attempt } from "../base/errors.ts";
import { countEach, isUuid } from "../base/values.ts";
import { isCourseFile } from "./find.ts";
import type { FileFormat } from "./parse.ts";

/**
 * Chooses the file name of each course: `knitting.yaml` for the slug `knitting`. If the slug is missing or reserved, or
 * two names would be the same on some platform, or a file has the name already, the id is appended. The result does not
 * depend on the order of the courses. The service can send any value as the slug.
 */
export function chooseFileNames(
  courses: readonly { readonly id: string; readonly slug?: unknown }[],
  format: FileFormat,
  taken: readonly string[] = [],
): ReadonlyMap<string, string> {
  const wanted = courses.map(({ id, slug }) => {
    const stem = stemOf(slug);
    return { id, stem, name: buildName(stem, `.${format}`) };
  });
  const uses = countEach([...taken, ...wanted.map(({ name }) => name)].map(keyOf));
  return new Map(
    wanted.map(({ id, stem, name }) => {
      const isFree = isOwnName(stem, name) && uses.get(keyOf(name)) === 1;
      return [id, isFree ? name : buildName(stem, `-${safeId(id)}.${format}`)];
    }),
  );
}

/** The bytes of a name: file systems allow 255, of which the temporary file needs some. */
const MAX_BYTES = 200;

/** Separators, wildcards and quotes of all platforms, and characters that are invisible or invalid. */
const UNSAFE = /[/\\:*?"<>|\s\p{Cc}\p{Cs}\p{Bidi_Control}]/gu;

const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(\.|$)/i;

/** The part of a slug that can be used in a name; may be empty. */
function stemOf(slug: unknown): string {
  if (typeof slug !== "string") return "";
  const stem = slug
    // A slug may have megabytes.
    .slice(0, MAX_BYTES)
    .normalize("NFC")
    .trim()
    .replace(UNSAFE, "-")
    // At the start, these characters mean a hidden file, a flag or a home folder; Windows drops final dots.
    .replace(/^[-.~]+|\.+$/g, "");
  return DEVICE.test(stem) ? stem.replaceAll(".", "-") : stem;
}

/** Whether every platform accepts a name without an id as the name of a course file. */
function isOwnName(stem: string, name: string): boolean {
  // A name with the id of another course could be the name of that course.
  const isOfOther = /-[\da-f-]{32,36}\.\w+$/.test(keyOf(name));
  // Where case is ignored, Package.json is package.json.
  const isAccepted = isCourseFile(name) && isCourseFile(name.toLowerCase());
  return stem !== "" && !isOfOther && !DEVICE.test(name) && isAccepted;
}

/** The service can send any string as an id, which must not lead out of the folder. */
function safeId(id: string): string {
  return isUuid(id) ? id.toLowerCase() : createHash("sha256").update(id).digest("hex").slice(0, 32);
}

function buildName(stem: string, end: string): string {
  const bytes = Buffer.from(stem || "course").subarray(0, MAX_BYTES - Buffer.byteLength(end));
  // As a stream, the decoder leaves out a character that is cut.
  const cut = new TextDecoder().decode(bytes, { stream: true });
  return cut.replace(/\.+$/, "") + end;
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
