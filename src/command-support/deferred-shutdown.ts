/** Lets a command finish what it has sent when it is asked to stop. */
import type { Context } from "./context.ts";

/** Lets the work finish requests in progress after the first Ctrl-C; the second stops it at once. */
export async function withDeferredShutdown<Result>(
  { deferShutdown, signal, messages }: Pick<Context, "deferShutdown" | "signal" | "messages">,
  work: () => Promise<Result>,
): Promise<Result> {
  const release = deferShutdown();
  const notify = (): void => {
    void messages.important(
      "Finishing requests in progress; press Ctrl-C again to stop immediately.",
    );
  };
  signal.addEventListener("abort", notify, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", notify);
    release();
  }
}
