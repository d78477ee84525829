/** The provider that a flag names (cli.md section 11). */
import { usageError } from "../base/errors.ts";
import { isUuid } from "../base/uuid.ts";
import { PROVIDER_KEY } from "../course/fields.ts";
import { checkOwnership } from "../course/ownership.ts";
import { findProvider } from "../course/provider.ts";
import type { Context } from "./context.ts";

/**
 * The id of the provider that a word names: a UUID as it is, else the slug, domain or name of one
 * of the user's.
 *
 * @throws CatalogError of kind `usage` with the candidates when none or several match
 */
export async function providerIdOf(
  word: string,
  context: Pick<Context, "client">,
): Promise<string> {
  if (isUuid(word)) return word.toLowerCase();
  const providers = await (await context.client()).providers();
  const found = findProvider(word, providers).found;
  if (found !== undefined) return found.id;
  const [problem] = checkOwnership({ [PROVIDER_KEY]: word }, providers);
  const meant = problem?.suggestion;
  throw usageError(
    `--provider ${word} ${problem?.message.replace(/^provider /, "")}`,
    meant === undefined ? '"catalog providers ls" lists them.' : `Did you mean ${meant}?`,
  );
}
