/** What a command may touch: every side effect comes in through here. */
import type { CatalogClient } from "../api/client.ts";
import type { Paint } from "../output/colour.ts";
import type { Messages } from "../output/messages.ts";
import type { Settings } from "../settings/resolve.ts";
import type { GlobalOptions } from "./globals.ts";
import type { World } from "./world.ts";

/** The world as a command sees it. Costly parts are functions that are built once, at first use. */
export interface Context extends World {
  readonly options: GlobalOptions;
  readonly messages: Messages;
  /** Colours for standard output. */
  readonly paint: () => Promise<Paint>;
  readonly settings: () => Promise<Settings>;
  /** A client of the service; warns of odd settings once. */
  readonly client: () => Promise<CatalogClient>;
}
