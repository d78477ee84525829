/** Repeats a request as `retry.ts` decides, and remembers whether a lost try may have taken effect. */
import type { Clock } from "../base/clock.ts";
import { serviceSays } from "./answer.ts";
import { BUDGET, decide, isUncertain, type Outcome } from "./retry.ts";
import { type Answer, NoAnswer, type Request, type Send } from "./transport.ts";

/** What repeating needs. */
export interface AttemptOptions {
  readonly send: Send;
  readonly clock: Clock;
  /** Milliseconds for one try. */
  readonly timeout: number;
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
  /** When the whole must have ended, on the clock; five minutes from now if it is left out. */
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
  const began = clock.now();
  const deadline = options.deadline ?? began + BUDGET;
  const policy = { retries: options.retries, budget: deadline - began };
  let uncertainBefore = false;

  for (let number = 1; ; number++) {
    const timeout = Math.max(1, Math.min(options.timeout, deadline - clock.now()));
    const outcome = await tryOnce(request, { ...options, timeout, attempt: number });
    const standing = {
      attempt: number,
      elapsed: clock.now() - began,
      now: clock.now(),
      random: clock.random(),
    };
    const decision = decide(outcome, standing, policy);
    const lost = isUncertain(outcome);
    if (decision === "stop" && !lost) return { outcome, uncertainBefore };
    if (decision !== "stop") await clock.sleep(decision.wait, signal).catch(() => undefined);
    if (signal?.aborted) return { outcome: interrupted(), uncertainBefore };
    if (lost && tookEffect !== undefined && (await tookEffect(deadline))) {
      return { outcome: "took-effect", uncertainBefore };
    }
    // The look-up may have used up the time that was left.
    if (decision === "stop" || clock.now() >= deadline) return { outcome, uncertainBefore };
    uncertainBefore ||= lost;
  }
}

async function tryOnce(
  request: Request,
  options: AttemptOptions & { readonly attempt: number },
): Promise<Outcome> {
  try {
    const answer = await options.send(request, options);
    // A write that was answered is done, whether or not its answer's body arrived whole.
    if (answer.brokenBy !== undefined && !isDone(request, answer)) {
      return { noAnswer: answer.brokenBy };
    }
    return { answer, hasHint: serviceSays(answer).hint !== undefined };
  } catch (error) {
    if (error instanceof NoAnswer) return { noAnswer: error };
    throw error;
  }
}

function isDone(request: Request, answer: Answer): boolean {
  return request.method !== "GET" && answer.status >= 200 && answer.status < 300;
}

function interrupted(): Outcome {
  const facts = { code: "ABORTED", kind: "interrupted", passing: false } as const;
  return { noAnswer: new NoAnswer("interrupted", facts) };
}
