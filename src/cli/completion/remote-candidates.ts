/** Finds the courses, providers and profiles that a word may name, for completion. */
import { Writable } from "node:stream";
import { usageError } from "../../base/errors.ts";
import { type Output, UNGUARDED } from "../../base/io.ts";
import type { Secrets } from "../../base/secrets.ts";
import { escapeLine } from "../../base/text.ts";
import { isUuid } from "../../base/values.ts";
import type { Context, System } from "../../command-support/context.ts";
import type { GlobalOptions } from "../../command-support/globals.ts";
import { providerFinder } from "../../course/provider.ts";
import { plain } from "../../output/color.ts";
import { Messages } from "../../output/messages.ts";
import { loadTextMeasure } from "../../output/text-measure.ts";
import type { CatalogClient } from "../../service/client.ts";
import { mayConnectUnasked } from "../../settings/connection.ts";
import { profileNames } from "../../settings/resolve.ts";
import { createContext } from "../context.ts";
import type { Candidate } from "./candidates.ts";

/** The milliseconds for all of the work. Users do not wait longer. */
const TIME_LIMIT = 1500;
const MAX_COURSES = 300;
/** The most bytes of a response. A larger one takes too long to parse, and parsing cannot be interrupted. */
const MAX_BYTES = 4 * 1024 * 1024;
/** The most characters of a name that are prepared for a description. */
const MAX_NAME = 500;
/** Slugs that need no quotes in any shell and fit on a line. */
const USABLE_SLUG = /^[a-z0-9][a-z0-9._-]{0,99}$/i;
const MAX_WIDTH = 60;

/** Adds candidates to `found`. When the time is over, the candidates until then are offered. */
type Search = (context: Context, found: Candidate[]) => Promise<void>;

/** The ids of the first courses, with their names. */
export const searchCourses: Search = async (context, found) => {
  for await (const page of (await connect(context)).list({ limit: MAX_COURSES })) {
    for (const { id, name } of page) {
      if (isUuid(id)) found.push({ value: id.toLowerCase(), description: lineOf(name) });
    }
  }
};

/** The slugs of the user's providers, or their ids if a slug is ambiguous, with their names. */
export const searchProviders: Search = async (context, found) => {
  const providers = await (await connect(context)).providers();
  const find = providerFinder(providers);
  for (const { id, slug, name } of providers) {
    const isUsable = USABLE_SLUG.test(slug) && find(slug).found?.id === id;
    if (!isUsable && !isUuid(id)) continue;
    found.push({ value: isUsable ? slug : id, description: lineOf(name) });
  }
};

/** The profiles of the config files, except names that look like a flag. */
export const searchProfiles: Search = async ({ settingSources }, found) => {
  const names = await profileNames(settingSources);
  const usable = names.filter((name) => name.trim() !== "" && !name.startsWith("-"));
  found.push(...usable.map((value) => ({ value })));
};

/** Searches without messages, until the time is over or a request fails. @returns the candidates until then */
export async function findRemote(
  search: Search,
  options: GlobalOptions,
  system: System,
  secrets: Secrets,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const timeout = system.clock.timeout(TIME_LIMIT);
  const run = async (): Promise<void> => {
    const context = await createSilentContext(options, timeout, system, secrets);
    await search(context, found);
    // The shell does not wait for connections to close.
    void context.close();
  };
  await Promise.race([run(), aborted(timeout)]).catch(() => undefined);
  const { cut } = await loadTextMeasure();
  return found.map(({ value, description = "" }) => ({
    value,
    description: cut(description, MAX_WIDTH),
  }));
}

async function createSilentContext(
  options: GlobalOptions,
  timeout: AbortSignal,
  system: System,
  secrets: Secrets,
) {
  const { io, stop } = system;
  const err: Output = {
    ...UNGUARDED,
    isTerminal: false,
    columns: 80,
    stream: new Writable({ write: (_chunk, _encoding, done) => done() }),
    closed: true,
    write: async () => undefined,
  };
  const settings = { ...options.settings, timeout: String(TIME_LIMIT / 1000), retries: "0" };
  const level = { json: false, quiet: true, verbose: false, styles: plain };
  return await createContext(
    {
      ...system,
      io: { ...io, err },
      openTransport: async (transportOptions) => {
        const { send, ...transport } = await system.openTransport(transportOptions);
        return {
          ...transport,
          send: (request, sending) => send({ ...request, maxBytes: MAX_BYTES }, sending),
        };
      },
      stop: { reason: stop.reason, signal: AbortSignal.any([stop.signal, timeout]) },
    },
    { path: "", options: { ...options, settings }, messages: new Messages({ err, ...level }) },
    secrets,
  );
}

/** Connects to the service. @throws CatalogError if a project, not the user, decides where the key would be sent */
async function connect({ settings, client }: Context): Promise<CatalogClient> {
  if (!mayConnectUnasked(await settings())) throw usageError("the project decides the base URL");
  return await client();
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

function lineOf(value: unknown): string {
  return typeof value === "string"
    ? escapeLine(value.slice(0, MAX_NAME).trim().replace(/\s+/g, " "))
    : "";
}
