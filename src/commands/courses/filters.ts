/** The flags by which the service filters a listing. */
import {
  alternatives,
  BOOLEANS,
  type Flag,
  type FlagValues,
  nonEmpty,
  parseBoolean,
} from "../../command-support/arguments.ts";
import type { Context } from "../../command-support/context.ts";
import { resolveProviderId } from "../../command-support/provider-id.ts";
import type { ProgressNeeds } from "../../command-support/work.ts";

/** The columns of tables of courses. */
export const COURSE_COLUMNS = ["id", "name", "published", "approval_status"];

export const FILTER_FLAGS = [
  {
    name: "provider",
    value: "<provider>",
    completes: "provider",
    parse: nonEmpty,
    description: "only courses of this provider: UUID, slug, domain or name",
  },
  {
    name: "name",
    value: "<text>",
    // An empty variable must not select every course for the command that follows in a pipe.
    parse: (text: string, flag: string) => {
      nonEmpty(text, flag);
      return text;
    },
    description: "only courses whose name contains this text; only ls ignores case",
  },
  {
    name: "published",
    value: alternatives(BOOLEANS),
    choices: BOOLEANS,
    parse: parseBoolean,
    description: "only published or only unpublished courses",
  },
] as const satisfies readonly Flag[];

/** The values of the flags; the provider as typed. */
export type Filters = FlagValues<typeof FILTER_FLAGS>;

/** The filters with the provider's id; may send GET providers. @throws CatalogError of kind `usage` */
export async function resolveFilters(
  { provider, name, published }: Filters,
  context: ProgressNeeds & Pick<Context, "providers">,
): Promise<Omit<Filters, "provider"> & { readonly providerId?: string }> {
  if (provider === undefined) return { name, published };
  return { name, published, providerId: await resolveProviderId(provider, context) };
}
