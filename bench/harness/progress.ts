/** Progress on standard error; standard output has only results. */
import { clearLine, cursorTo } from "node:readline";
import type { WriteStream } from "node:tty";

/** Receives the current activity, and the contender if it matters. */
export type Report = (activity: string, contender?: string) => void;

export interface Progress {
  readonly report: Report;
  /** Ends the case. */
  end(): void;
}

/** On a terminal one changing line; elsewhere a line for every new activity. */
export function createProgress(stream: WriteStream, title: string): Progress {
  if (!stream.isTTY) {
    let last = "";
    return {
      report(activity) {
        if (activity !== last) stream.write(`${title}: ${activity}\n`);
        last = activity;
      },
      end: () => stream.write(`${title}: done\n`),
    };
  }
  const clear = () => {
    cursorTo(stream, 0);
    clearLine(stream, 0);
  };
  return {
    report(activity, contender = "") {
      clear();
      stream.write(`${title}: ${activity} ${contender}`.slice(0, stream.columns - 1));
    },
    end: clear,
  };
}
