/** Finds the provider that a flag names, and recognizes an API key of another account than the files. */
import { CatalogError, usageError } from "../base/errors.ts";
import { formatSuggestion } from "../base/suggest.ts";
import { formatNumber, listSome, truncate } from "../base/text.ts";
import { PROVIDER_KEY } from "../course/field-names.ts";
import type { RuleId } from "../course/problem.ts";
import { findProvider, type Provider } from "../course/provider.ts";
import { checkOwnership } from "../course/provider-ownership.ts";

/** The provider that a word names by UUID, slug, domain or name. @throws CatalogError of kind `usage` */
export function requireProvider(word: string, providers: readonly Provider[]): Provider {
  const match = findProvider(word, providers);
  if (match.found !== undefined) return match.found;
  const [problem] = checkOwnership({ [PROVIDER_KEY]: word }, providers);
  const message = problem?.message.replace(/^provider /, "") ?? "";
  const advice = 'Run "catalog providers ls" to list them.';
  throw usageError(`--provider ${message}`, formatSuggestion(problem?.suggestion, advice));
}

/** The problems that `foreignCourses` replaces. */
export const OWNERSHIP_RULES: ReadonlySet<RuleId> = new Set([
  "provider-owned",
  "provider-unknown",
  "url-host",
]);

/**
 * One error of a key of another account, instead of several for each course; undefined if a course is the user's, or if
 * there is only one course, which may be wrong itself. @param hosts of courses none of which is the user's
 */
export function foreignCourses(
  hosts: Iterable<string> | undefined,
  courses: number,
  providers: readonly Provider[],
): CatalogError | undefined {
  if (hosts === undefined || providers.length === 0 || courses < 2) return undefined;
  const owner = listSome(providers.map(({ name }) => truncate(name)));
  const message = `this key belongs to ${owner}; all ${formatNumber(courses)} courses are of ${listSome([...hosts])}: wrong key or wrong folder?`;
  const advice = 'Nothing was sent. To see which key is in use, run "catalog status".';
  return new CatalogError("auth", message, { advice });
}
