/** The context of a command, through which all its side effects go. */
import type { Author, Clock, Environment, IO } from "../base/io.ts";
import type { Provider } from "../course/provider.ts";
import type { Target } from "../output/diagnostics.ts";
import type { Messages } from "../output/messages.ts";
import type { Renderer, RenderOptions } from "../output/renderer.ts";
import type { Styles } from "../output/text-measure.ts";
import type { CatalogClient } from "../service/client.ts";
import type { openTransport } from "../service/http.ts";
import type { SettingSources, Settings } from "../settings/resolve.ts";
import type { Credentials } from "../settings/save-credentials.ts";
import type { GlobalOptions } from "./global-flags.ts";

/** The system and the global options. Expensive parts are functions, which create the part at the first call. */
export interface Context extends System {
  /** The current folder. @throws CatalogError of kind `usage` without one */
  readonly folder: string;
  /** The words that lead to the command: `courses push`. */
  readonly path: string;
  readonly options: GlobalOptions;
  readonly messages: Messages;
  /** How many requests were repeated, and why the latest one was, for the progress line. */
  readonly retries: { count: number; reason: string };
  readonly styles: Styles;
  /** The sources of the settings, for commands that change them. */
  readonly settingSources: SettingSources;
  readonly settings: () => Promise<Settings>;
  /** Connects to another base URL, or with another key. */
  readonly connect: (credentials: Credentials, settings: Settings) => Promise<CatalogClient>;
  /** The client of the configured service, which is created once. It may ask whether the key may be sent there. */
  readonly client: () => Promise<CatalogClient>;
  /** The user's providers, which are read once. */
  readonly providers: () => Promise<readonly Provider[]>;
  /** The service and the account that a run changes. */
  readonly target: () => Promise<Target>;
  /**
   * Opens the output of rows: in the format of `--output` or the default, or in the file that `--out` names.
   *
   * @throws CatalogError of kind `usage` for a format or a file that does not fit
   */
  readonly rows: (showing: Showing) => Promise<Renderer>;
}

/** How the rows of a command are shown: by default, as a list with all columns that `--fields` accepts. */
export interface Showing extends Partial<Omit<RenderOptions, "fields" | "out" | "styles">> {
  readonly kind?: "list" | "single";
  /** The value of `--out`: the file to which the rows are written instead of printing them. */
  readonly file?: string | undefined;
}

/** The signals that ask `catalog` to stop. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Asks `catalog` to stop: aborts its signal, with the name of the first stop signal as the reason. */
export class StopRequest extends AbortController {
  get reason(): StopSignal | undefined {
    return this.signal.reason as StopSignal | undefined;
  }
}

/** The process, its environment and its connections. */
export interface System {
  readonly io: IO;
  readonly environment: Environment;
  /** The current folder; undefined if there is none, because it was deleted. */
  readonly folder: string | undefined;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  /** The numeric id of the user; undefined on systems without one, such as Windows. */
  readonly uid?: number | undefined;
  readonly author: () => Author;
  /** Whether a signal has asked `catalog` to stop. */
  readonly stop: Pick<StopRequest, "reason" | "signal">;
  /**
   * Does work that changes something, and ends soon after a stop signal: meanwhile, the first one only changes `stop`, and a
   * second one exits. Otherwise the system ends the process on a signal, even while it computes.
   */
  readonly deferShutdown: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly openTransport: typeof openTransport;
}
