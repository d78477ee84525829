/** Holds one client's requests back so that its service can take them (cli.md section 8, "push"). */
import type { Clock } from "../base/clock.ts";
import {
  type Ending,
  ended,
  fullPace,
  type Leave,
  leaving,
  type Pace,
  pauseEnd,
  waitFor,
} from "./pace.ts";
import { BUDGET, retryAfter } from "./retry-policy.ts";
import {
  type BufferedResponse,
  interruption,
  NEVER_SENT,
  type Request,
  type Send,
  type SendOptions,
  TransportError,
} from "./transport.ts";

/**
 * A `Send` of which at most `concurrency` are under way at once, and fewer, with pauses for all of
 * them, where the service answers 429 or 503. Those that wait go in the order of their age, the age of
 * a repeated request counting from its first try. While nothing is refused nothing is held back.
 */
export function pacing(concurrency: number, clock: Clock): (send: Send) => Send {
  const turns = new Turns(concurrency, clock);
  /** How many requests had been served when one that was refused since then first went off. */
  const firstLeft = new WeakMap<Request, number>();

  return (send) => async (request, options) => {
    const leave = await turns.next(options);
    options.onLeave?.();
    const left = (options.deadline ?? Number.POSITIVE_INFINITY) - clock.now();
    const timeout = Math.max(1, Math.min(options.timeout, left));
    let ending: Ending = "unclear";
    try {
      const answer = await send(request, { ...options, timeout });
      ending = endingOf(answer, clock);
      if (answer.status !== 429) return answer;
      const before = firstLeft.get(request) ?? leave.served;
      firstLeft.set(request, before);
      // The text may be one that is read only when it is asked for.
      return { ...answer, text: answer.text, outpaced: turns.served > before };
    } finally {
      turns.end(leave, ending);
    }
  };
}

function endingOf(answer: BufferedResponse, clock: Clock): Ending {
  const { status } = answer;
  if (status !== 429 && status !== 503) return status < 500 ? "served" : "unclear";
  return { retryAfter: retryAfter(answer, clock.now()), random: clock.random() };
}

/** A request that waits. */
interface Waiting {
  /** When it must have ended: infinity for one that was not sent yet. */
  readonly deadline: number;
  go(leave: Leave): void;
  giveUp(reason: TransportError): void;
}

/** Gives out turns, one for each request, as the pace allows. */
class Turns {
  readonly #clock: Clock;
  /** In the order of their deadlines: what was sent before, the oldest first, and then what is new. */
  readonly #queue: Waiting[] = [];
  #pace: Pace;
  /** Wakes the queue at a time; aborted when nobody waits any more. */
  #alarm: { readonly at: number; readonly controller: AbortController } | undefined;

  constructor(concurrency: number, clock: Clock) {
    this.#pace = fullPace(concurrency);
    this.#clock = clock;
  }

  get served(): number {
    return this.#pace.served;
  }

  /** Resolves when the request may leave. @throws NoAnswer when it was stopped or its time ran out */
  async next({ signal, deadline = Number.POSITIVE_INFINITY }: SendOptions): Promise<Leave> {
    if (signal?.aborted) throw interruption();
    return await new Promise<Leave>((resolve, reject) => {
      const stop = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        waiting.giveUp(interruption());
        this.#advance();
      };
      const settled = (): void => signal?.removeEventListener("abort", stop);
      const waiting: Waiting = {
        deadline,
        go: (leave) => {
          settled();
          resolve(leave);
        },
        giveUp: (reason) => {
          settled();
          reject(reason);
        },
      };
      signal?.addEventListener("abort", stop, { once: true });
      const before = this.#queue.findLastIndex((other) => other.deadline <= deadline);
      this.#queue.splice(before + 1, 0, waiting);
      this.#advance();
    });
  }

  /** Takes a turn back. */
  end(leave: Leave, ending: Ending): void {
    this.#pace = ended(this.#pace, leave, ending, this.#clock.now());
    this.#advance();
  }

  /** Lets go whoever may, and sees to it that the next one is looked at in time. */
  #advance(): void {
    for (;;) {
      const now = this.#clock.now();
      const wait = waitFor(this.#pace, now);
      this.#dropLate(now, wait === undefined ? pauseEnd(this.#pace, now) : now + wait);
      // The end of a request that is under way will come back here.
      if (this.#queue.length === 0 || wait === undefined) {
        this.#silence();
        return;
      }
      if (wait > 0) {
        this.#wakeAt(now + wait);
        return;
      }
      const { pace, leave } = leaving(this.#pace, now);
      this.#pace = pace;
      this.#queue.shift()?.go(leave);
    }
  }

  /** Gives up those whose time ends before the next turn: waiting on would be for nothing. */
  #dropLate(now: number, turn: number): void {
    const since = this.#pace.refusedSince;
    // A turn that is there is used all the same: it may find the service back.
    const isQuiet = since !== undefined && since + BUDGET <= turn && turn > now;
    for (let first = this.#queue[0]; first !== undefined; first = this.#queue[0]) {
      if (!isQuiet && first.deadline > turn) return;
      this.#queue.shift();
      first.giveUp(isQuiet ? nothingTaken() : noTimeLeft());
    }
  }

  #wakeAt(at: number): void {
    if (this.#alarm !== undefined && this.#alarm.at <= at) return;
    this.#silence();
    const alarm = { at, controller: new AbortController() };
    this.#alarm = alarm;
    const wake = (): void => {
      if (this.#alarm !== alarm) return;
      this.#alarm = undefined;
      this.#advance();
    };
    this.#clock.sleep(at - this.#clock.now(), alarm.controller.signal).then(wake, () => undefined);
  }

  #silence(): void {
    this.#alarm?.controller.abort();
    this.#alarm = undefined;
  }
}

function nothingTaken(): TransportError {
  return new TransportError("it took no request for five minutes", { code: NEVER_SENT.quiet });
}

function noTimeLeft(): TransportError {
  return new TransportError("there was no time left to send it", { code: NEVER_SENT.late });
}
