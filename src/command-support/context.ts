/** What a command may touch: every side effect comes in through here. */
import type { CatalogClient } from "../api/client.ts";
import type { Styles } from "../output/color.ts";
import type { Messages } from "../output/messages.ts";
import type { SettingSources, Settings } from "../settings/resolve.ts";
import type { GlobalOptions } from "./globals.ts";
import type { System } from "./system.ts";

/** An address and a key to talk with, and how patiently. */
export interface Connecting {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Where all else about the requests stands. */
  readonly settings: Settings;
  /** In place of the setting. */
  readonly retries?: number;
}

/** The world as a command sees it. Costly parts are functions that are built once, at first use. */
export interface Context extends System {
  readonly options: GlobalOptions;
  readonly messages: Messages;
  /** Colors for standard output. */
  readonly styles: () => Promise<Styles>;
  /** What the settings are made from, for commands that change them. */
  readonly settingSources: SettingSources;
  readonly settings: () => Promise<Settings>;
  /** A client of another address or with another key than the settings say. */
  readonly connect: (connecting: Connecting) => Promise<CatalogClient>;
  /** A client of the service; warns of odd settings once. */
  readonly client: () => Promise<CatalogClient>;
}
