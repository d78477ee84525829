/** The flags with which the service filters a listing. */
import { usageError } from "../../base/errors.ts";
import { formatSuggestion } from "../../base/suggest.ts";
import { listSome, truncate } from "../../base/text.ts";
import { isUuid } from "../../base/values.ts";
import {
  alternatives,
  BOOLEANS,
  type Flag,
  type FlagValues,
  nonEmpty,
  parseBoolean,
} from "../../command-support/arguments.ts";
import type { Context } from "../../command-support/context.ts";
import { readProviders } from "../../command-support/work.ts";
import { PROVIDER_KEY } from "../../course/field-names.ts";
import { findProvider, type Provider } from "../../course/provider.ts";
import { checkOwnership } from "../../course/provider-ownership.ts";

export const COURSE_COLUMNS = ["id", "name", "published", "approval_status"];

export const FILTER_FLAGS = [
  {
    name: "provider",
    value: "<provider>",
    parse: nonEmpty,
    description: "only courses of this provider: its slug, domain, name or UUID",
  },
  {
    name: "name",
    value: "<text>",
    // An empty variable must not select every course for the command that follows in a pipe.
    parse: (text: string, flag: string) => {
      nonEmpty(text, flag);
      return text;
    },
    description: "only courses whose name contains this text (ls ignores case, pull does not)",
  },
  {
    name: "published",
    value: alternatives(BOOLEANS),
    choices: BOOLEANS,
    parse: parseBoolean,
    description: "only published courses, or with false only unpublished courses",
  },
] as const satisfies readonly Flag[];

/** The values of the flags; the provider as typed. */
export type Filters = FlagValues<typeof FILTER_FLAGS>;

/** The filters with the provider's id; may send GET providers. @throws CatalogError of kind `usage` */
export async function resolveFilters(
  { provider, name, published }: Filters,
  context: Context,
): Promise<Omit<Filters, "provider"> & { readonly providerId?: string }> {
  if (provider === undefined) return { name, published };
  if (isUuid(provider)) return { name, published, providerId: provider.toLowerCase() };
  const { id } = requireProvider(provider, await readProviders(context));
  return { name, published, providerId: id };
}

/** The provider that a word names by UUID, slug, domain or name. @throws CatalogError of kind `usage` */
export function requireProvider(word: string, providers: readonly Provider[]): Provider {
  const match = findProvider(word, providers);
  if (match.found !== undefined) return match.found;
  const named = JSON.stringify(truncate(word));
  if (match.candidates.length > 0) {
    const ids = match.candidates.map(({ id, name }) => `${id} (${name})`);
    throw usageError(
      `several providers match ${named}: ${listSome(ids.map(truncate))}`,
      `Pass the id of one of them. For example: --provider ${match.candidates[0]?.id}`,
    );
  }
  const [problem] = checkOwnership({ [PROVIDER_KEY]: word }, providers);
  const slugs = listSome(providers.map(({ slug }) => truncate(slug))) || "you have none";
  throw usageError(
    `provider ${named} is not one of yours (${slugs})`,
    formatSuggestion(problem?.suggestion, 'Run "catalog providers ls" to list them.'),
  );
}
