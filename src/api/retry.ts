/** Repeats a request as `retry.ts` decides, and remembers whether a lost try may have taken effect. */
import type { Clock } from "../base/clock.ts";
import { isHtml, parseErrorBody } from "./answer.ts";
import { BUDGET, decide, isUncertain, type Outcome, ownPause } from "./retry-policy.ts";
import {
  type BufferedResponse,
  interruption,
  NEVER_SENT,
  type Request,
  type Send,
  type SendOptions,
  TransportError,
} from "./transport.ts";
import { unexpectedHtml } from "./transport-error.ts";
import { mayHaveTakenEffect } from "./uncertain-outcome.ts";

/**
 * How many refusals of the pace count as no attempts, since others got through. A few are all that a
 * limit brings; a request that is refused for ever all the same is to end.
 */
const OUTPACED = 16;

/** What repeating needs. */
export interface AttemptOptions {
  readonly send: Send;
  readonly clock: Clock;
  /** Milliseconds for one try. */
  readonly timeout: number;
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * When the whole must have ended, on the clock. If it is left out: five minutes after the request
   * first went off, since waiting for a first turn is no attempt.
   */
  readonly deadline?: number;
  /**
   * Asked before a repetition, and at the end, when a lost try may have taken effect: has it?
   * Without it the request is one that can be repeated freely.
   */
  readonly tookEffect?: (deadline: number) => Promise<boolean>;
}

/** What all tries together came to. */
export interface Attempts {
  readonly outcome: Outcome | "took-effect";
  /** Whether an earlier try may have taken effect unnoticed. */
  readonly uncertainBefore: boolean;
}

/** Sends a request until it is answered for good, it took effect, or patience ends. */
export async function attempt(request: Request, options: AttemptOptions): Promise<Attempts> {
  const { clock, signal, tookEffect } = options;
  let began = clock.now();
  let uncertainBefore = false;
  let outpaced = 0;
  let previous: Outcome | undefined;

  for (let number = 1; ; number++) {
    const isFirst = number === 1;
    const left = (options.deadline ?? began + BUDGET) - clock.now();
    const outcome = await tryOnce(request, options.send, {
      signal,
      attempt: number,
      timeout: Math.max(1, Math.min(options.timeout, left)),
      deadline: options.deadline ?? (isFirst ? undefined : began + BUDGET),
      onLeave: () => {
        if (isFirst) began = clock.now();
      },
    });
    const code = "noAnswer" in outcome ? outcome.noAnswer.code : undefined;
    if (code === NEVER_SENT.quiet) return { outcome, uncertainBefore };
    // What the try before came to still stands, and says more.
    if (code === NEVER_SENT.late) return { outcome: previous ?? outcome, uncertainBefore };
    previous = outcome;
    if (wasOutpaced(outcome) && outpaced < OUTPACED) outpaced++;
    const deadline = options.deadline ?? began + BUDGET;
    const standing = {
      attempt: Math.max(1, number - outpaced),
      elapsed: clock.now() - began,
      now: clock.now(),
      random: clock.random(),
    };
    const policy = { retries: options.retries, budget: deadline - began };
    const decision = decide(outcome, standing, policy);
    const lost = isUncertain(outcome);
    if (decision === "stop" && !lost) return { outcome, uncertainBefore };
    const { random } = standing;
    const pause = decision === "stop" ? 0 : ownPause(outcome, decision.wait, number, random);
    if (pause > 0) await clock.sleep(pause, signal).catch(() => undefined);
    if (signal?.aborted) return { outcome: { noAnswer: interruption() }, uncertainBefore };
    if (lost && tookEffect !== undefined && (await tookEffect(deadline))) {
      return { outcome: "took-effect", uncertainBefore };
    }
    // The look-up may have used up the time that was left.
    if (decision === "stop" || clock.now() >= deadline) return { outcome, uncertainBefore };
    uncertainBefore ||= mayHaveTakenEffect(outcome);
  }
}

function wasOutpaced(outcome: Outcome): boolean {
  return "answer" in outcome && outcome.answer.outpaced === true;
}

async function tryOnce(request: Request, send: Send, options: SendOptions): Promise<Outcome> {
  try {
    const answer = await send(request, options);
    // A write that was answered is done, whether or not its answer's body arrived whole.
    if (answer.bodyError !== undefined && !isDone(request, answer)) {
      return { noAnswer: answer.bodyError };
    }
    if (isDone(request, answer) && isHtml(answer)) return { noAnswer: unexpectedHtml() };
    return { answer, hasHint: parseErrorBody(answer).hint !== undefined };
  } catch (error) {
    if (error instanceof TransportError) return { noAnswer: error };
    throw error;
  }
}

function isDone(request: Request, answer: BufferedResponse): boolean {
  return request.method !== "GET" && answer.status >= 200 && answer.status < 300;
}
