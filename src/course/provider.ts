/** Describes a provider, finds the provider that a file or a flag names, and tests which courses belong to a provider. */

import { parseUrl } from "../base/credentials.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import {
  closest,
  formatNumber,
  formatSuggestion,
  listSome,
  truncate,
  truncateJson,
} from "../base/text.ts";
import { addTo, isList, isUuid, type PlainObject } from "../base/values.ts";
import { type Problem, problemAt, type RuleId } from "./problem.ts";
import { PROVIDER_KEY } from "./special-fields.ts";

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

/** The provider of what the service returned. If the slug is missing, it is the id; if the name is missing, the slug. */
export function providerIn(row: PlainObject & { readonly id: string }): Provider {
  const { id, description, domain, published } = row;
  const slug = stringOr(row.slug, id);
  const domains = isList(domain) ? domain.filter((entry) => typeof entry === "string") : null;
  return {
    id,
    name: stringOr(row.name, slug),
    description: typeof description === "string" ? description : null,
    slug,
    url: stringOr(row.url, ""),
    domain: typeof domain === "string" ? domain : domains,
    published: published === true,
  };
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

/** Whether a host is the host of the provider's url, one of its domains, or a subdomain of these. Ignores `www.` */
export function ownsHost(provider: Provider, host: string): boolean {
  const site = withoutWww(host);
  return [hostOf(provider.url) ?? "", ...domainsOf(provider)].some((domain) => {
    const own = withoutWww(domain);
    return own !== "" && (site === own || site.endsWith(`.${own}`));
  });
}

export function withoutWww(host: string): string {
  return host.replace(/^www\./, "");
}

/** The provider's domains, or the host of its url if it has none. */
function domainsOf({ domain, url }: Provider): readonly string[] {
  const listed = typeof domain === "string" ? [domain] : (domain ?? []);
  const named = listed.length === 0 ? [url] : listed;
  return named.flatMap((text) => hostOf(text) ?? []);
}

/** The only provider with this UUID, slug, name or domain (or host of its url), and all that match. */
export function findProvider(text: string, providers: readonly Provider[]) {
  const word = text.trim();
  const folded = word.toLowerCase();
  const matches = providers.filter((provider) =>
    isUuid(word)
      ? provider.id.toLowerCase() === folded
      : [provider.slug, provider.name].includes(word) || domainsOf(provider).includes(folded),
  );
  return { found: matches.length === 1 ? matches[0] : undefined, candidates: matches };
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

/** The problems that a course has with the user's providers. Invalid values are left to `checkCourse`. */
export function checkOwnership(course: PlainObject, providers: readonly Provider[]): Problem[] {
  const { provider_id: id, [PROVIDER_KEY]: name } = course;
  const isNamed = typeof name === "string" && typeof id !== "string";
  const problem =
    (isUuid(id) ? idProblem(String(id), providers) : undefined) ??
    (isNamed ? nameProblem(name, providers) : undefined) ??
    // The url of a course with another provider is on the website of that provider.
    hostProblem(course, providers);
  return problem === undefined ? [] : [problem];
}

/** The rules of courses of another account. */
const OWNERSHIP_RULES: ReadonlySet<RuleId> = new Set([
  "provider-owned",
  "provider-unknown",
  "url-host",
]);

/** Reports each foreign provider and website once, at the first of its courses, with the places of the other courses. */
export function groupForeign<
  Found extends Pick<Problem, "rule" | "message"> & {
    readonly file: string;
    readonly line: number;
  },
>(found: readonly Found[]): readonly Found[] {
  const groups = new Map<unknown, Found[]>();
  for (const each of found) {
    addTo(groups, OWNERSHIP_RULES.has(each.rule) ? each.message : each, each);
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? [];
    const places = listSome(others.map(({ file, line }) => `${file}:${line}`));
    return { ...first, message: `${first.message}; likewise in ${places}` };
  });
}

const NOTES = ['Run "catalog providers ls" to list them with their domains and ids.'];

function idProblem(id: string, providers: readonly Provider[]): Problem | undefined {
  if (findProvider(id, providers).found !== undefined) return undefined;
  const text = `${id} is not the id of one of your providers (${slugsOf(providers)})`;
  return problemAt(["provider_id"], "provider-owned", text, { notes: NOTES });
}

function nameProblem(name: string, providers: readonly Provider[]): Problem | undefined {
  const { found, candidates } = findProvider(name, providers);
  if (found !== undefined) return undefined;
  const ids = candidates.map((each) => `${truncate(each.id)} (${truncate(each.name)})`);
  const text =
    ids.length > 0
      ? `matches several of your providers; use the id of one: ${listSome(ids)}`
      : `is not one of your providers (${slugsOf(providers)})`;
  const names = providers.flatMap((each) => [each.slug, each.name, ...domainsOf(each)]);
  return problemAt([PROVIDER_KEY], "provider-unknown", `${truncateJson(name)} ${text}`, {
    suggestion: ids.length > 0 ? undefined : closest(name, names),
    notes: NOTES,
  });
}

function slugsOf(providers: readonly Provider[]): string {
  return providers.length === 0
    ? "you have none"
    : listSome(providers.map(({ slug }) => truncate(slug)));
}

function urlHost({ url }: PlainObject): string | undefined {
  return typeof url === "string" && /^https?:\/\/[^/]/i.test(url) ? hostOf(url) : undefined;
}

function hostProblem(course: PlainObject, providers: readonly Provider[]): Problem | undefined {
  const host = urlHost(course);
  const owner = providerOf(course, providers);
  if (host === undefined || (owner !== undefined && ownsHost(owner, host))) return undefined;
  const other = providers.find((provider) => ownsHost(provider, host));
  if (other === undefined) {
    const domains = providers.flatMap(domainsOf).map(truncate);
    const sites = domains.length === 0 ? "you have none" : listSome(domains);
    const text = `is on ${host}, which is not the website of one of your providers (${sites})`;
    return problemAt(["url"], "url-host", text);
  }
  if (owner === undefined) return undefined;
  const text = `is on the website of ${other.name}, but the provider of the course is ${owner.name}`;
  return problemAt(["url"], "url-other-provider", text);
}

/** The provider that a word names by UUID, slug, domain or name. @throws CatalogError of kind `usage` */
export function requireProvider(word: string, providers: readonly Provider[]): Provider {
  const match = findProvider(word, providers);
  if (match.found !== undefined) return match.found;
  const [problem] = checkOwnership({ [PROVIDER_KEY]: word }, providers);
  const message = problem?.message.replace(/^provider /, "") ?? "";
  const advice = 'Run "catalog providers ls" to list them.';
  throw usageError(`--provider ${message}`, formatSuggestion(problem?.suggestion, advice));
}

/**
 * One error of a key of another account, instead of several for each course; undefined if a course is the user's, or if
 * there is only one course, which may be wrong itself.
 */
export function foreignCourses(
  courses: readonly PlainObject[],
  providers: readonly Provider[],
): CatalogError | undefined {
  const hosts = courses.map(urlHost);
  const isForeign = courses.every((course, index) => {
    const host = hosts[index];
    if (host === undefined || providers.some((each) => ownsHost(each, host))) return false;
    return providerOf(course, providers) === undefined;
  });
  if (!isForeign || providers.length === 0 || courses.length < 2) return undefined;
  const owner = listSome(providers.map(({ name }) => truncate(name)));
  const named = listSome([...new Set(hosts.flatMap((host) => host ?? []))]);
  const message = `this API key belongs to ${owner}, but all ${formatNumber(courses.length)} courses are on ${named}: wrong API key or wrong folder?`;
  const advice = 'Nothing was sent. To see which API key is in use, run "catalog status".';
  return new CatalogError("auth", message, { advice });
}

/** A course of a file or of a listing. */
type Owned = PlainObject | { readonly provider_id: unknown };

/** The ids of the providers of courses, in lowercase. */
export function listProviderIds(courses: Iterable<Owned>): ReadonlySet<string> {
  const ids = [...courses].flatMap(({ provider_id: id }) =>
    isUuid(id) ? [String(id).toLowerCase()] : [],
  );
  return new Set(ids);
}

/** Whether a course belongs to one of the providers, whose ids are in lowercase. */
export function belongsTo({ provider_id: id }: Owned, providerIds: ReadonlySet<string>): boolean {
  return typeof id === "string" && providerIds.has(id.toLowerCase());
}
