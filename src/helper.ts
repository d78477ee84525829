/** The door of threads beside the program's own: does a share of a long check. */
import { type CheckTask, checkBatches } from "./files/batches.ts";

/**
 * Does what is left of a task, until nothing is.
 *
 * @param task a `CheckTask`
 * @param tell is given each `CheckedBatch`
 */
export function help(task: unknown, tell: (message: unknown) => void): void {
  for (const checked of checkBatches(task as CheckTask)) tell(checked);
}
