/** `catalog providers ls`: lists your providers. */

import { FILE_FLAG, type Typed } from "../../cli/arguments.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { showWork } from "../../cli/work.ts";
import { PRINTED_FORMATS } from "../../output/formats.ts";

const COLUMNS = ["id", "name", "slug"];
const ALL_COLUMNS = ["id", "name", "description", "slug", "url", "domain", "published"];

const FLAGS = [FILE_FLAG] as const;

/** Sends GET providers. */
export const ls = command({
  description:
    "Every course belongs to one of your providers. You add providers in the developer dashboard.",
  flags: FLAGS,
  output: { formats: PRINTED_FORMATS.courses, columns: ALL_COLUMNS },
  examples: {
    "List your providers": "catalog providers ls",
    "Save the list, for the sandbox of a CI job": "catalog providers ls --out providers.json",
  },
  run: listProviders,
});

async function listProviders({ out }: Typed<typeof FLAGS>, context: Context): Promise<void> {
  const renderer = await context.rows({ columns: COLUMNS, file: out });
  const client = await context.client();
  const providers = await showWork("Reading your providers", context, () => client.providerRows());
  await renderer.rows(providers);
  await renderer.end();
  if (providers.length === 0) {
    await context.messages.info("You have no providers. Add them in the developer dashboard.");
  }
}
