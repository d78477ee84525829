/** The flags that choose courses of a listing (cli.md section 6). */
import { usageError } from "../../base/errors.ts";
import { alternatives, type Flag, type ParsedArguments } from "../../command-support/arguments.ts";
import type { Context } from "../../command-support/context.ts";
import { BOOLEANS, getBoolean, getString } from "../../command-support/flag-values.ts";
import { resolveProviderId } from "../../command-support/ids.ts";

/** The flags as data; `parseFilters` reads them. */
export const FILTER_FLAGS: readonly Flag[] = [
  {
    name: "provider",
    value: "<provider>",
    completes: "provider",
    description: "only of this provider: UUID, slug, domain or name",
  },
  {
    name: "name",
    value: "<text>",
    description: "only courses whose name holds this text; case matters",
  },
  {
    name: "published",
    value: alternatives(BOOLEANS),
    choices: BOOLEANS,
    description: "only published, or only unpublished",
  },
];

/** What was asked for; the provider as it was typed. */
export interface Filters {
  readonly provider?: string;
  readonly name?: string;
  readonly published?: boolean;
}

/** Reads the flags. @throws CatalogError of kind `usage` for a bad value */
export function parseFilters(words: ParsedArguments): Filters {
  const provider = getString(words, "provider");
  const name = getString(words, "name");
  const published = getBoolean(words, "published");
  if (provider !== undefined && provider.trim() === "") throw usageError("--provider is blank");
  return {
    ...(provider === undefined ? {} : { provider: provider.trim() }),
    ...(name === undefined ? {} : { name }),
    ...(published === undefined ? {} : { published }),
  };
}

/** The filters with the provider's id, which may take a request. @throws CatalogError of kind `usage` */
export async function resolveFilters(
  { provider, ...filter }: Filters,
  context: Pick<Context, "client">,
): Promise<Omit<Filters, "provider"> & { readonly providerId?: string }> {
  if (provider === undefined) return filter;
  return { ...filter, providerId: await resolveProviderId(provider, context) };
}
