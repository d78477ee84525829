/** Creates the providers that a list of courses refers to. */
import type { Clock } from "../base/clock.ts";
import { parseUrl } from "../base/http.ts";
import { isUuid } from "../base/uuid.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { PROVIDER_KEY } from "../course/field-names.ts";
import { findProvider, hostOf, ownsHost, type Provider } from "../course/provider.ts";
import { asciiSlug } from "./slug.ts";

/**
 * The known providers; for each other one that the courses name, a new one on the site of its first
 * course; and one for each site that none of these has. Invalid courses are skipped.
 */
export function providersFor(
  courses: readonly unknown[],
  known: readonly Provider[],
  clock: Pick<Clock, "uuid">,
): Provider[] {
  const providers = [...known];
  const objects = courses.filter(isObject);
  for (const course of objects) {
    const name = course.provider_id ?? course[PROVIDER_KEY];
    if (typeof name !== "string" || findProvider(name, providers).found !== undefined) continue;
    const created = isUuid(name)
      ? newProvider(course, { id: name })
      : newProvider(course, { id: clock.uuid(), name });
    if (created !== undefined) providers.push(created);
  }
  for (const course of objects) {
    const host = hostOf(course.url);
    if (host === undefined || providers.some((provider) => ownsHost(provider, host))) continue;
    const created = newProvider(course, { id: clock.uuid() });
    if (created !== undefined) providers.push(created);
  }
  return providers;
}

function newProvider(
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
