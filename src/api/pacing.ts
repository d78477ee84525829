/** Spaces requests to a service that accepts only one at a time, at a rate that it does not state. */

/** Shorter intervals make no difference, because a request takes about as long. */
const SHORTEST = 50;
const LONGEST = 5000;
/** How much longer the interval gets after a rejection, and shorter after each accepted request. */
const GROWTH = 1.15;
const DECAY = 0.99;

/**
 * The interval between requests, in milliseconds. A rejection that follows an accepted request means
 * that the service wants more time between the two: at most as much as there was between the last two
 * that it accepted. Accepted requests shorten the interval until the next rejection.
 */
export class Pacing {
  #interval = 0;
  /** When the last request was sent. */
  #lastSent = Number.NEGATIVE_INFINITY;
  /** When the last accepted request was sent, and how long after the one before. */
  #lastAccepted = Number.NEGATIVE_INFINITY;
  #gap = 0;
  /** How many requests were accepted since the last rejection. */
  #accepted = 0;

  /** Milliseconds until the next request may be sent. */
  wait(now: number): number {
    if (this.#interval < SHORTEST) return 0;
    // A longer wait can only mean that the clock was set back.
    return Math.min(this.#interval, Math.max(0, this.#lastSent + this.#interval - now));
  }

  onSend(now: number): void {
    this.#lastSent = now;
  }

  /** @param sent when the accepted request was sent */
  onSuccess(sent: number): void {
    this.#interval *= DECAY;
    this.#accepted++;
    if (sent <= this.#lastAccepted) return;
    this.#gap = Number.isFinite(this.#lastAccepted) ? sent - this.#lastAccepted : 0;
    this.#lastAccepted = sent;
  }

  /** A request was rejected for its rate, and the one before was accepted. */
  onReject(): void {
    // A service that accepts several at once needs no intervals, only fewer requests at once.
    const needed = this.#accepted > 1 ? 0 : this.#gap;
    this.#accepted = 0;
    this.#interval = Math.min(LONGEST, Math.max(needed, this.#interval * GROWTH));
  }
}
