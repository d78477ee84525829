/** Decides which raw calls may be sent: none to another place, none that could reach every course. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { isUuid } from "../base/uuid.ts";
import type { Method } from "./transport.ts";

const EXAMPLE = "developer/v1/courses?limit=5";
const ELSEWHERE = "the key goes to the configured service alone";

/** How a path is refused by its characters: what it must not look like, why, and what to do. */
const REFUSED: readonly (readonly [pattern: RegExp, why: string, next: string])[] = [
  [/^$/, "the path is empty", `It is relative to the base URL, such as ${EXAMPLE}.`],
  [/[\s\p{Cc}]/u, "the path holds a blank or a control character", "Write a blank as %20."],
  [/\\/, "the path holds a backslash", "Write it as %5C."],
  [/#/, "the path holds a #, and what stands behind one is never sent", "Write it as %23."],
  [
    /^[a-z][a-z\d+.-]*:/i,
    `the path is a whole URL, and ${ELSEWHERE}`,
    `Leave out what stands before the path, as in ${EXAMPLE}; --base-url names another service.`,
  ],
  [
    /^\/\//,
    `the path begins with //, which names another host, and ${ELSEWHERE}`,
    `Begin it with one slash or none, as in ${EXAMPLE}.`,
  ],
  [/^[^?]*@/, "the path holds an @, as if it named a user", "Write it as %40."],
];

/**
 * Refuses a call that must never be sent, wherever the base URL leads (cli.md sections 1 and 11).
 *
 * @throws CatalogError of kind `usage`
 */
export function checkCall(method: Method, path: string): void {
  const refused = REFUSED.find(([pattern]) => pattern.test(path));
  if (refused !== undefined) throw usageError(refused[1], refused[2]);
  const [, before = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(path) ?? [];
  if (leadsOut(before)) throw leavesBase();
  if (changesCourses(method) && !namesOneId(before, query)) {
    throw usageError(
      `${method} is sent only with exactly one id=<uuid> in its query: without it, every course could be reached`,
      'Such as "developer/v1/courses?id=0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10".',
    );
  }
}

/** The refusal of a path that ends up outside of the base URL. */
export function leavesBase(): CatalogError {
  return usageError(
    "the path leads out of the base URL",
    `It is relative to the base URL, such as ${EXAMPLE}.`,
  );
}

function changesCourses(method: Method): boolean {
  return method === "PATCH" || method === "PUT" || method === "DELETE";
}

/** Whether `..` leads above the start, for a server that decodes before it looks for slashes, too. */
function leadsOut(path: string): boolean {
  const decoded = fullyDecoded(path);
  if (decoded === undefined) return true;
  let depth = 0;
  for (const segment of decoded.split(/[/\\]/)) {
    // Some servers cut off what stands behind a semicolon, and some drop empty segments.
    const name = segment.replace(/;.*$/s, "");
    if (name === "..") depth--;
    else if (name !== "" && name !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

/**
 * Whether the query has one `id` that is a UUID, written out plainly, and nothing that any server
 * could take for another end of the query or another id: a second one, another case, `id[]`.
 */
function namesOneId(path: string, query: string): boolean {
  const decoded = fullyDecoded(query);
  // For a server that decodes before it splits, the query would begin or end elsewhere.
  if (decoded === undefined || decoded.includes("#")) return false;
  if (/[?#]/.test(fullyDecoded(path) ?? "?")) return false;
  return [query, decoded].every((text) => {
    const [only = "", ...others] = text.split("&").filter(mayBeId);
    // Some servers take a semicolon for an ampersand, and would find other parameters.
    return others.length === 0 && isPlainId(only) && !text.includes(";");
  });
}

function isPlainId(parameter: string): boolean {
  return parameter.startsWith("id=") && isUuid(parameter.slice("id=".length));
}

function mayBeId(parameter: string): boolean {
  return /^\W*id(\W|$)/i.test(parameter);
}

/** How often a text may have been encoded over and over. */
const MOST_ROUNDS = 4;

/** The text free of percent-encoding, bytes as characters; undefined if it is encoded too often. */
function fullyDecoded(text: string): string | undefined {
  let decoded = text;
  for (let round = 0; round <= MOST_ROUNDS; round++) {
    const before = decoded;
    decoded = before.replace(/%([\da-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (decoded === before) return decoded;
  }
  return undefined;
}
