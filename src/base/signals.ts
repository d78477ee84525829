/** Ends work together. */
import { setMaxListeners } from "node:events";

/**
 * A controller whose signal is also aborted, with the same reason, when `parent` is. Any number of
 * listeners may wait for it.
 */
export function linkedController(parent?: AbortSignal): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  if (parent === undefined) return controller;
  const follow = (): void => controller.abort(parent.reason);
  if (parent.aborted) follow();
  parent.addEventListener("abort", follow, { once: true, signal: controller.signal });
  return controller;
}
