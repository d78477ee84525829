/** Everything outside the program, as a value that a test can replace. */
import type { Transport } from "../api/transport.ts";
import type { TransportOptions } from "../api/undici-transport.ts";
import type { Clock } from "../base/clock.ts";
import type { IO } from "../base/io.ts";
import type { Environment, Processes } from "../base/process.ts";

/** The signals that ask the program to stop. */
export type StopSignal = "SIGINT" | "SIGTERM";

/** What `main.ts` makes of the process, and a test of nothing. */
export interface System {
  readonly io: IO;
  readonly environment: Environment;
  /** The current folder. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly processes: Processes;
  /** Aborted by the first stop signal, whose name is the reason. */
  readonly signal: AbortSignal;
  /**
   * Lets a command end in its own time after the first stop signal, which would otherwise end the
   * program at once. The result gives the hold back.
   */
  readonly deferShutdown: () => () => void;
  /** Opens connections to the service. */
  readonly openTransport: (options: TransportOptions) => Promise<Transport>;
}
