/** The flags with which the service filters a listing. */
import { isUuid } from "../../base/values.ts";
import { type Flag, type FlagValues, nonEmpty } from "../../cli/arguments.ts";
import { requireProvider } from "../../cli/catalog.ts";
import type { Context } from "../../cli/context.ts";
import { readProviders } from "../../cli/work.ts";
import type { CourseQuery } from "../../service/client.ts";

export const COURSE_COLUMNS = ["id", "name", "published", "approval_status"];

export const FILTER_FLAGS = [
  {
    name: "provider",
    value: "<provider>",
    parse: nonEmpty,
    description: "only courses of this provider: its slug, domain, name or UUID",
  },
  {
    name: "name",
    value: "<text>",
    // An empty variable must not select every course for the command that follows in a pipe.
    parse: (text: string, origin: string) => {
      nonEmpty(text, origin);
      return text;
    },
    description: "only courses whose name contains this text, in this case",
  },
  {
    name: "published",
    choices: ["true", "false"],
    description: "only published courses, or with false only unpublished courses",
  },
] as const satisfies readonly Flag[];

/** The values of the flags; the provider as typed. */
type Filters = FlagValues<typeof FILTER_FLAGS>;

/** The filters with the provider's id; may send GET providers. @throws CatalogError of kind `usage` */
export async function resolveFilters(
  { provider, name, published: word }: Filters,
  context: Context,
): Promise<CourseQuery> {
  const published = word === undefined ? undefined : word === "true";
  if (provider === undefined) return { name, published };
  if (isUuid(provider)) return { name, published, providerId: provider.toLowerCase() };
  const { id } = requireProvider(provider, await readProviders(context));
  return { name, published, providerId: id };
}
