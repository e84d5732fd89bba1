/** Stops calls of a service that fails: requests do not wait for it. */

/** Consecutive failures after which calls are stopped. */
const FAILURES = 3;

/** Milliseconds without calls. One call is then tried; the others wait for its result. */
const PAUSE_MS = 10_000;

export class CircuitBreaker {
  #failures = 0;
  #retryAt = 0;
  readonly #clock: () => number;

  /** @param clock returns milliseconds since some moment */
  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  /** Whether a call may be made now. Its end must be reported. */
  allows(): boolean {
    if (this.#failures < FAILURES) return true;
    const now = this.#clock();
    if (now < this.#retryAt) return false;
    this.#retryAt = now + PAUSE_MS;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** The call ended without a result: another may be tried. */
  cancelled(): void {
    this.#retryAt = 0;
  }

  /** Returns whether this failure stops the calls, which were not stopped before. */
  failed(): boolean {
    this.#failures++;
    this.#retryAt = this.#clock() + PAUSE_MS;
    return this.#failures === FAILURES;
  }
}
