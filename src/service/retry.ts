/** Sends a request until it succeeds, fails for good or runs out of time. */
import type { Course } from "../course/request-body.ts";
import { isHtml, isSuccess, parseErrorBody } from "./response.ts";
import {
  decideRetry,
  isThrottled,
  isUncertain,
  mayHaveTakenEffect,
  type Outcome,
  RETRY_BUDGET,
} from "./retry-policy.ts";
import type { Sender } from "./sender.ts";
import {
  type BufferedResponse,
  type Request,
  TRANSPORT_ERROR_CODES,
  TransportError,
} from "./transport.ts";
import { abortError, unexpectedHtml } from "./transport-error.ts";

/**
 * How many 429 and 503 responses to a request do not count as attempts, because the service accepted
 * others like it in the meantime. The bound ends a request that is rejected every time.
 */
const MOST_THROTTLED = 16;

/** What differs from request to request. */
export interface RetryOptions {
  readonly signal?: AbortSignal;
  /** When all attempts must have ended; five minutes after the first was sent by default. */
  readonly deadline?: number | undefined;
  /**
   * Called after an attempt that may have taken effect: what did it create? Leave it out for requests
   * that can be repeated safely.
   */
  readonly findEffect?: (lost: Outcome, deadline: number) => Promise<Course | undefined>;
  /** How many retries are allowed; those of the client by default. */
  readonly retries?: number;
}

/** The result of all attempts. Times are those of the monotonic clock. */
export interface FinalOutcome {
  readonly outcome: Outcome;
  /** Whether an attempt may have taken effect, although its outcome does not say so. */
  readonly mayBeDone: boolean;
  /** What `findEffect` found; it ends the attempts. */
  readonly found?: Course;
  /** When everything about the request must have ended. */
  readonly deadline: number;
}

/** Sends a request and repeats it as `decideRetry` says. Never throws for a failed request. */
export async function sendWithRetries(
  sender: Sender,
  request: Request,
  options: RetryOptions = {},
): Promise<FinalOutcome> {
  const { clock, onRetry } = sender;
  const { signal = sender.signal, deadline: fixed, findEffect, retries = sender.retries } = options;
  let start = clock.monotonic();
  let acceptedBefore = sender.accepted(request.method);
  let mayBeDone = false;
  let throttled = 0;
  let previous: Outcome | undefined;

  for (let attempt = 1; ; attempt++) {
    let sent: number | undefined;
    const onSend = (): void => {
      sent = clock.monotonic();
      if (attempt > 1) return;
      start = sent;
      acceptedBefore = sender.accepted(request.method);
    };
    // Waiting for a first permit is not an attempt.
    const end = fixed ?? (attempt === 1 ? undefined : start + RETRY_BUDGET);
    const outcome = await sender
      .exchange(request, { signal, attempt, onSend, deadline: end })
      .then((response) => outcomeOf(request, response), failureOf);
    const code = "error" in outcome ? outcome.error.code : undefined;
    const isCutOff = code === TRANSPORT_ERROR_CODES.aborted && sent !== undefined;
    mayBeDone ||= isCutOff || mayHaveTakenEffect(outcome);
    const deadline = fixed ?? start + RETRY_BUDGET;
    const final = { outcome, mayBeDone, deadline };
    if (code === TRANSPORT_ERROR_CODES.throttled) return final;
    // The outcome of the attempt before says more.
    if (code === TRANSPORT_ERROR_CODES.noTimeLeft) {
      return { ...final, outcome: previous ?? outcome };
    }
    previous = outcome;

    const isOvertaken = isThrottled(outcome) && sender.accepted(request.method) > acceptedBefore;
    if (isOvertaken && throttled < MOST_THROTTLED) throttled++;
    const elapsed = clock.monotonic() - start;
    const limits = { retries, budget: deadline - start };
    const times = { elapsed, now: clock.now(), random: clock.random() };
    const pause = decideRetry(outcome, { attempt, throttled, ...times, ...limits });
    const isWaiting = pause === undefined && sender.waitsForStart;
    const isLost = isUncertain(outcome);
    if (pause === undefined && !isLost && !isWaiting) return final;
    if (pause !== undefined || isWaiting) {
      onRetry(isWaiting ? 0 : clock.monotonic() - (sent ?? start));
      await clock.sleep(pause ?? START_INTERVAL, signal).catch(() => undefined);
    }
    if (signal.aborted) return { ...final, outcome: { error: abortError() } };
    if (isWaiting) {
      attempt = 0;
      continue;
    }
    const found = isLost ? await findEffect?.(outcome, deadline) : undefined;
    if (found !== undefined) return { ...final, found };
    // The look-up may have used up the remaining time.
    if (pause !== undefined && clock.monotonic() < deadline) continue;
    return isLost && findEffect !== undefined ? { ...final, mayBeDone: false } : final;
  }
}

/** Milliseconds between attempts to connect to a service that has not started yet. */
const START_INTERVAL = 500;

function outcomeOf({ method }: Request, response: BufferedResponse): Outcome {
  // A write that succeeded is done, even if the body of the response is incomplete.
  const isDone = method !== "GET" && isSuccess(response);
  if (response.bodyError !== undefined && !isDone) return { error: response.bodyError };
  if (isDone && isHtml(response)) return { error: unexpectedHtml() };
  return { response, hasHint: parseErrorBody(response).hint !== undefined };
}

function failureOf(error: unknown): Outcome {
  if (error instanceof TransportError) return { error };
  throw error;
}
