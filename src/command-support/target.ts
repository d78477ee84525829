/** Names the service and the account that a run changes. */
import type { Provider } from "../course/provider.ts";
import type { ReportedTarget } from "../output/diagnostics.ts";
import type { Context } from "./context.ts";

export type Target = ReportedTarget;

/** The target of the settings in effect. @param providers those of the user, if they were read already */
export async function findTarget(
  context: Pick<Context, "client" | "settings">,
  providers?: readonly Pick<Provider, "name">[],
): Promise<Target> {
  const { baseUrl, profile } = await context.settings();
  const client = await context.client();
  // What cannot be named must neither stop a run, whose requests fail for themselves, nor delay it.
  const owned = providers ?? (await client.providers({ retries: 0 }).catch(() => []));
  return {
    baseUrl: baseUrl?.value ?? "",
    providers: owned.map(({ name }) => name),
    ...(profile === undefined ? {} : { profile: profile.value }),
  };
}
