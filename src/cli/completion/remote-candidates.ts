/** Finds the courses, providers and profiles that a word may name. */
import { Writable } from "node:stream";
import { usageError } from "../../base/errors.ts";
import { type Output, UNGUARDED } from "../../base/io.ts";
import type { Secrets } from "../../base/secrets.ts";
import { escapeLine } from "../../base/text.ts";
import { isUuid } from "../../base/uuid.ts";
import type { Context, System } from "../../command-support/context.ts";
import type { GlobalOptions } from "../../command-support/globals.ts";
import { providerFinder } from "../../course/provider.ts";
import { plain } from "../../output/color.ts";
import { Messages } from "../../output/messages.ts";
import { loadTextMeasure } from "../../output/text-measure.ts";
import type { CatalogClient } from "../../service/client.ts";
import { mayConnectUnasked } from "../../settings/connection.ts";
import { profileNames } from "../../settings/resolve.ts";
import { findHistoryFolder, listRuns } from "../../sync/store.ts";
import { createContext } from "../context.ts";
import type { Candidate } from "./candidates.ts";

/** Milliseconds for everything; after that a user types on. */
const TIME_LIMIT = 1500;
const MAX_COURSES = 300;
/** Bytes of a response: reading a larger one takes too long, and nothing else happens meanwhile. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Characters of a name that may become a part of a description. */
const MAX_NAME = 500;
/** Slugs that need no quotes in any shell and fit on a line. */
const USABLE_SLUG = /^[a-z0-9][a-z0-9._-]{0,99}$/i;
const MAX_WIDTH = 60;

type OpenContext = Context & { close(): Promise<void> };

/**
 * Queries the service once, in limited time and silently; a failure ends the search for candidates.
 */
export class RemoteCandidates {
  readonly #system: System;
  readonly #secrets: Secrets;
  readonly #timeout: AbortSignal;
  #opened: OpenContext | undefined;

  constructor(system: System, secrets: Secrets) {
    this.#system = system;
    this.#timeout = system.clock.timeout(TIME_LIMIT);
    this.#secrets = secrets;
  }

  /** The ids of the first courses, with their names. */
  async courses(options: GlobalOptions): Promise<Candidate[]> {
    return await this.#search(options, async (context, found) => {
      const pages = (await connect(context)).list({ limit: MAX_COURSES });
      for await (const page of pages) {
        for (const { id, name } of page) {
          if (isUuid(id)) found.push({ value: id.toLowerCase(), description: lineOf(name) });
        }
      }
    });
  }

  /** The slugs of the user's providers, or the ids of those whose slug is ambiguous; with their names. */
  async providers(options: GlobalOptions): Promise<Candidate[]> {
    return await this.#search(options, async (context, found) => {
      const providers = await (await connect(context)).providers();
      const find = providerFinder(providers);
      for (const { id, slug, name } of providers) {
        const isUsable = USABLE_SLUG.test(slug) && find(slug).found?.id === id;
        if (!isUsable && !isUuid(id)) continue;
        found.push({ value: isUsable ? slug : id, description: lineOf(name) });
      }
    });
  }

  /** The profiles of the config files. */
  async profiles(options: GlobalOptions): Promise<Candidate[]> {
    return await this.#search(options, async ({ settingSources }, found) => {
      const names = await profileNames(settingSources);
      found.push(...names.filter(isUsableValue).map((value) => ({ value })));
    });
  }

  /** The runs of the history, the newest first. */
  runs(): string[] {
    return listRuns(findHistoryFolder(this.#system)).map(({ run }) => run);
  }

  /** Closes the connections that are still open. */
  async close(): Promise<void> {
    await this.#opened?.close().catch(() => undefined);
  }

  /** What the search has found when it ends, fails or runs out of time. */
  async #search(
    options: GlobalOptions,
    search: (context: Context, found: Candidate[]) => Promise<void>,
  ): Promise<Candidate[]> {
    const found: Candidate[] = [];
    const searched = this.#open(options).then((context) => search(context, found));
    await Promise.race([searched, aborted(this.#timeout)]).catch(() => undefined);
    return await shortenDescriptions(found);
  }

  async #open(options: GlobalOptions): Promise<OpenContext> {
    const { io, stop } = this.#system;
    const system = {
      ...this.#system,
      io: { ...io, err: DISCARDED },
      openTransport: limitResponses(this.#system.openTransport),
      stop: { reason: stop.reason, signal: AbortSignal.any([stop.signal, this.#timeout]) },
    };
    // The limit of completion applies.
    const settings = { ...options.settings, timeout: String(TIME_LIMIT / 1000), retries: "0" };
    const messages = new Messages({
      err: DISCARDED,
      json: false,
      quiet: true,
      verbose: false,
      styles: plain,
    });
    this.#opened = await createContext(
      system,
      { path: "", options: { ...options, settings }, messages },
      this.#secrets,
    );
    return this.#opened;
  }
}

function limitResponses(open: System["openTransport"]): System["openTransport"] {
  return async (options) => {
    const { send, ...transport } = await open(options);
    return {
      ...transport,
      send: (request, sendOptions) => send({ ...request, maxBytes: MAX_BYTES }, sendOptions),
    };
  };
}

/** @throws CatalogError if a project, not the user, decides where the key would be sent */
async function connect({ settings, client }: Context): Promise<CatalogClient> {
  if (!mayConnectUnasked(await settings())) throw usageError("the project decides the base URL");
  return await client();
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

const DISCARDED: Output = {
  ...UNGUARDED,
  isTerminal: false,
  columns: 80,
  stream: new Writable({ write: (_chunk, _encoding, done) => done() }),
  closed: true,
  write: async () => undefined,
};

/** Whether a name from a config file can be the value of a flag and is not a flag itself. */
function isUsableValue(text: string): boolean {
  return text.trim() !== "" && !text.startsWith("-");
}

/** A name from the service on one line; empty if it is not a string. */
function lineOf(value: unknown): string {
  return typeof value === "string"
    ? escapeLine(value.slice(0, MAX_NAME).trim().replace(/\s+/g, " "))
    : "";
}

async function shortenDescriptions(candidates: readonly Candidate[]): Promise<Candidate[]> {
  const { cut } = await loadTextMeasure();
  return candidates.map(({ value, description = "" }) => ({
    value,
    description: cut(description, MAX_WIDTH),
  }));
}
