/** A render node as this process knows it: what it does for it, and whether it takes calls. */
import type { RenderNodeRow } from "../../db/index.ts";
import type { Log } from "../actions/log.ts";
import type { NodeState } from "../actions/readiness.ts";
import { NodeLost } from "./errors.ts";

/** A node gets no calls for so long after one has failed there; for twice as long after each further one, up to the maximum. */
const PAUSE_MS = 1000;
const MAX_PAUSE_MS = 10_000;

export class RenderNode {
  readonly id: string;
  readonly url: string;
  readonly threads: number;
  readonly #log: Pick<Log, "info" | "warn">;
  readonly #clock: () => number;
  #outstanding = 0;
  #isStopping = false;
  #isSilent = false;
  /** Calls that have failed since it answered one. */
  #failures = 0;
  /** Whether a call tries it, after others have failed. */
  #isTrying = false;
  #pausedUntilMs = 0;

  /** @param clock returns milliseconds since some moment */
  constructor(
    { id, url, threads }: RenderNodeRow,
    log: Pick<Log, "info" | "warn">,
    clock = () => performance.now(),
  ) {
    this.id = id;
    this.url = url;
    this.threads = threads;
    this.#log = log;
    this.#clock = clock;
  }

  /** Calls of this process that it works on. */
  get outstanding(): number {
    return this.#outstanding;
  }

  get state(): NodeState {
    if (this.#isStopping) return "stopping";
    if (this.#isSilent) return "silent";
    return this.#failures > 0 ? "failing" : "ok";
  }

  /** Whether it does not answer when it is asked whether it takes calls. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Whether it may be given a call: one that fails is tried with a single call, now and then. */
  get takesCalls(): boolean {
    const { state } = this;
    if (state !== "failing") return state === "ok";
    return !this.#isTrying && this.#clock() >= this.#pausedUntilMs;
  }

  /** Counts a call that is given to it. */
  begin(): void {
    this.#outstanding++;
    this.#isTrying = this.state === "failing";
  }

  /** To be called once for each call that was begun. */
  end(): void {
    this.#outstanding--;
    this.#isTrying = false;
  }

  /** It has answered a call, with a result, the start of one, or an error. */
  callAnswered(): void {
    this.#change(() => {
      this.#failures = 0;
      this.#pausedUntilMs = 0;
    });
  }

  /** @param error why a call did not reach it, or was lost with it */
  callFailed(error: unknown): void {
    if (error instanceof NodeLost && error.wasStopping) {
      this.stops();
      return;
    }
    this.#change(() => {
      const now = this.#clock();
      // Calls that fail at the same time are one failure.
      if (now < this.#pausedUntilMs) return;
      this.#pausedUntilMs = now + Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** this.#failures);
      this.#failures++;
    }, error);
  }

  /** It has said that it takes calls. */
  answered(): void {
    this.#change(() => {
      this.#isSilent = false;
    });
  }

  /** @param error why it did not answer when it was asked */
  wasSilent(error: unknown): void {
    this.#change(() => {
      this.#isSilent = true;
    }, error);
  }

  /** It has said that it stops. */
  stops(): void {
    if (!this.#isStopping) this.#log.info(`the render node ${this.url} stops`);
    this.#isStopping = true;
  }

  /** Logs the first reason for which it gets fewer calls or none, and that it gets them again. */
  #change(change: () => void, error?: unknown): void {
    const before = this.state;
    change();
    const now = this.state;
    if (before === "ok" && now !== "ok") {
      this.#log.warn({ error }, `the render node ${this.url} takes no calls`);
    } else if (before !== "ok" && now === "ok") {
      this.#log.info(`the render node ${this.url} takes calls again`);
    }
  }
}
