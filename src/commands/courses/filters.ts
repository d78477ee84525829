/** The flags that filter a listing of courses. */

import { usageError } from "../../base/errors.ts";
import { alternatives, type Flag, type ParsedArguments } from "../../command-support/arguments.ts";
import type { Context } from "../../command-support/context.ts";
import { BOOLEANS, getBoolean, getString } from "../../command-support/flag-values.ts";
import { resolveProviderId } from "../../command-support/ids.ts";
import type { ProgressNeeds } from "../../command-support/work.ts";

/** The flags as data; `parseFilters` reads them. */
export const FILTER_FLAGS: readonly Flag[] = [
  {
    name: "provider",
    value: "<provider>",
    completes: "provider",
    description: "only courses of this provider: UUID, slug, domain or name",
  },
  {
    name: "name",
    value: "<text>",
    description: "only courses whose name contains this text (case-sensitive)",
  },
  {
    name: "published",
    value: alternatives(BOOLEANS),
    choices: BOOLEANS,
    description: "only published or only unpublished courses",
  },
];

/** The values of the flags; the provider as typed. */
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
  if (provider !== undefined && provider.trim() === "")
    throw usageError("--provider must not be empty");
  return {
    ...(provider === undefined ? {} : { provider: provider.trim() }),
    ...(name === undefined ? {} : { name }),
    ...(published === undefined ? {} : { published }),
  };
}

/** The filters with the provider's id; may send GET providers. @throws CatalogError of kind `usage` */
export async function resolveFilters(
  { provider, ...filter }: Filters,
  context: ProgressNeeds & Pick<Context, "client">,
): Promise<Omit<Filters, "provider"> & { readonly providerId?: string }> {
  if (provider === undefined) return filter;
  return { ...filter, providerId: await resolveProviderId(provider, context) };
}
