/** Reports exchanges, for --verbose. */
import type { Clock } from "../base/clock.ts";
import { type Request, type Send, TransportError } from "./transport.ts";

/** One exchange that has ended. */
export interface Exchange {
  readonly method: Request["method"];
  readonly url: string;
  /** The HTTP status, or the code of the error if there was no response. */
  readonly result: number | string;
  /** Milliseconds. */
  readonly duration: number;
  readonly attempt: number;
}

/** Reports every exchange to `log`. */
export function withLog(log: (exchange: Exchange) => void, clock: Clock, send: Send): Send {
  return async (request, options) => {
    const start = clock.now();
    let result: number | string = "failed";
    try {
      const response = await send(request, options);
      result = response.status;
      return response;
    } catch (error) {
      if (error instanceof TransportError) result = error.code;
      throw error;
    } finally {
      const { method, url } = request;
      log({ method, url, result, duration: clock.now() - start, attempt: options.attempt });
    }
  };
}
