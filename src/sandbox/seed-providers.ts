/** Invents the providers that a bare list of courses speaks of (cli.md section 11). */

import type { Clock } from "../base/clock.ts";
import { parseUrl } from "../base/url.ts";
import { isUuid } from "../base/uuid.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { PROVIDER_KEY } from "../course/fields.ts";
import { findProvider, hostOf, ownsHost, type Provider } from "../course/provider.ts";
import { asciiSlug } from "./slug.ts";

/**
 * The known providers and, for each other one that the courses name, an invented one on the site of
 * its first course; then one for each site that none of these covers. Courses too broken to tell
 * are passed over.
 */
export function providersFor(
  courses: readonly unknown[],
  known: readonly Provider[],
  clock: Pick<Clock, "uuid">,
): Provider[] {
  const providers = [...known];
  const mappings = courses.filter(isObject);
  for (const course of mappings) {
    const word = course.provider_id ?? course[PROVIDER_KEY];
    if (typeof word !== "string" || findProvider(word, providers).found !== undefined) continue;
    const invented = isUuid(word)
      ? inventedProvider(course, { id: word })
      : inventedProvider(course, { id: clock.uuid(), name: word });
    if (invented !== undefined) providers.push(invented);
  }
  for (const course of mappings) {
    const host = hostOf(course.url);
    if (host === undefined || providers.some((provider) => ownsHost(provider, host))) continue;
    const invented = inventedProvider(course, { id: clock.uuid() });
    if (invented !== undefined) providers.push(invented);
  }
  return providers;
}

function inventedProvider(
  { url }: PlainObject,
  { id, name }: { id: string; name?: string },
): Provider | undefined {
  const host = hostOf(url);
  const site = typeof url === "string" ? parseUrl(url) : undefined;
  if (host === undefined || site === undefined) return undefined;
  const domain = host.replace(/^www\./, "");
  return {
    id: id.toLowerCase(),
    name: name ?? domain,
    description: "",
    slug: asciiSlug(name ?? domain, "provider"),
    url: site.origin,
    domain,
    published: true,
  };
}
