/** Turns the name of a file into a reference that other programs can follow. */
import { sep } from "node:path";

/**
 * A file's name as a URI reference: relative as `courses/a%20b.yaml`, absolute as `file:///…`.
 * Nothing in a name is ever read as a scheme, a query or a fragment.
 *
 * @param windows whether backslashes part folders, and drives and shares begin a path
 */
export function uriReference(name: string, windows = sep === "\\"): string {
  const path = windows ? name.replaceAll("\\", "/") : name;
  const [, share, inShare = ""] = /^\/\/(\w[\w.-]*)\/(.*)$/s.exec(path) ?? [];
  const [, drive, inDrive = ""] = /^([A-Za-z]:)\/(.*)$/s.exec(path) ?? [];
  if (windows && share !== undefined) return `file://${share}/${encoded(inShare)}`;
  if (windows && drive !== undefined) return `file:///${drive}/${encoded(inDrive)}`;
  if (path.startsWith("/")) return `file:///${encoded(path)}`;
  return encoded(path) || ".";
}

/** The folders and the file, without those that lead nowhere: `./a//b` is `a/b`. */
function encoded(path: string): string {
  return path
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join("/");
}
