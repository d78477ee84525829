/** Describes a provider, finds the provider that a file or a flag names, and tests which courses belong to a provider. */
import { parseUrl } from "../base/http.ts";
import { closest } from "../base/suggest.ts";
import { listSome, truncate, truncateJson } from "../base/text.ts";
import { isList, isUuid, type PlainObject } from "../base/values.ts";
import { PROVIDER_KEY } from "./field-names.ts";
import type { Problem } from "./problem.ts";

/** A provider as the service returns it; see docs/service.md, "Providers". */
export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly slug: string;
  readonly url: string;
  /** The documentation shows only null. */
  readonly domain: string | readonly string[] | null;
  readonly published: boolean;
}

/** A provider as the service returned it. Only the id is known to be valid. */
export type ProviderRow = PlainObject & { readonly id: string };

/** The provider of a row. If the slug is missing, it is the id; if the name is missing, it is the slug. */
export function providerIn(row: ProviderRow): Provider {
  const { id, description, domain, published } = row;
  const slug = stringOr(row.slug, id);
  return {
    id,
    name: stringOr(row.name, slug),
    description: typeof description === "string" ? description : null,
    slug,
    url: stringOr(row.url, ""),
    domain: typeof domain === "string" ? domain : domainList(domain),
    published: published === true,
  };
}

function domainList(value: unknown): readonly string[] | null {
  if (!isList(value)) return null;
  return value.filter((entry) => typeof entry === "string");
}

function stringOr(value: unknown, other: string): string {
  return typeof value === "string" ? value : other;
}

/** The names of providers by their ids and slugs in lowercase. */
export function providerNames(providers: readonly Provider[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    providers.flatMap(({ id, slug, name }) => [
      [id.toLowerCase(), name],
      [slug.toLowerCase(), name],
    ]),
  );
}

/** The host of a URL or a domain, without port, in lowercase ASCII: `https://Academy.example:8080/a` → `academy.example`. */
export function hostOf(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const url = text.includes("://") ? text : `https://${text}`;
  const host = text === "" ? undefined : parseUrl(url)?.hostname.replace(/\.$/, "");
  return host === "" ? undefined : host;
}

/** Whether a host is the host of the provider's url, one of its domains, or a subdomain of these. */
export function ownsHost(provider: Provider, host: string): boolean {
  return [hostOf(provider.url), ...domainsOf(provider)].some(
    (own) => own !== undefined && (host === own || host.endsWith(`.${own}`)),
  );
}

type ProviderMatch =
  | { readonly found: Provider }
  | { readonly found?: undefined; readonly candidates: readonly Provider[] };

/** The only provider with this UUID, slug, name or domain (or host of its url); else all candidates. */
export function findProvider(text: string, providers: readonly Provider[]): ProviderMatch {
  const word = text.trim();
  const folded = word.toLowerCase();
  const matches = providers.filter((provider) =>
    isUuid(word)
      ? provider.id.toLowerCase() === folded
      : [provider.slug, provider.name].includes(word) || domainsOf(provider).includes(folded),
  );
  const [only] = matches;
  return matches.length === 1 && only !== undefined ? { found: only } : { candidates: matches };
}

/** The provider's domains, or the host of its url if it has none. */
export function domainsOf({ domain, url }: Provider): readonly string[] {
  const listed = typeof domain === "string" ? [domain] : (domain ?? []);
  const named = listed.length === 0 ? [url] : listed;
  return named.flatMap((text) => hostOf(text) ?? []);
}

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
