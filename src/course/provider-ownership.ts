/** Checks what depends on the user's providers: the provider of a course, and the website that has its page. */
import { closest } from "../base/suggest.ts";
import { listSome, truncate, truncateJson } from "../base/text.ts";
import { isUuid, type PlainObject } from "../base/values.ts";
import { PROVIDER_KEY } from "./field-names.ts";
import type { Problem } from "./problem.ts";
import { domainsOf, findProvider, hostOf, ownsHost, type Provider } from "./provider.ts";

/** The problems that a course has with the user's providers. Invalid values are left to `checkCourse`. */
export function checkOwnership(course: PlainObject, providers: readonly Provider[]): Problem[] {
  return [...providerProblems(course, providers), ...hostProblems(course, providers)];
}

/** The provider that a course names by `provider_id` or `provider`; undefined if it is not one of `providers`. */
function providerOf(course: PlainObject, providers: readonly Provider[]): Provider | undefined {
  const name = course.provider_id ?? course[PROVIDER_KEY];
  return typeof name === "string" ? findProvider(name, providers).found : undefined;
}

/** The course with `provider_id` instead of `provider`, if `provider` names exactly one of the providers. */
export function resolveProvider(course: PlainObject, providers: readonly Provider[]): PlainObject {
  const { [PROVIDER_KEY]: name, provider_id: _, ...rest } = course;
  const found = typeof name === "string" ? findProvider(name, providers).found : undefined;
  return found === undefined ? course : { ...rest, provider_id: found.id };
}

function providerProblems(course: PlainObject, providers: readonly Provider[]): Problem[] {
  const { provider_id: id, [PROVIDER_KEY]: name } = course;
  if (typeof id === "string") {
    if (!isUuid(id) || findProvider(id, providers).found !== undefined) return [];
    const text = `${id} is not the id of one of your providers (${listOf(providers)})`;
    return [{ ...problem("provider-owned", "provider_id", text), ...notesOn(providers) }];
  }
  if (typeof name !== "string") return [];
  const match = findProvider(name, providers);
  if (match.found !== undefined) return [];
  const named = truncateJson(name);
  if (match.candidates.length > 0) {
    const ids = match.candidates.map((provider) => {
      return `${truncate(provider.id)} (${truncate(provider.name)})`;
    });
    const text = `${named} matches several of your providers; use the id of one: ${someOf(ids)}`;
    const notes = notesOn(match.candidates);
    return [{ ...problem("provider-unknown", PROVIDER_KEY, text), ...notes }];
  }
  const host = urlHost(course);
  // A suggestion must not move a course to a provider of another host.
  const likely = host === undefined ? providers : providers.filter((each) => ownsHost(each, host));
  const suggestion = closestName(name, likely);
  const text = `${named} is not one of your providers (${listOf(providers)})`;
  const failure = problem("provider-unknown", PROVIDER_KEY, text);
  return [{ ...failure, ...notesOn(providers), suggestion }];
}

/** The slug, name or domain that is closest to a misspelled name, if it belongs to only one provider. */
function closestName(name: string, providers: readonly Provider[]): string | undefined {
  const names = providers.flatMap((each) => [each.slug, each.name, ...domainsOf(each)]);
  const nearest = closest(name, names);
  return findProvider(nearest ?? "", providers).found === undefined ? undefined : nearest;
}

/** The hosts of courses if none of the courses belongs to a provider of the user; else undefined. */
export function findForeignHosts(
  courses: readonly PlainObject[],
  providers: readonly Provider[],
): readonly string[] | undefined {
  const hosts = new Set<string>();
  for (const course of courses) {
    const host = urlHost(course);
    if (host === undefined || providers.some((each) => ownsHost(each, host))) return undefined;
    if (providerOf(course, providers) !== undefined) return undefined;
    hosts.add(host);
  }
  return [...hosts];
}

function urlHost({ url }: PlainObject): string | undefined {
  return typeof url === "string" && /^https?:/i.test(url) ? hostOf(url) : undefined;
}

function hostProblems(course: PlainObject, providers: readonly Provider[]): Problem[] {
  const host = urlHost(course);
  if (host === undefined) return [];
  const owner = providerOf(course, providers);
  if (owner !== undefined && ownsHost(owner, host)) return [];
  const other = providers.find((provider) => ownsHost(provider, host));
  if (other === undefined) {
    const domains = providers.flatMap(domainsOf);
    const sites = domains.length === 0 ? "you have none" : someOf(domains);
    const text = `is on ${host}, which is not the website of one of your providers (${sites})`;
    return [problem("url-host", "url", text)];
  }
  if (owner === undefined) return [];
  const text = `is on the website of ${other.name}, but the provider of the course is ${owner.name}`;
  return [{ ...problem("url-other-provider", "url", text), severity: "warning" }];
}

function problem(rule: Problem["rule"], field: string, text: string): Problem {
  return { rule, severity: "error", at: "value", path: [field], message: `${field} ${text}` };
}

/** One note for each provider, with everything that can name it: slug, domains and id. */
function notesOn(providers: readonly Provider[]): Pick<Problem, "notes"> {
  if (providers.length === 0) return {};
  const notes = providers.slice(0, MAX_LISTED).map((provider) => {
    const { id, name, slug } = provider;
    const domains = domainsOf(provider).map((domain) => `domain ${truncate(domain)}`);
    const names = [
      ...(slug === "" ? [] : [`slug ${truncate(slug)}`]),
      ...domains,
      `id ${truncate(id)}`,
    ];
    return `Your provider ${truncate(name)}: ${names.join(", ")}`;
  });
  return { notes };
}

function listOf(providers: readonly Provider[]): string {
  return providers.length === 0 ? "you have none" : someOf(providers.map(({ slug }) => slug));
}

const MAX_LISTED = 5;

function someOf(names: readonly string[]): string {
  return listSome(names.map(truncate));
}
