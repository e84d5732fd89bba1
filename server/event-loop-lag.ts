/**
 * How late the event loop of this process runs its timers. `monitorEventLoopDelay` of node:perf_hooks
 * measures the same, but forgets its last tick with each reset, and with it a stall across the end of
 * a window.
 */

/** Sampling interval in milliseconds; a stall is measured as up to this much shorter. */
const RESOLUTION_MS = 10;

export interface EventLoopLag {
  /**
   * Longest stall of the last one to two windows, in milliseconds. A stall counts when it is over:
   * nothing runs while it lasts.
   */
  recentMs(): number;
  /** Longest stall since the start, in milliseconds. */
  longestMs(): number;
  /** Stops measuring. */
  close(): void;
}

/** Measures the event loop's lag in windows of `windowMs`. Does not keep the process alive. */
export function watchEventLoopLag(windowMs = 10_000): EventLoopLag {
  let tickedAt = performance.now();
  let windowEndsAt = tickedAt + windowMs;
  let [longest, previous, current] = [0, 0, 0];
  const tick = () => {
    const now = performance.now();
    current = Math.max(current, now - tickedAt - RESOLUTION_MS);
    longest = Math.max(longest, current);
    tickedAt = now;
    if (now < windowEndsAt) return;
    [previous, current] = [current, 0];
    windowEndsAt = now + windowMs;
  };
  const timer = setInterval(tick, RESOLUTION_MS);
  timer.unref();
  return {
    recentMs: () => Math.max(previous, current),
    longestMs: () => longest,
    close: () => clearInterval(timer),
  };
}
