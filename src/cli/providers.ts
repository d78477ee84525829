/** Finds the provider that a flag names. */
import { usageError } from "../base/errors.ts";
import { formatSuggestion } from "../base/suggest.ts";
import { listSome, truncate } from "../base/text.ts";
import { PROVIDER_KEY } from "../course/field-names.ts";
import { findProvider, type Provider } from "../course/provider.ts";
import { checkOwnership } from "../course/provider-ownership.ts";

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
