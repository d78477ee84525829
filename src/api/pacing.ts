/** Spaces requests to a service that accepts only one at a time, at a rate that it does not state. */

/** Timers are not more exact. */
const SHORTEST = 5;
const LONGEST = 5000;
/** How much longer the interval gets after a rejection, and after one that soon follows another. */
const [GROWTH, FAST_GROWTH] = [1.1, 1.4];
/** Fewer accepted requests between two rejections mean that the interval is much too short. */
const FEW = 10;
/** How much shorter it gets after each accepted request: little near the interval that was rejected. */
const [DECAY, FAST_DECAY] = [0.997, 0.9];
const NEAR = 1.25;
/** After so many accepted requests, the last rejection says nothing about the service anymore. */
const MANY = 60;

/**
 * The interval between requests, in milliseconds. If a rejected request was sent sooner after another
 * one than the service has accepted since the last rejection, it wants more time between the two: at
 * most as much as between those that it accepted. Accepted requests shorten the interval until the
 * next rejection, slowly where that is likely.
 */
export class Pacing {
  #interval = 0;
  /** The interval at the last rejection; 0 if there was none. */
  #rejected = 0;
  /** When the last request was sent. */
  #lastSent = Number.NEGATIVE_INFINITY;
  /** When the last accepted request was sent. */
  #lastAccepted = Number.NEGATIVE_INFINITY;
  /** The shortest time between two requests that were accepted since the last rejection. */
  #gap = Number.POSITIVE_INFINITY;
  /** How many requests were accepted since the last rejection. */
  #accepted = 0;

  /** Whether the last rejection came although there was an interval: its length limits the rate. */
  get isActive(): boolean {
    return this.#rejected > 0;
  }

  /** Milliseconds between two requests. */
  get interval(): number {
    return this.#interval;
  }

  /** Milliseconds until the next request may be sent. */
  wait(now: number): number {
    if (this.#interval < SHORTEST) return 0;
    return Math.max(0, this.#lastSent + this.#interval - now);
  }

  onSend(now: number): void {
    this.#lastSent = now;
  }

  /** @param sent when the accepted request was sent */
  onSuccess(sent: number): void {
    this.#accepted++;
    const isNear = this.#interval < this.#rejected * NEAR && this.#accepted < MANY;
    this.#interval *= isNear ? DECAY : FAST_DECAY;
    this.#gap = Math.min(this.#gap, Math.abs(sent - this.#lastAccepted));
    this.#lastAccepted = Math.max(sent, this.#lastAccepted);
  }

  /**
   * A request was rejected for its rate, and the one before was accepted.
   *
   * @param sent when it was sent
   * @param statesPause whether the service said how long to wait: most such services count the
   *   requests of a period, and accept several at once
   */
  onReject(sent: number, statesPause: boolean): void {
    const isTooSoon = sent - this.#lastAccepted < this.#gap && Number.isFinite(this.#gap);
    const mayNeedInterval = isTooSoon && (this.#accepted <= 1 || !statesPause);
    const most = this.isActive ? 2 * this.#interval : LONGEST;
    const needed = mayNeedInterval ? Math.min(this.#gap, most) : 0;
    const growth = this.#accepted < FEW ? FAST_GROWTH : GROWTH;
    this.#rejected = this.#interval < SHORTEST ? 0 : this.#interval;
    this.#interval = Math.min(LONGEST, Math.max(needed, this.#interval * growth));
    this.#gap = Number.POSITIVE_INFINITY;
    this.#accepted = 0;
  }
}
