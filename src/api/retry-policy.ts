/** Decides, without side effects, whether a request is tried again and after which pause. */
import type { BufferedResponse, TransportError } from "./transport.ts";

/** What one try came to. */
export type Outcome =
  | { readonly answer: BufferedResponse; readonly hasHint: boolean }
  | { readonly noAnswer: TransportError };

/** How patient a request is (cli.md section 8). */
export interface Policy {
  /** How often it is repeated at most. */
  readonly retries: number;
  /** Milliseconds that all its tries and pauses may take together. */
  readonly budget: number;
}

/** All attempts at one request together end within five minutes. */
export const BUDGET = 5 * 60_000;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 20_000;
const LONGEST_RETRY_AFTER = 60_000;
const TRANSIENT = new Set([429, 502, 503, 504]);

/** Where a request stands when the decision is made. */
export interface AttemptState {
  /** How many tries were made, from 1. */
  readonly attempt: number;
  /** Milliseconds since the first began. */
  readonly elapsed: number;
  /** Milliseconds since 1970, for `Retry-After` dates. */
  readonly now: number;
  /** 0 to 1. */
  readonly random: number;
}

/** Waits that many milliseconds and tries again, or stops with the outcome as it is. */
export type Decision = { readonly wait: number } | "stop";

/** The decision after one try: a wait for what may pass, a stop for everything else. */
export function decide(outcome: Outcome, standing: AttemptState, policy: Policy): Decision {
  if (!isRetryable(outcome) || standing.attempt > policy.retries) return "stop";
  const asked = "answer" in outcome ? (retryAfter(outcome.answer, standing.now) ?? 0) : 0;
  const wait = Math.max(asked, backoff(standing.attempt, standing.random));
  return standing.elapsed + wait >= policy.budget ? "stop" : { wait };
}

/**
 * Whether the outcome is one that a repetition can change: no answer, 429, 502, 503, 504, and a 500
 * that carries no hint (a 500 with a hint is the service's way to refuse).
 */
export function isRetryable(outcome: Outcome): boolean {
  if ("noAnswer" in outcome) return outcome.noAnswer.retryable;
  const { status } = outcome.answer;
  return TRANSIENT.has(status) || (status === 500 && !outcome.hasHint);
}

/** Whether the service may have done what was asked although it did not say so. */
export function isUncertain(outcome: Outcome): boolean {
  if ("noAnswer" in outcome) return outcome.noAnswer.kind !== "interrupted";
  return isRetryable(outcome) && outcome.answer.status !== 429;
}

/**
 * How long the request itself waits before it is sent again, of the wait that was decided. After 429
 * and 503 the pacer holds all requests back for as long as `Retry-After` asks, in the order of their
 * age: who sleeps longer than that loses its place. That is right only for one that is refused again
 * and again, and must not keep all others from their turns.
 *
 * @param tries how often it was sent so far
 */
export function ownPause(outcome: Outcome, wait: number, tries: number, random: number): number {
  if (!("answer" in outcome)) return wait;
  const { status } = outcome.answer;
  if (status === 429) return tries === 1 ? 0 : backoff(tries - 1, random);
  return status === 503 ? backoff(tries, random) : wait;
}

/** A pause that doubles, between half and the whole of it by chance. In milliseconds. */
export function backoff(attempt: number, random: number): number {
  const whole = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1));
  return Math.round(whole * (0.5 + random / 2));
}

/** What `Retry-After` asks for, in milliseconds, at most a minute; undefined where it says nothing. */
export function retryAfter(answer: BufferedResponse, now: number): number | undefined {
  const text = answer.headers["retry-after"]?.trim();
  if (text === undefined || text === "") return undefined;
  const isDate = /^[A-Za-z]{3,9}, /.test(text);
  if (!isDate && !/^\d+$/.test(text)) return undefined;
  const wait = isDate ? Date.parse(text) - now : Number(text) * 1000;
  if (Number.isNaN(wait)) return undefined;
  return Math.min(LONGEST_RETRY_AFTER, Math.max(0, wait));
}
