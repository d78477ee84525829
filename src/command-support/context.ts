/** What a command may use: every side effect goes through its context. */
import type { CatalogClient } from "../api/client.ts";
import type { Styles } from "../output/color.ts";
import type { Messages } from "../output/messages.ts";
import type { SettingSources, Settings } from "../settings/resolve.ts";
import type { GlobalOptions } from "./globals.ts";
import type { RetryCounter } from "./retry-counter.ts";
import type { System } from "./system.ts";

/** How to connect to a service other than the configured one. */
export interface ConnectOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Timeout, concurrency and the other settings of requests. */
  readonly settings: Settings;
  /** Overrides the setting. */
  readonly retries?: number;
}

/** The system and the global options. Expensive parts are functions that create them at the first call. */
export interface Context extends System {
  readonly options: GlobalOptions;
  readonly messages: Messages;
  /** How many requests were repeated so far. */
  readonly retries: RetryCounter;
  /** Colors for standard output. */
  readonly styles: () => Promise<Styles>;
  /** The sources of the settings, for commands that change them. */
  readonly settingSources: SettingSources;
  readonly settings: () => Promise<Settings>;
  /** Connects to another address or with another key. */
  readonly connect: (connecting: ConnectOptions) => Promise<CatalogClient>;
  /** The client of the configured service; prints warnings about its settings once. */
  readonly client: () => Promise<CatalogClient>;
}
