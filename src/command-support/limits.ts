/** The maximum number of parallel requests of a command. */
import type { Context } from "./context.ts";

/** The concurrency in effect. */
export async function concurrencyOf({ settings }: Pick<Context, "settings">): Promise<number> {
  return (await settings()).concurrency.value;
}
