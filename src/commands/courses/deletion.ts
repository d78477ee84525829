/** Rejects deletions that cannot be confirmed. */
import { usageError } from "../../base/errors.ts";
import { STANDARD_INPUT } from "../../base/io.ts";
import { canConfirm } from "../../command-support/ask.ts";
import type { Context } from "../../command-support/context.ts";

/**
 * Rejects a deletion that cannot be confirmed: `--yes` was not given, and there is no terminal.
 *
 * @param typed the ids or paths; `-` reads standard input
 * @throws CatalogError of kind `usage`
 */
export function requireConfirmableDeletion(
  what: string,
  { yes, typed }: { readonly yes: boolean; readonly typed: readonly string[] },
  context: Context,
): void {
  if (yes || canConfirm(context, typed.includes(STANDARD_INPUT))) return;
  throw usageError(
    `${what} needs confirmation, but there is no terminal`,
    "Pass --yes to confirm.",
  );
}
