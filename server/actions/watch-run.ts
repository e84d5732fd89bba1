/** Ends a run of a job once another one supersedes it. */
import { Superseded } from "../../db/index.ts";

/** Interval at which progress is stored and the run checked for being superseded. */
const INTERVAL_MS = 1000;

/**
 * Calls `record` every second until `end`: it stores a job's progress, and throws `Superseded` once another run has
 * taken over. The signal then aborts.
 */
export function watchRun(record: () => Promise<void>, caller: AbortSignal) {
  const stop = new AbortController();
  let superseded: Superseded | null = null;
  let isRecording = false;
  const timer = setInterval(async () => {
    if (isRecording) return;
    isRecording = true;
    try {
      await record();
    } catch (error) {
      // Other errors will recur where something is written.
      if (error instanceof Superseded) {
        superseded = error;
        stop.abort(error);
      }
    }
    isRecording = false;
  }, INTERVAL_MS);
  return {
    signal: AbortSignal.any([stop.signal, caller]),
    get superseded() {
      return superseded;
    },
    end: () => clearInterval(timer),
  };
}
