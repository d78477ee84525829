/** Names that change: the courses, providers and profiles of whoever types. */
import { Writable } from "node:stream";
import type { Output } from "../../base/io.ts";
import type { Secrets } from "../../base/secrets.ts";
import { escapeLine } from "../../base/text.ts";
import { yieldToEventLoop } from "../../base/turn.ts";
import { isUuid } from "../../base/uuid.ts";
import { memoize } from "../../base/values.ts";
import type { ParsedArguments } from "../../command-support/arguments.ts";
import type { Context } from "../../command-support/context.ts";
import { parseGlobals } from "../../command-support/globals.ts";
import type { System } from "../../command-support/system.ts";
import { loadTextMeasure } from "../../output/text-measure.ts";
import type { Candidate } from "./answer.ts";

/** Milliseconds for all of it: whoever waits for a list has begun to type. */
const MOST_TIME = 1500;
/** More than anybody reads through. */
const MOST_COURSES = 300;
/** A word that needs no quotation marks in any shell, and fits on a line. */
const SLUG = /^[a-z0-9][a-z0-9._-]{0,99}$/i;
/** Columns of a description. */
const WIDEST = 60;

type Flags = ParsedArguments["flags"];
type Opened = Context & { close(): Promise<void> };

/** Asks the settings and the service, once, for a while, and without a word. */
export class Known {
  readonly #world: System;
  readonly #secrets: Secrets;
  readonly #ending = AbortSignal.timeout(MOST_TIME);
  #opened: Opened | undefined;

  constructor(world: System, secrets: Secrets) {
    this.#world = world;
    this.#secrets = secrets;
  }

  /** The ids of the first courses, with their names. */
  async courses(flags: Flags): Promise<Candidate[]> {
    return await this.#asked(flags, async ({ client }, found) => {
      const pages = (await client()).list({ limit: MOST_COURSES });
      for await (const page of pages) {
        for (const { id, name } of page) {
          if (isUuid(id)) found.push({ value: id.toLowerCase(), description: textOf(name) });
        }
      }
    });
  }

  /** The user's providers by their slugs, or by their ids where a slug is none; with their names. */
  async providers(flags: Flags): Promise<Candidate[]> {
    return await this.#asked(flags, async ({ client }, found) => {
      const providers = await (await client()).providers();
      const { findProvider } = await import("../../course/provider.ts");
      for (const { id, slug, name } of providers) {
        // Each is looked for among all: of thousands there is time for some.
        await yieldToEventLoop();
        if (this.#ending.aborted) return;
        const isUsable = SLUG.test(slug) && findProvider(slug, providers).found?.id === id;
        if (!isUsable && !isUuid(id)) continue;
        found.push({ value: isUsable ? slug : id, description: textOf(name) });
      }
    });
  }

  /** The names of the sets in the config files. */
  async profiles(flags: Flags): Promise<Candidate[]> {
    return await this.#asked(flags, async ({ settingSources: given }, found) => {
      const { profileNames } = await import("../../settings/resolve.ts");
      const names = await profileNames(given);
      found.push(...names.filter(isWord).map((value) => ({ value })));
    });
  }

  /** Lets go of connections that are still open. */
  async close(): Promise<void> {
    await this.#opened?.close().catch(() => undefined);
  }

  /** What was found when the time is over, or when the search ends, however that is. */
  async #asked(
    flags: Flags,
    search: (context: Context, found: Candidate[]) => Promise<void>,
  ): Promise<Candidate[]> {
    const found: Candidate[] = [];
    const searched = this.#open(flags).then((context) => search(context, found));
    await Promise.race([searched, over(this.#ending)]).catch(() => undefined);
    return await shortened(found);
  }

  async #open(flags: Flags): Promise<Opened> {
    const { createContext } = await import("../context.ts");
    const { Messages } = await import("../../output/messages.ts");
    const { io, signal } = this.#world;
    const world = {
      ...this.#world,
      io: { ...io, err: NOWHERE },
      signal: AbortSignal.any([signal, this.#ending]),
    };
    const options = parseGlobals(flags);
    const settings = { ...options.settings, timeout: String(MOST_TIME / 1000), retries: "0" };
    const paint = memoize(async () => (await import("../../output/color.ts")).stylesFor(0));
    const messages = new Messages({
      err: NOWHERE,
      json: false,
      quiet: true,
      verbose: false,
      paint,
    });
    this.#opened = createContext(world, { ...options, settings }, messages, this.#secrets);
    return this.#opened;
  }
}

function over(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

/** Takes what nobody is to read. */
const NOWHERE: Output = {
  isTerminal: false,
  columns: 80,
  stream: new Writable({ write: (_chunk, _encoding, done) => done() }),
  closed: true,
  write: async () => undefined,
};

/** Whether a text of a stranger's can be the value of a flag, and is not one itself. */
function isWord(text: string): boolean {
  return text.trim() !== "" && !text.startsWith("-");
}

/** A text of a stranger's on one line; none where it is no text. */
function textOf(value: unknown): string {
  return typeof value === "string" ? escapeLine(value.trim().replace(/\s+/g, " ")) : "";
}

/** The candidates with descriptions that leave room beside them. */
async function shortened(candidates: readonly Candidate[]): Promise<Candidate[]> {
  const { cut } = await loadTextMeasure();
  return candidates.map(({ value, description = "" }) => ({
    value,
    description: cut(description, WIDEST),
  }));
}
