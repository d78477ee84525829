/** Course ids from arguments and from standard input (cli.md sections 1 and 11). */
import { usageError } from "../base/errors.ts";
import { readAll } from "../base/io.ts";
import type { ParsedArguments } from "./arguments.ts";
import type { Context } from "./context.ts";
import { uuid } from "./values.ts";

/** The word that stands for standard input. */
export const STANDARD_INPUT = "-";
const MAX_INPUT = 64 * 1024 * 1024;

/** The ids among the arguments, checked; `-` is kept for `readIds`. */
export function parseIds(words: ParsedArguments): readonly string[] {
  const dashes = words.arguments.filter((word) => word === STANDARD_INPUT);
  if (dashes.length > 1) throw usageError("- stands for standard input, which can be read once");
  return words.arguments.map((word) =>
    word === STANDARD_INPUT ? word : uuid(word, "the course id"),
  );
}

/**
 * The ids with those from standard input in the place of `-`: one a line, blank lines ignored, a
 * repeat counted once.
 *
 * @throws CatalogError of kind `usage` for a line that is no UUID, before anything was sent
 */
export async function readIds(
  ids: readonly string[],
  context: Pick<Context, "io" | "messages">,
): Promise<readonly string[]> {
  const all: string[] = [];
  for (const id of ids) {
    if (id === STANDARD_INPUT) all.push(...(await idsFromInput(context)));
    else all.push(id);
  }
  if (all.length === 0) await context.messages.info("No ids on standard input: nothing to do.");
  return [...new Set(all)];
}

async function idsFromInput({ io }: Pick<Context, "io">): Promise<string[]> {
  const bytes = await readAll(io.in.stream, MAX_INPUT);
  if (bytes === undefined) throw usageError("standard input is too large for a list of ids");
  const lines = bytes
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .split(/\r?\n/);
  return lines.flatMap((line, index) =>
    line.trim() === "" ? [] : [uuid(line, `line ${index + 1} of standard input`)],
  );
}
