/** Sends a request until it succeeds, fails for good or runs out of time. */
import type { Clock } from "../base/clock.ts";
import { isHtml, isSuccess, parseErrorBody } from "./response.ts";
import {
  decideRetry,
  isThrottled,
  isUncertain,
  mayHaveTakenEffect,
  type Outcome,
  RETRY_BUDGET,
} from "./retry-policy.ts";
import {
  type Method,
  type Request,
  type Send,
  type SendOptions,
  TRANSPORT_ERROR_CODES,
  TransportError,
} from "./transport.ts";
import { abortError, unexpectedHtml } from "./transport-error.ts";

/**
 * How many 429 and 503 responses to a request do not count as attempts, because the service accepted
 * others like it in the meantime. The bound ends a request that is rejected every time.
 */
const MOST_THROTTLED = 16;

/** What all requests of a client have in common. */
export interface RetryContext {
  readonly send: Send;
  readonly clock: Clock;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  readonly retries: number;
  /** How many requests like this one the service has accepted so far, from any caller. */
  readonly accepted: (method: Method) => number;
  /** Called before a retry, with the milliseconds that the failed attempt took. */
  readonly onRetry: (duration: number) => void;
}

/** What differs from request to request. */
export interface RetryOptions {
  readonly signal: AbortSignal;
  /** When all attempts must have ended, on the clock; five minutes after the first was sent by default. */
  readonly deadline?: number | undefined;
  /**
   * Called after an attempt that may have taken effect: did it? Leave it out for requests that can be
   * repeated safely.
   */
  readonly tookEffect?: TookEffect;
  /** How many retries are allowed; those of the client by default. */
  readonly retries?: number;
}

/** Finds out whether an attempt with an uncertain outcome took effect. */
export type TookEffect = (lost: Outcome, deadline: number) => Promise<boolean>;

/** The result of all attempts. */
export interface FinalOutcome {
  readonly outcome: Outcome;
  /** Whether a lookup found that an attempt without a response took effect. */
  readonly tookEffect: boolean;
  /** Whether an earlier attempt may have taken effect. */
  readonly uncertainBefore: boolean;
  /** When everything about the request must have ended, on the clock. */
  readonly deadline: number;
}

/** Sends a request and repeats it as `decideRetry` says. Never throws for a failed request. */
export async function sendWithRetries(
  request: Request,
  { send, clock, timeout, accepted, onRetry, ...context }: RetryContext,
  { signal, deadline: fixed, tookEffect, retries = context.retries }: RetryOptions,
): Promise<FinalOutcome> {
  let start = clock.now();
  let acceptedBefore = accepted(request.method);
  let uncertainBefore = false;
  let throttled = 0;
  let previous: Outcome | undefined;

  for (let attempt = 1; ; attempt++) {
    let sent = clock.now();
    const onSend = (): void => {
      sent = clock.now();
      if (attempt > 1) return;
      start = clock.now();
      acceptedBefore = accepted(request.method);
    };
    const outcome = await sendOnce(request, send, {
      ...{ signal, attempt, timeout, onSend },
      // Waiting for a first permit is not an attempt.
      deadline: fixed ?? (attempt === 1 ? undefined : start + RETRY_BUDGET),
    });
    const code = "error" in outcome ? outcome.error.code : undefined;
    const deadline = fixed ?? start + RETRY_BUDGET;
    const final = { outcome, tookEffect: false, uncertainBefore, deadline };
    if (code === TRANSPORT_ERROR_CODES.throttled) return final;
    // The outcome of the attempt before says more.
    if (code === TRANSPORT_ERROR_CODES.noTimeLeft)
      return { ...final, outcome: previous ?? outcome };
    previous = outcome;

    const isOvertaken = isThrottled(outcome) && accepted(request.method) > acceptedBefore;
    if (isOvertaken && throttled < MOST_THROTTLED) throttled++;
    const now = clock.now();
    const elapsed = now - start;
    const limits = { retries, budget: deadline - start };
    const state = { attempt, throttled, elapsed, now, random: clock.random(), ...limits };
    const pause = decideRetry(outcome, state);
    const isLost = isUncertain(outcome);
    if (pause === undefined && !isLost) return final;
    if (pause !== undefined) {
      onRetry(now - sent);
      await clock.sleep(pause, signal).catch(() => undefined);
    }
    if (signal.aborted) return { ...final, outcome: { error: abortError() } };
    if (isLost && tookEffect !== undefined && (await tookEffect(outcome, deadline))) {
      return { ...final, tookEffect: true };
    }
    // The lookup may have used up the remaining time.
    if (pause === undefined || clock.now() >= deadline) return final;
    uncertainBefore ||= mayHaveTakenEffect(outcome);
  }
}

async function sendOnce(request: Request, send: Send, options: SendOptions): Promise<Outcome> {
  try {
    const response = await send(request, options);
    // A write that succeeded is done, even if the body of the response is incomplete.
    const isDone = request.method !== "GET" && isSuccess(response);
    if (response.bodyError !== undefined && !isDone) return { error: response.bodyError };
    if (isDone && isHtml(response)) return { error: unexpectedHtml() };
    return { response, hasHint: parseErrorBody(response).hint !== undefined };
  } catch (error) {
    if (error instanceof TransportError) return { error };
    throw error;
  }
}
