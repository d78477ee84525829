/** Names the service and the account that a run changes. */
import type { ReportedTarget } from "../output/diagnostics.ts";
import type { Context } from "./context.ts";

export type Target = ReportedTarget;

/** The target of the settings in effect. What cannot be named neither stops a run nor delays it. */
export async function findTarget(
  context: Pick<Context, "providers" | "settings">,
): Promise<Target> {
  const { baseUrl, profile } = await context.settings();
  const providers = await context.providers({ retries: 0 }).catch(() => []);
  return {
    baseUrl: baseUrl?.value ?? "",
    providers: providers.map(({ name }) => name),
    ...(profile === undefined ? {} : { profile: profile.value }),
  };
}
