/** The provider that a flag names (cli.md section 11). */
import { usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { oneOf } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";
import { domainOf, findProvider } from "../course/provider.ts";
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
  const match = findProvider(word, providers);
  if (match.found !== undefined) return match.found.id;
  if (match.candidates.length > 0) {
    const ids = match.candidates.map((provider) => `${provider.id} (${provider.name})`);
    throw usageError(`--provider ${word} names several providers: ${oneOf(ids, "and")}`);
  }
  const words = providers.flatMap((provider) => [
    provider.slug,
    domainOf(provider) ?? "",
    provider.name,
  ]);
  const meant = closest(
    word,
    words.filter((candidate) => typeof candidate === "string"),
  );
  throw usageError(
    `--provider ${word} is none of your providers`,
    meant === undefined ? '"catalog providers ls" lists them.' : `Did you mean ${meant}?`,
  );
}
