/** `catalog providers ls`: lists your providers. */
import { command, SERVICE_EXITS } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { rendererFor, type Showing } from "../../cli/show.ts";
import { showWork } from "../../cli/work.ts";
import { PRINTED_FORMATS } from "../../output/formats.ts";

const COLUMNS = ["id", "name", "slug"];
const ALL_COLUMNS = ["id", "name", "description", "slug", "url", "domain", "published"];

const SHOWING: Showing = {
  kind: "list",
  columns: COLUMNS,
  allColumns: ALL_COLUMNS,
};

/** Sends GET providers. */
export const ls = command({
  description:
    "Every course belongs to one of your providers. You add providers in the developer dashboard.",
  output: { formats: PRINTED_FORMATS.courses, columns: ALL_COLUMNS },
  examples: [
    { description: "List your providers", line: "catalog providers ls" },
    { description: "Print the ids for a script", line: "catalog providers ls -o id" },
  ],
  exits: SERVICE_EXITS,
  parse: () => undefined,
  run: listProviders,
});

async function listProviders(_: undefined, context: Context): Promise<void> {
  const renderer = await rendererFor(SHOWING, context);
  const client = await context.client();
  const providers = await showWork("Reading your providers", context, () => client.providerRows());
  await renderer.rows(providers);
  await renderer.end();
  if (providers.length === 0) {
    await context.messages.info("You have no providers. Add them in the developer dashboard.");
  }
}
