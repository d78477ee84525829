/** Decides whether a failed request is retried, and after which pause. Pure: it sends nothing and reads no clock. */
import {
  type BufferedResponse,
  mayHaveArrived,
  TRANSPORT_ERROR_CODES,
  type TransportError,
} from "./transport.ts";

export type Outcome =
  | { readonly response: BufferedResponse; readonly hasHint: boolean }
  | { readonly error: TransportError };

/** Milliseconds within which all attempts at one request must end: five minutes. */
export const RETRY_BUDGET = 5 * 60_000;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 20_000;
/** The longest `Retry-After` that is honored, in milliseconds. */
const LONGEST_RETRY_AFTER = 60_000;

/** The state of a request when the decision is made, and the limits of its attempts. */
export interface AttemptState {
  readonly attempt: number;
  /** How many of the attempts do not count as retries, because the service accepted other requests meanwhile. */
  readonly throttled: number;
  /** Milliseconds since the first attempt was sent. */
  readonly elapsed: number;
  /** Milliseconds since 1970, for `Retry-After` dates. */
  readonly now: number;
  readonly random: number;
  readonly retries: number;
  /** Milliseconds that all attempts and pauses may take together. */
  readonly budget: number;
}

/** The pause before the next attempt, in milliseconds; undefined if the outcome is final. */
export function decideRetry(outcome: Outcome, state: AttemptState): number | undefined {
  const counted = Math.max(1, state.attempt - state.throttled);
  if (!isRetryable(outcome) || counted > state.retries) return undefined;
  const pause = backoff(state.attempt, state.random);
  const requested = "response" in outcome ? (retryAfter(outcome.response, state.now) ?? 0) : 0;
  if (state.elapsed + Math.max(pause, requested) >= state.budget) return undefined;
  // The rate limiter makes all requests wait for the Retry-After of a throttled request. If this request slept as
  // long, newer requests would take its place in the queue.
  return isThrottled(outcome) ? pause : Math.max(pause, requested);
}

/** Whether another attempt could succeed. A 500 with a hint is how the service rejects a request. */
function isRetryable(outcome: Outcome): boolean {
  if ("error" in outcome) return outcome.error.retryable;
  const { status } = outcome.response;
  return [429, 502, 503, 504].includes(status) || (status === 500 && !outcome.hasHint);
}

/** Whether the service asked to slow down: 429 or 503. */
export function isThrottled(outcome: Outcome): boolean {
  return "response" in outcome && [429, 503].includes(outcome.response.status);
}

/** Request timeout, too early, and closed by the client: proxies may send these after they forwarded a request. */
const UNCERTAIN_STATUSES: readonly number[] = [408, 425, 499];

/** Whether the outcome does not say what the service did, so a creation must be looked up. */
export function isUncertain(outcome: Outcome): boolean {
  if ("error" in outcome) {
    return outcome.error.code !== TRANSPORT_ERROR_CODES.aborted && mayHaveArrived(outcome.error);
  }
  const { status } = outcome.response;
  if (UNCERTAIN_STATUSES.includes(status)) return true;
  return status !== 429 && (isRetryable(outcome) || (status >= 500 && !outcome.hasHint));
}

/** Whether a change may have taken effect: the request may have arrived, and the service did not reject it. */
export function mayHaveTakenEffect(outcome: Outcome): boolean {
  const isOtherSite =
    "error" in outcome && outcome.error.code === TRANSPORT_ERROR_CODES.notTheService;
  return isUncertain(outcome) && !isOtherSite;
}

/** A pause that doubles with each attempt, with jitter: half to all of it, in milliseconds. */
export function backoff(attempt: number, random: number): number {
  const full = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + random / 2));
}

/**
 * Parses `Retry-After`, seconds or an HTTP date. `"5"` gives 5000, and a date half a minute ahead 30,000.
 *
 * @returns milliseconds, at most a minute; undefined without a valid header
 */
export function retryAfter({ headers }: BufferedResponse, now: number): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  const isDate = /^[A-Za-z]{3,9}, /.test(text);
  if (!isDate && !/^\d+$/.test(text)) return undefined;
  const wait = isDate ? Date.parse(text) - now : Number(text) * 1000;
  return Number.isNaN(wait) ? undefined : Math.min(LONGEST_RETRY_AFTER, Math.max(0, wait));
}
