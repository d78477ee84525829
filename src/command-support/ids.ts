/** Ids that a command line gives: course ids, also from standard input, and the provider's. */
import { usageError } from "../base/errors.ts";
import { readAll, STANDARD_INPUT } from "../base/io.ts";
import { formatSuggestion } from "../base/suggest.ts";
import { listSome, truncate } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";
import { PROVIDER_KEY } from "../course/field-names.ts";
import { checkOwnership } from "../course/ownership.ts";
import { findProvider } from "../course/provider.ts";
import { type Argument, type CommandWords, parseUuid } from "./arguments.ts";
import type { Context } from "./context.ts";
import { type ProgressNeeds, readProviders } from "./work.ts";

const MAX_INPUT = 64 * 1024 * 1024;

/** The argument of commands that take one course id. */
export const ID_ARGUMENT: Argument = {
  name: "id",
  required: true,
  completes: "course",
  description: "the course's id",
};

type Words = Pick<CommandWords, "arguments">;

/** The only id among the arguments. */
export function parseId({ arguments: [id = ""] }: Words): string {
  return parseUuid(id, "the course id");
}

/** The ids, each once; `-` is replaced by those on the lines of standard input. */
export async function readIds(
  ids: readonly string[],
  context: Pick<Context, "io" | "messages">,
): Promise<readonly string[]> {
  const all = new Set<string>();
  for (const id of ids) {
    for (const each of id === STANDARD_INPUT ? await readInputIds(context) : [id]) all.add(each);
  }
  if (all.size === 0) await context.messages.info("No ids on standard input: nothing to do.");
  return [...all];
}

async function readInputIds({ io }: Pick<Context, "io">): Promise<string[]> {
  const bytes = await readAll(io.in.stream, MAX_INPUT);
  if (bytes === undefined) throw usageError("standard input is too large for a list of ids");
  const lines = bytes
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .split(/\r?\n/);
  return lines.flatMap((line, index) =>
    line.trim() === "" ? [] : [parseUuid(line, `line ${index + 1} of standard input`)],
  );
}

/** The id of the provider that `--provider` names by UUID, slug, domain or name. */
export async function resolveProviderId(
  word: string,
  context: ProgressNeeds & Pick<Context, "client">,
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
