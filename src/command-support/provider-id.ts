/** The provider that a flag names. */
import { usageError } from "../base/errors.ts";
import { formatSuggestion } from "../base/suggest.ts";
import { listSome, truncate } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";
import { PROVIDER_KEY } from "../course/field-names.ts";
import { checkOwnership } from "../course/ownership.ts";
import { findProvider } from "../course/provider.ts";
import type { Context } from "./context.ts";
import { type ProgressNeeds, readProviders } from "./work.ts";

/** The id of the provider that `--provider` names by UUID, slug, domain or name. */
export async function resolveProviderId(
  word: string,
  context: ProgressNeeds & Pick<Context, "providers">,
): Promise<string> {
  if (isUuid(word)) return word.toLowerCase();
  const providers = await readProviders(context);
  const match = findProvider(word, providers);
  if (match.found !== undefined) return match.found.id;
  const named = JSON.stringify(truncate(word));
  if (match.candidates.length > 0) {
    const ids = match.candidates.map(({ id, name }) => `${id} (${name})`);
    throw usageError(
      `several providers match ${named}: ${listSome(ids.map(truncate))}`,
      "Pass the id of one.",
    );
  }
  const [problem] = checkOwnership({ [PROVIDER_KEY]: word }, providers);
  const slugs = listSome(providers.map(({ slug }) => truncate(slug))) || "none";
  throw usageError(
    `no provider ${named}; your providers: ${slugs}`,
    formatSuggestion(problem?.suggestion, 'Run "catalog providers ls" to list them.'),
  );
}
