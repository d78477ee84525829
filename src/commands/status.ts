/** `catalog status`: shows the settings, and checks that the API key works. */
import { asCatalogError, attempt, type CatalogError, isRejectedKey } from "../base/errors.ts";
import { MASK } from "../base/secrets.ts";
import { escapeLine, pluralize } from "../base/text.ts";
import { command, SERVICE_EXITS } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { rendererFor } from "../cli/show.ts";
import { showWork } from "../cli/work.ts";
import { hasJsonMessages, PRINTED_FORMATS } from "../output/formats.ts";
import { retriesForConnectionTest } from "../settings/connection.ts";
import { type Resolved, readRuleLevels, type Settings } from "../settings/resolve.ts";
import { SETTINGS, type SettingName, type SettingValue, settingText } from "../settings/table.ts";

const COLUMNS = ["name", "value", "source", "origin"];
const KEYS = ["settings", "service"];

/** Sends GET providers. */
export const status = command({
  description:
    "Shows where each setting comes from, and tests your API key by listing your providers. Exits with 4 if " +
    "the service rejects the key, and with 6 if the service cannot be reached or keeps failing.",
  examples: {
    "Show your settings and test your API key": "catalog status",
    "Test your API key in a script": "catalog status --json | jq .service",
  },
  output: { formats: PRINTED_FORMATS.records, columns: [...COLUMNS, ...KEYS] },
  exits: SERVICE_EXITS,
  parse: () => undefined,
  run: showStatus,
});

interface SettingRow {
  readonly name: string;
  /** Null if not set; the key is masked. */
  readonly value: string | number | boolean | null;
  readonly source: string | null;
  /** The flag, variable or file that has it. */
  readonly origin: string | null;
}

/** The result of the test; a value is null if it is unknown. */
interface Service {
  readonly reachable: boolean | null;
  readonly authenticated: boolean | null;
  /** How many providers the user of the key has. */
  readonly providers: number | null;
}

const UNKNOWN: Service = { reachable: null, authenticated: null, providers: null };

async function showStatus(_: undefined, context: Context): Promise<void> {
  const { format, fields } = context.options;
  // JSON has one object with both parts; the other formats have rows for one after the other.
  const isDocument = hasJsonMessages(format);
  const columns = isDocument ? KEYS : COLUMNS;
  const showing = { kind: "list", columns, single: isDocument, isReport: true } as const;
  const renderer = await rendererFor(showing, context);
  const settings = await context.settings();
  const levels = await readRuleLevels(context.settingSources);
  const rules = [...levels].map(([rule, level]) => settingRow(`rules.${rule}`, level));
  const rows = [...settingRows(settings), ...rules];
  const { service, failure } = await testConnection(settings, context);
  const { providers } = service;
  const isForReading = format === undefined && fields === undefined && context.io.out.isTerminal;
  if (isForReading && providers !== null) {
    const place = `at ${escapeLine(settings.baseUrl?.value ?? "")}`;
    await context.messages.info(
      `Your API key works ${place}, for ${pluralize(providers, "provider")}.`,
    );
  }
  await renderer.rows(isDocument ? [{ settings: rows, service }] : rowsOf(rows, service));
  await renderer.end();
  if (failure !== undefined) await context.messages.fail(failure);
}

function settingRows(settings: Settings): SettingRow[] {
  return (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const row = settingRow(name, settings[name]);
    return name === "apiKey" && row.value !== null ? { ...row, value: MASK } : row;
  });
}

function settingRow(name: string, setting: Resolved<SettingValue> | undefined): SettingRow {
  if (setting === undefined) return { name, value: null, source: null, origin: null };
  const { source, origin } = setting;
  // A variable that is set but empty has no value; the connection reports it.
  const value = attempt(() => settingText(setting.value)) ?? null;
  return { name, value, source, origin };
}

async function testConnection(settings: Settings, context: Context) {
  let reachable: boolean | null = null;
  try {
    const client = await context.client({ retries: retriesForConnectionTest(settings) });
    reachable = false;
    const providers = await showWork("Testing your API key", context, () => client.providers());
    return { service: { reachable: true, authenticated: true, providers: providers.length } };
  } catch (thrown) {
    const failure = adviceFor(asCatalogError(thrown));
    if (failure.kind === "interrupted") throw failure;
    const service = isRejectedKey(failure)
      ? { ...UNKNOWN, reachable: true, authenticated: false }
      : { ...UNKNOWN, reachable: failure.kind === "refused" ? true : reachable };
    return { service, failure };
  }
}

/** Replaces the usual advice for a rejected key, which is to run "catalog status". */
function adviceFor(failure: CatalogError): CatalogError {
  if (!isRejectedKey(failure)) return failure;
  return failure.with({
    advice: 'Run "catalog login" with another API key.',
  });
}

function rowsOf(settings: readonly SettingRow[], service: Service) {
  const serviceRows = Object.entries(service).map(([name, value]) => ({
    name,
    value: value === null ? "unknown" : typeof value === "boolean" ? (value ? "yes" : "no") : value,
    source: "service",
    origin: null,
  }));
  const settingRows = settings.map((setting) => {
    // For a default, the columns source and origin would say the same.
    return { ...setting, origin: setting.source === "default" ? null : setting.origin };
  });
  return [...settingRows, ...serviceRows];
}
