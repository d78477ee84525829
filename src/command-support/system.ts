/** Everything outside the program, as a value that a test can replace. */
import type { Transport } from "../api/transport.ts";
import type { Clock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import type { IO } from "../base/io.ts";
import type { Processes } from "../base/processes.ts";

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
  /** Whether the process ends with the command: the system closes what is open, in less time. */
  readonly endsWithCommand?: boolean;
  /** Prepares the process for connections. */
  readonly beforeConnecting?: () => void;
  /** In place of undici, for tests. */
  readonly transport?: () => Promise<Transport>;
}
