/** Tells of every exchange as it ends: method, URL, status, duration, attempt; never the key. */
import type { Clock } from "../base/clock.ts";
import type { BufferedResponse, Request, Send } from "./transport.ts";

/** One exchange that ended. */
export interface Exchange {
  readonly method: Request["method"];
  readonly url: string;
  /** The HTTP status, or the code of what kept an answer from coming. */
  readonly result: number | string;
  /** Milliseconds. */
  readonly duration: number;
  readonly attempt: number;
}

/** A `Send` that tells `log` of each exchange. */
export function logging(log: (exchange: Exchange) => void, clock: Clock): (send: Send) => Send {
  return (send) => async (request, options) => {
    const began = clock.now();
    const tell = (result: number | string): void => {
      const { method, url } = request;
      log({ method, url, result, duration: clock.now() - began, attempt: options.attempt });
    };
    let answer: BufferedResponse;
    try {
      answer = await send(request, options);
    } catch (error) {
      tell(error instanceof Error && "code" in error ? String(error.code) : "failed");
      throw error;
    }
    tell(answer.status);
    return answer;
  };
}
