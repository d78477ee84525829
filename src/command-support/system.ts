/** Everything outside the program, as a value that a test can replace. Only `main.ts` uses `process`. */
import type { Transport } from "../api/transport.ts";
import type { TransportOptions } from "../api/undici-transport.ts";
import type { Clock } from "../base/clock.ts";
import type { IO } from "../base/io.ts";
import type { Environment, Processes, User } from "../base/process.ts";

/** The signals that ask the program to stop. */
export type StopSignal = "SIGINT" | "SIGTERM";

/** The process, its environment and its connections. */
export interface System {
  readonly io: IO;
  readonly environment: Environment;
  /** The current working directory. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly processes: Processes;
  /** The user who runs the program; undefined where files have no numeric owner, as on Windows. */
  readonly user?: User | undefined;
  /** Aborted by the first stop signal, whose name is the reason. */
  readonly signal: AbortSignal;
  /**
   * From now on, the first stop signal only aborts `signal`, so that the command can finish what it has
   * started; otherwise the process exits. @returns a function that ends the deferral
   */
  readonly deferShutdown: () => () => void;
  /** Opens connections to the service. */
  readonly openTransport: (options: TransportOptions) => Promise<Transport>;
}
