/** Finds new courses that the catalog may already have under another url. */
import { attempt } from "../base/errors.ts";
import { parseUrl } from "../base/http.ts";
import { addTo } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import type { Located, Step } from "./step.ts";

/** A course that a plan creates, and the remote course that it may be. */
export interface Move {
  readonly from: Located;
  readonly remote: Course;
  /** Whether the plan also deletes the remote course. */
  readonly isDeleted: boolean;
}

/**
 * Courses to be created that resemble one that no step describes: by provider and name, or by url.
 */
export function findMoves(steps: readonly Step[], remote: readonly Course[]): Move[] {
  const described = new Set(steps.flatMap(({ action, id }) => (action === "delete" ? [] : [id])));
  const deleted = new Set(steps.flatMap(({ action, id }) => (action === "delete" ? [id] : [])));
  const similar = new Map<string, Course[]>();
  for (const course of remote) {
    if (described.has(course.id.toLowerCase())) continue;
    for (const trait of listTraits(course)) addTo(similar, trait, course);
  }
  if (similar.size === 0) return [];
  return steps.flatMap((step) => {
    if (step.action !== "create" || step.from === undefined) return [];
    const candidates = listTraits(step.body).flatMap((trait) => similar.get(trait) ?? []);
    const isDeleted = ({ id }: Course): boolean => deleted.has(id.toLowerCase());
    const found = candidates.find(isDeleted) ?? candidates[0];
    if (found === undefined) return [];
    return [{ from: step.from, remote: found, isDeleted: isDeleted(found) }];
  });
}

/** What two descriptions of one course have in common, the most specific first. */
function listTraits({ url, name, provider_id: provider }: Course): string[] {
  const traits: string[] = [];
  if (typeof url === "string") traits.push(`url ${normalizeUrl(url)}`);
  if (typeof name === "string" && typeof provider === "string") {
    traits.push(`name ${provider.toLowerCase()} ${name.trim().toLowerCase()}`);
  }
  return traits;
}

/**
 * A url without what rarely leads to another page: the scheme, `www.`, the case of the host, a
 * trailing slash, the fragment, `utm_*` parameters and percent-encoding.
 */
function normalizeUrl(text: string): string {
  const url = parseUrl(text);
  if (url === undefined) return text;
  const host = url.host.toLowerCase().replace(/^www\./, "");
  const path = decode(url.pathname).replace(/\/+$/, "");
  const parameters = url.search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "" && !/^utm_/i.test(parameter))
    .map(decode);
  return `${host}${path}?${parameters.join("&")}`;
}

function decode(text: string): string {
  return attempt(() => decodeURIComponent(text).normalize("NFC")) ?? text;
}
