/** Names the service and the account that a run changes. */
import { escapeName, pluralize, truncate } from "../base/text.ts";
import type { Provider } from "../course/provider.ts";
import type { Context } from "./context.ts";

/** The service and the account that a run changes. */
export interface Target {
  readonly baseUrl: string;
  /** The names of the user's providers. */
  readonly providers: readonly string[];
  readonly profile?: string;
}

/** The target of the settings in effect. @param providers those of the user, if they were read already */
export async function findTarget(
  context: Pick<Context, "client" | "settings">,
  providers?: readonly Pick<Provider, "name">[],
): Promise<Target> {
  const { baseUrl, profile } = await context.settings();
  const client = await context.client();
  // What cannot be named must not stop a run: its requests fail for themselves.
  const owned = providers ?? (await client.providers().catch(() => []));
  return {
    baseUrl: baseUrl?.value ?? "",
    providers: owned.map(({ name }) => name),
    ...(profile === undefined ? {} : { profile: profile.value }),
  };
}

/** `https://api.example as Example Academy (profile production)`; several providers are counted. */
export function describeTarget({ baseUrl, providers, profile }: Target): string {
  const [name = "", ...others] = providers;
  const owner =
    others.length === 0 ? escapeName(truncate(name)) : pluralize(providers.length, "provider");
  const as = owner === "" ? "" : ` as ${owner}`;
  return `${baseUrl}${as}${profile === undefined ? "" : ` (profile ${profile})`}`;
}
