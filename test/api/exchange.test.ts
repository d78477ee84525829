/** An exchange that ends at an unusual moment, seen from undici's side. */
import type { Dispatcher } from "undici";
import { expect, test } from "vitest";
import { exchange } from "../../src/api/exchange.ts";
import { PageMemory } from "../../src/api/page-memory.ts";

const REQUEST = { method: "GET", url: "http://127.0.0.1/courses", headers: {} } as const;

/** A dispatcher that does nothing of its own, and what it was given. */
function idle() {
  const handlers: Dispatcher.DispatchHandler[] = [];
  const dispatcher: Pick<Dispatcher, "dispatch"> = {
    dispatch: (_, handler) => {
      handlers.push(handler);
      return true;
    },
  };
  return { handlers, dispatcher: dispatcher as Dispatcher };
}

function controller() {
  const reasons: Error[] = [];
  const given: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason) => {
      reasons.push(reason);
    },
    pause: () => undefined,
    resume: () => undefined,
  };
  return { given, reasons };
}

const send = (dispatcher: Dispatcher, options: { timeout?: number; signal?: AbortSignal }) =>
  exchange(dispatcher, new PageMemory(1), REQUEST, { timeout: 60_000, attempt: 1, ...options });

test("what was interrupted before is not even given to undici", async () => {
  const { dispatcher, handlers } = idle();
  const ran = send(dispatcher, { signal: AbortSignal.abort() });
  await expect(ran).rejects.toMatchObject({ kind: "interrupted" });
  expect(handlers).toEqual([]);
});

test("what ends while its connection is made ends at once, and is never sent", async () => {
  const { dispatcher, handlers } = idle();
  await expect(send(dispatcher, { timeout: 1 })).rejects.toMatchObject({ code: "TIMEOUT" });
  const { given, reasons } = controller();
  handlers[0]?.onRequestStart?.(given, undefined);
  expect(reasons).toMatchObject([{ code: "TIMEOUT" }]);
});

test("what is interrupted within its body has its status all the same", async () => {
  const { dispatcher, handlers } = idle();
  const stopping = new AbortController();
  const ran = send(dispatcher, { signal: stopping.signal });
  const { given, reasons } = controller();
  handlers[0]?.onRequestStart?.(given, undefined);
  handlers[0]?.onResponseStart?.(given, 100, {}, "Continue");
  handlers[0]?.onResponseStart?.(given, 201, { "X-A": ["1", "2"] }, "Created");
  stopping.abort();
  expect(await ran).toMatchObject({
    status: 201,
    reason: "Created",
    headers: { "x-a": "1, 2" },
    text: "",
    bodyError: { kind: "interrupted" },
  });
  expect(reasons).toMatchObject([{ kind: "interrupted" }]);
});
