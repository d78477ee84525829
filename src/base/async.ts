/** Helpers for asynchronous work. */
import { setMaxListeners } from "node:events";

/** Resolves after pending signals, timers and input have been handled. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A controller whose signal is also aborted, with the same reason, when `parent` is. */
export function linkedController(parent?: AbortSignal): AbortController {
  const controller = new AbortController();
  // Every parallel request listens, so that Node.js would warn of a leak.
  setMaxListeners(0, controller.signal);
  if (parent === undefined) return controller;
  const abort = (): void => controller.abort(parent.reason);
  if (parent.aborted) abort();
  parent.addEventListener("abort", abort, { once: true, signal: controller.signal });
  return controller;
}
