/** Describes a provider, and finds the provider that a file or a flag names. */
import { parseUrl } from "../base/http.ts";
import { isList, isUuid, type PlainObject } from "../base/values.ts";

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

export type ProviderMatch =
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
