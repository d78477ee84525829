/** Rejects raw calls that could send the key to another host or change every course. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { isUuid } from "../base/uuid.ts";
import type { Method } from "./transport.ts";

const EXAMPLE = "developer/v1/courses?limit=5";
const ONLY_THE_SERVICE = "the key is only sent to the configured service";

/** The characters that a path must not contain: pattern, problem and fix. */
const FORBIDDEN: readonly (readonly [pattern: RegExp, problem: string, fix: string])[] = [
  [/^$/, "the path is empty", `Pass a path relative to the base URL, such as ${EXAMPLE}.`],
  [/[\s\p{Cc}]/u, "the path contains whitespace or a control character", "Write a space as %20."],
  [/\\/, "the path contains a backslash", "Write it as %5C."],
  [/#/, "the path contains a #, and what follows it is never sent", "Write it as %23."],
  [
    /^[a-z][a-z\d+.-]*:/i,
    `the path is a complete URL, but ${ONLY_THE_SERVICE}`,
    `Pass only the path, such as ${EXAMPLE}. Use --base-url for another service.`,
  ],
  [
    /^\/\//,
    `the path starts with //, which names another host, but ${ONLY_THE_SERVICE}`,
    `Start it with one slash or none, such as ${EXAMPLE}.`,
  ],
  [/^[^?]*@/, "the path contains an @, as if it named a user", "Write it as %40."],
];

/**
 * Rejects a call that must never be sent, for any base URL.
 *
 * @throws CatalogError of kind `usage`
 */
export function checkCall(method: Method, path: string): void {
  const forbidden = FORBIDDEN.find(([pattern]) => pattern.test(path));
  if (forbidden !== undefined) throw usageError(forbidden[1], forbidden[2]);
  const [, pathname = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(path) ?? [];
  if (leavesBase(pathname)) throw pathOutsideBase();
  const changesCourses = method === "PATCH" || method === "PUT" || method === "DELETE";
  if (changesCourses && !hasExactlyOneId(pathname, query)) {
    throw usageError(
      `${method} needs exactly one id=<uuid> in the query: without it, the request could change every course`,
      'Pass a path such as "developer/v1/courses?id=0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10".',
    );
  }
}

/** The error of a path that leads outside the base URL. */
export function pathOutsideBase(): CatalogError {
  return usageError(
    "the path leads outside the base URL",
    `Pass a path relative to the base URL, such as ${EXAMPLE}.`,
  );
}

/** Whether `..` leads above the start, also for a server that decodes before it looks for slashes. */
function leavesBase(path: string): boolean {
  // An encoded percent sign, dot, slash, backslash or semicolon, or an invalid encoding.
  if (/%(?:25|2e|2f|5c|3b)|%(?![\da-f]{2})/i.test(path)) return true;
  let depth = 0;
  for (const segment of path.split("/")) {
    // Some servers ignore what follows a semicolon, and some ignore empty segments.
    const name = segment.replace(/;.*$/s, "");
    if (name === "..") depth--;
    else if (name !== "" && name !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

/**
 * Whether the query has exactly one `id`, a plain UUID, and only characters that no server could read
 * as another id or as the end of the query.
 */
function hasExactlyOneId(path: string, query: string): boolean {
  const parts = query.split("&");
  if (/%(?:23|3f)/i.test(path) || !parts.every((part) => /^[\w.]+(?:=[\w.,:*-]*)?$/.test(part))) {
    return false;
  }
  const [only = "", ...others] = parts.filter((part) => /^id(\W|$)/i.test(part));
  return only.startsWith("id=") && isUuid(only.slice("id=".length)) && others.length === 0;
}
