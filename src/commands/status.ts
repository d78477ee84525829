/** `catalog status`: shows the settings, and tests the key and the base URL (cli.md sections 5 and 11). */
import { asCatalogError, type CatalogError, usageError } from "../base/errors.ts";
import { MASK } from "../base/secrets.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { SERVICE_EXITS } from "../command-support/exit-codes.ts";
import { checkFields, rendererFor, type Showing } from "../command-support/show.ts";
import { connectionOf, testRetries } from "../settings/connection.ts";
import type { Resolved, Settings } from "../settings/resolve.ts";
import { SETTINGS, type SettingName } from "../settings/table.ts";

type Needs = Pick<Context, "io" | "options" | "styles" | "messages" | "settings" | "connect">;

/** GET providers. */
export const status = command({
  description:
    "Shows every setting with where it comes from, and asks the service for your providers to see " +
    "whether the key is taken. Ends with 4 when it is not, with 6 when the service cannot be reached or keeps failing.",
  examples: [
    { says: "What is in effect here", line: "catalog status" },
    { says: "Is the key good? For a script", line: "catalog status --json | jq .service" },
  ],
  exits: SERVICE_EXITS,
  parse: () => undefined,
  run: showStatus,
});

/** One setting as it is shown. */
interface Shown {
  readonly name: string;
  /** Null where there is none; the key is masked. */
  readonly value: string | number | null;
  readonly source: string | null;
  /** The flag, variable or file that says it. */
  readonly origin: string | null;
}

/** What asking the service came to; null for what could not be learned. */
interface Service {
  readonly reachable: boolean | null;
  readonly authenticated: boolean | null;
  /** How many providers the key has. */
  readonly providers: number | null;
}

const UNKNOWN: Service = { reachable: null, authenticated: null, providers: null };
const COLUMNS = ["name", "value", "source", "origin"];
const KEYS = ["settings", "service"];

async function showStatus(_: undefined, context: Needs): Promise<void> {
  const { format, fields } = context.options;
  if (format === "id") throw usageError("status has no ids", "Use --json, or another format.");
  // A document holds both parts; rows hold them one below the other.
  const isDocument = format === "json" || format === "ndjson" || format === "yaml";
  const columns = isDocument ? KEYS : COLUMNS;
  checkFields(fields, columns);
  const showing: Showing = {
    kind: "list",
    columns,
    allColumns: columns,
    single: isDocument,
  };
  const settings = await context.settings();
  const rows = shownSettings(settings);
  const { service, failure } = await tested(settings, context);
  const renderer = await rendererFor(showing, context);
  await renderer.rows(isDocument ? [{ settings: rows, service }] : rowsOf(rows, service));
  await renderer.end();
  if (failure !== undefined) await context.messages.fail(failure);
}

function shownSettings(settings: Settings): Shown[] {
  const all = Object.keys(SETTINGS).map((name): Shown => {
    const row = shown(name, settings[name as SettingName]);
    return name === "apiKey" && row.value !== null ? { ...row, value: MASK } : row;
  });
  return [...all, shown("config", settings.project)];
}

function shown(name: string, setting: Resolved<string | number> | undefined): Shown {
  if (setting === undefined) return { name, value: null, source: null, origin: null };
  const { value, source, origin } = setting;
  return { name, value, source, origin };
}

/** Asks for the providers, once unless somebody said how often. */
async function tested(
  settings: Settings,
  { options, messages, connect }: Needs,
): Promise<{ readonly service: Service; readonly failure?: CatalogError }> {
  let reachable: boolean | null = null;
  try {
    const { baseUrl, apiKey, warnings } = connectionOf(settings, options.insecureHttp);
    for (const warning of warnings) await messages.warn(warning);
    reachable = false;
    const client = await connect({ baseUrl, apiKey, settings, retries: testRetries(settings) });
    const providers = await client.providers();
    return { service: { reachable: true, authenticated: true, providers: providers.length } };
  } catch (thrown) {
    const failure = adviceFor(asCatalogError(thrown), reachable !== null);
    if (failure.kind === "interrupted") throw failure;
    const service =
      failure.kind === "auth" && reachable !== null
        ? { ...UNKNOWN, reachable: true, authenticated: false }
        : { ...UNKNOWN, reachable: failure.kind === "refused" ? true : reachable };
    return { service, failure };
  }
}

/** Who reads this has the status before their eyes. */
function adviceFor(failure: CatalogError, isTold: boolean): CatalogError {
  if (failure.kind !== "auth" || !isTold) return failure;
  return failure.with({ advice: 'Run "catalog login" with another key, or generate a new one.' });
}

function rowsOf(settings: readonly Shown[], service: Service): Readonly<Record<string, unknown>>[] {
  const facts = Object.entries(service).map(([name, value]) => ({
    name,
    value:
      value === null ? "not known" : typeof value === "boolean" ? (value ? "yes" : "no") : value,
    source: "service",
    origin: null,
  }));
  return [...settings.map((setting) => ({ ...setting })), ...facts];
}
