/** Describes a provider and finds the one that somebody names. */
import { parseUrl } from "../base/http.ts";
import { isUuid } from "../base/uuid.ts";
import { isObject, type PlainObject } from "../base/values.ts";

/** A provider as the service returns it (api.md, "Provider"). Read-only. */
export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly slug: string;
  readonly url: string;
  readonly domain: string | null;
  readonly published: boolean;
}

/** A provider as it came, of which only the id is sure to be what it should be. */
export type ProviderRow = PlainObject & { readonly id: string };

/** The provider of a row; what names it in a row that lacks a part is the next best part. */
export function providerIn(row: ProviderRow): Provider {
  const { id, description, domain, published } = row;
  const slug = textOr(row.slug, id);
  return {
    id,
    name: textOr(row.name, slug),
    description: typeof description === "string" ? description : null,
    slug,
    url: textOr(row.url, ""),
    domain: typeof domain === "string" ? domain : null,
    published: published === true,
  };
}

function textOr(value: unknown, other: string): string {
  return typeof value === "string" ? value : other;
}

/** Whether a value has what a provider is known by. */
export function isProvider(value: unknown): value is Provider {
  return (
    isObject(value) && ["id", "name", "slug", "url"].every((key) => typeof value[key] === "string")
  );
}

/** The hosts on which a provider's courses may live: of its url, and its domain. Lower case. */
function hostsOf(provider: Provider): string[] {
  const hosts = new Set<string>();
  for (const text of [provider.url, provider.domain]) {
    const host = hostOf(text);
    if (host !== undefined) hosts.add(host);
  }
  return [...hosts];
}

/** The host of a URL or of a bare domain, without port, in lower case and ASCII. */
export function hostOf(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const url = text.includes("://") ? text : `https://${text}`;
  const host = text === "" ? undefined : parseUrl(url)?.hostname.replace(/\.$/, "");
  return host === "" ? undefined : host;
}

/** Whether a host is one of the provider's, or below it. */
export function ownsHost(provider: Provider, host: string): boolean {
  return hostsOf(provider).some((own) => host === own || host.endsWith(`.${own}`));
}

/** What naming a provider came to. */
export type ProviderMatch =
  | { readonly found: Provider }
  | { readonly found?: undefined; readonly candidates: readonly Provider[] };

/**
 * The provider that a word names: its UUID, slug, domain (or, where that is null, the host of its
 * url) or name. Without exactly one match, the candidates: those that match, or none.
 */
export function findProvider(word: string, providers: readonly Provider[]): ProviderMatch {
  const wanted = word.trim();
  const tests: ((provider: Provider) => boolean)[] = isUuid(wanted)
    ? [(provider) => provider.id.toLowerCase() === wanted.toLowerCase()]
    : [
        (provider) => provider.slug === wanted,
        (provider) => domainOf(provider) === wanted.toLowerCase(),
        (provider) => provider.name === wanted,
      ];
  // One word may be the slug of one and the name of another: only a single provider is an answer.
  const matches = providers.filter((provider) => tests.some((test) => test(provider)));
  const [only] = matches;
  return matches.length === 1 && only !== undefined ? { found: only } : { candidates: matches };
}

/** The provider's domain, or the host of its url where it has none. */
export function domainOf(provider: Provider): string | undefined {
  return hostOf(provider.domain ?? provider.url);
}
