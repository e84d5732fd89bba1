/**
 * A bounded queue at the engine's door. Those who ask take turns by the work they ask for, as in
 * start-time fair queueing (Goyal, Vin, Cheng 1996): whoever has had less goes first, and nobody
 * gains by asking often. Long jobs leave one place to short ones.
 */
import { Overloaded } from "./errors.ts";

/**
 * A job's part in something that is made by several: the first one is let in or refused as any other,
 * unless its owner's jobs of the same kind wait; those after it were let in with it.
 */
export type Part = "first" | "later";

/** What is to be known of a job before it is done. */
export interface Ticket {
  /** Who takes turns with others. */
  readonly owner: string;
  /** How much work it is, in megapixels. */
  readonly work: number;
  readonly part?: Part | undefined;
  /** Aborts when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface Queue {
  /**
   * Runs a job when its turn has come. Throws `Overloaded` when the queue is closed, or is full and
   * nobody else has more jobs in it: else that one's last job is refused instead. Throws what the
   * signal aborts with while the job waits.
   */
  run<Result>(job: () => Promise<Result>, ticket: Ticket): Promise<Result>;
  /**
   * Counts something that is made by several jobs, until what it returns is called: beyond one for
   * each place it takes up room as a waiting job does, whether or not a job of it waits just now.
   */
  hold(): () => void;
  /**
   * Says that a job of this owner will come. Throws `Overloaded` where it would be refused, those
   * included that were announced before. Gives what is to be called when it comes, or will not.
   */
  announce(owner: string): () => void;
  /** Refuses new jobs; settles when the running and waiting ones are done, or after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** More than pictures that are given in one piece have, 4096²: seconds and minutes. */
const LONG = 17;

/** Even the smallest job costs its way through the pool. */
const LEAST_WORK = 0.1;

/** Owners who are remembered without having anything in the queue. */
const REMEMBERED = 1000;

interface Waiting {
  readonly owner: string;
  readonly work: number;
  readonly part: Part | undefined;
  /** The queue's time when it came. */
  readonly came: number;
  start(): void;
  refuse(error: unknown): void;
}

/** A queue for `width` jobs at once, in which `length` more may wait. */
export function createQueue(width: number, length: number): Queue {
  const mostLong = Math.max(1, width - 1);
  /** In the order in which they came. */
  const waiting: Waiting[] = [];
  /** Up to when each owner has been served, in work; those who are behind the queue's time are not kept. */
  const served = new Map<string, number>();
  /** Jobs that are on their way. */
  const announced = new Set<object>();
  let time = 0;
  let running = 0;
  let runningLong = 0;
  let held = 0;
  let closed = false;
  let idle: (() => void) | undefined;

  /** Waits for the end of what its owner has begun. */
  const isBehind = ({ owner, part }: Pick<Waiting, "owner" | "part">) =>
    part === "first" && waiting.some((one) => one.part === "later" && one.owner === owner);
  const mayRun = (one: Pick<Waiting, "work" | "owner" | "part">) =>
    running < width && (one.work < LONG || runningLong < mostLong) && !isBehind(one);
  const canBeRefused = () => waiting.filter(({ part }) => part !== "later");
  const taken = () => canBeRefused().length + Math.max(0, held - width);
  const turnOf = ({ owner, came }: Pick<Waiting, "owner" | "came">) =>
    Math.max(came, served.get(owner) ?? 0);

  const begin = (job: Pick<Waiting, "owner" | "work" | "came">) => {
    time = Math.max(time, turnOf(job));
    served.set(job.owner, turnOf(job) + Math.max(LEAST_WORK, job.work));
    running++;
    if (job.work >= LONG) runningLong++;
    if (served.size > REMEMBERED) forget();
  };
  const forget = () => {
    for (const [owner, until] of served) if (until <= time) served.delete(owner);
  };

  /** Starts what may run, the one first whose turn it is. */
  const startNext = () => {
    for (;;) {
      let next: Waiting | undefined;
      for (const one of waiting) {
        if (mayRun(one) && (next === undefined || turnOf(one) < turnOf(next))) next = one;
      }
      if (next === undefined) return;
      leave(next);
      begin(next);
      next.start();
    }
  };

  /** Nobody is behind or ahead of others any more. */
  const rest = () => {
    if (running > 0) return;
    time = 0;
    served.clear();
    if (held === 0) idle?.();
  };

  const leave = (one: Waiting) => {
    waiting.splice(waiting.indexOf(one), 1);
  };

  /** Who has to give way to one more of this owner when the queue is full, if anybody has. */
  const lastOfGreediest = (owner: string): Waiting | undefined => {
    const counts = new Map<string, number>();
    for (const one of canBeRefused()) counts.set(one.owner, (counts.get(one.owner) ?? 0) + 1);
    const [greediest = owner, most = 0] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    if (most <= (counts.get(owner) ?? 0) + 1) return undefined;
    return canBeRefused().findLast((one) => one.owner === greediest);
  };

  /** Makes room for one more of this owner. Throws `Overloaded`. */
  const makeRoom = (owner: string) => {
    const last = lastOfGreediest(owner);
    const full = new Overloaded(waiting.length);
    if (last === undefined) throw full;
    last.refuse(full);
  };

  const turn = ({ owner, work, part, signal }: Ticket) =>
    new Promise<void>((resolve, reject) => {
      const end = () => {
        signal?.removeEventListener("abort", abort);
      };
      const refuse = (error: unknown) => {
        end();
        leave(one);
        reject(error);
      };
      const abort = () => refuse(signal?.reason);
      const start = () => {
        end();
        resolve();
      };
      const one = { owner, work, part, came: time, start, refuse };
      signal?.addEventListener("abort", abort, { once: true });
      waiting.push(one);
    });

  return {
    async run(job, ticket) {
      const { owner, work, part, signal } = ticket;
      signal?.throwIfAborted();
      const isLetIn = part === "later";
      if (closed && !isLetIn) throw new Overloaded(waiting.length);
      if (mayRun({ owner, work, part })) begin({ owner, work, came: time });
      else {
        if (!isLetIn && taken() >= length) makeRoom(owner);
        await turn(ticket);
      }
      try {
        return await job();
      } finally {
        running--;
        if (work >= LONG) runningLong--;
        startNext();
        rest();
      }
    },
    hold() {
      held++;
      return () => {
        held--;
        rest();
      };
    },
    announce(owner) {
      const free = width - running + length - taken();
      if (closed || (announced.size >= free && lastOfGreediest(owner) === undefined)) {
        throw new Overloaded(waiting.length);
      }
      const job = {};
      announced.add(job);
      return () => announced.delete(job);
    },
    async close(graceMs) {
      closed = true;
      if (running === 0 && held === 0) return;
      await new Promise<void>((resolve) => {
        idle = resolve;
        setTimeout(resolve, graceMs).unref();
      });
    },
  };
}
