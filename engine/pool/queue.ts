/**
 * The bounded job queue of the threads: start-time fair queueing by owner (Goyal, Vin, Cheng 1996), with
 * an owner charged for the time that a job takes beyond its estimate. The owner who was served least is
 * next. Long jobs leave one place to short ones. When all places are held for long, owners with nothing
 * running and no more than their share run in reserve threads.
 */
import { Overloaded } from "../errors.ts";

/**
 * A job's part in a render of several jobs. The first is admitted like any job, but waits for its owner's
 * later parts; later parts are always admitted.
 */
export type Part = "first" | "later";

/** Where a job runs: in one of the queue's places, or beside them. */
export type Place = "regular" | "reserve";

/** Scheduling parameters of a job. */
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
   * Runs a job when its turn comes; the job is told which place it runs in. Throws `Overloaded` when the
   * queue is closed, or is full and no other owner has more jobs in it: else that one's last job is
   * refused instead. Throws what the signal aborts with while the job waits.
   */
  run<Result>(job: (place: Place) => Promise<Result>, ticket: Ticket): Promise<Result>;
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
  /** How jobs go on at this moment. */
  progress(): Progress;
  /** Refuses new jobs; settles when the running and waiting ones are done, or after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export interface Progress {
  /** Jobs. */
  readonly running: number;
  readonly waiting: number;
  /** For how many milliseconds no job has begun or ended although some wait; 0 where none waits. */
  readonly stalledMs: number;
}

/** More than pictures that are given in one piece have, 4096²: seconds and minutes. */
const LONG = 17;

/** Even the smallest job costs its way through the pool. */
const MIN_WORK = 0.1;

/** Milliseconds of a thread that count as a megapixel of work. */
const MEGAPIXEL_MS = 100;

/**
 * Milliseconds that a job waits, and that those in its way have been running, before it may run in
 * reserve. Where places change hands more often its turn comes soon enough.
 */
const PATIENCE_MS = 100;

/** Jobs in reserve at a time, each of another owner; all but one of them small. */
export const RESERVE_PLACES = 3;

/** Work of a small job, as nearly all tiles and previews are. */
const SMALL = 5;

/** Work by which an owner may be ahead of the queue's time and still run in reserve: three seconds of a thread. */
const RESERVE_LEAD = 30;

/** Owners who are remembered without having anything in the queue. */
const REMEMBERED = 1000;

interface Waiting {
  readonly owner: string;
  readonly work: number;
  readonly part: Part | undefined;
  /** The queue's time when it came. */
  readonly came: number;
  readonly sinceMs: number;
  start(running: Running): void;
  refuse(error: unknown): void;
}

interface Running {
  readonly owner: string;
  readonly work: number;
  readonly place: Place;
  readonly beganMs: number;
}

export interface QueueTimes {
  readonly patienceMs?: number;
  /** Returns milliseconds since some moment. */
  readonly clock?: () => number;
}

/** A queue for `width` jobs at once, in which `length` more may wait. */
export function createQueue(
  width: number,
  length: number,
  { patienceMs = PATIENCE_MS, clock = () => performance.now() }: QueueTimes = {},
): Queue {
  const mostLong = Math.max(1, width - 1);
  /** In the order in which they came. */
  const waiting: Waiting[] = [];
  /** Up to when each owner has been served, in work; those who are behind the queue's time are not kept. */
  const served = new Map<string, number>();
  /** Jobs that are on their way. */
  const announced = new Set<object>();
  let time = 0;
  const running = new Set<Running>();
  /** Those of them in regular places, and the long ones of these. */
  let inPlaces = 0;
  let longInPlaces = 0;
  let held = 0;
  let closed = false;
  let idle: (() => void) | undefined;
  /** While jobs wait, looks for those that may run in reserve by now. */
  let watch: NodeJS.Timeout | undefined;
  /** When a job last began or ended, or began to wait with no other one. */
  let progressMs = clock();

  /** Waits for the end of what its owner has begun. */
  const isBehind = ({ owner, part }: Pick<Waiting, "owner" | "part">) =>
    part === "first" && waiting.some((one) => one.part === "later" && one.owner === owner);
  const mayRun = (one: Pick<Waiting, "work" | "owner" | "part">) =>
    inPlaces < width && (one.work < LONG || longInPlaces < mostLong) && !isBehind(one);
  /**
   * Which jobs may run in reserve now: overdue, of owners who have nothing running and had no more than
   * their share, while no place changes hands.
   */
  const reserveRule = (): ((one: Waiting) => boolean) => {
    const now = clock();
    const all = [...running];
    const isFull = inPlaces >= width;
    const inTheWay = all.filter(
      ({ place, work }) => place === "regular" && (isFull || work >= LONG),
    );
    const reserve = all.filter(({ place }) => place === "reserve");
    const isOpen =
      reserve.length < RESERVE_PLACES &&
      inTheWay.every(({ beganMs }) => now - beganMs >= patienceMs);
    const onlySmall = reserve.some(({ work }) => work > SMALL);
    const busy = new Set(all.map(({ owner }) => owner));
    return (one) =>
      isOpen &&
      (one.work <= SMALL || !onlySmall) &&
      now - one.sinceMs >= patienceMs &&
      !busy.has(one.owner) &&
      turnOf(one) <= time + RESERVE_LEAD &&
      !isBehind(one);
  };
  const canBeRefused = () => waiting.filter(({ part }) => part !== "later");
  const taken = () => canBeRefused().length + Math.max(0, held - width);
  const turnOf = ({ owner, came }: Pick<Waiting, "owner" | "came">) =>
    Math.max(came, served.get(owner) ?? 0);

  const count = ({ place, work }: Running, change: 1 | -1) => {
    if (place === "reserve") return;
    inPlaces += change;
    if (work >= LONG) longInPlaces += change;
  };
  const begin = (job: Pick<Waiting, "owner" | "work" | "came">, place: Place): Running => {
    time = Math.max(time, turnOf(job));
    served.set(job.owner, turnOf(job) + Math.max(MIN_WORK, job.work));
    const { owner, work } = job;
    const begun = { owner, work, place, beganMs: clock() };
    running.add(begun);
    progressMs = begun.beganMs;
    count(begun, 1);
    if (served.size > REMEMBERED) forget();
    return begun;
  };
  const end = (job: Running) => {
    running.delete(job);
    progressMs = clock();
    count(job, -1);
    const beyond = (clock() - job.beganMs) / MEGAPIXEL_MS - Math.max(MIN_WORK, job.work);
    if (beyond > 0) served.set(job.owner, Math.max(time, served.get(job.owner) ?? 0) + beyond);
    startNext();
    rest();
  };
  const forget = () => {
    for (const [owner, until] of served) if (until <= time) served.delete(owner);
  };

  /** The one of those for which `may` holds whose turn it is. */
  const nextOf = (may: (one: Waiting) => boolean) => {
    let next: Waiting | undefined;
    for (const one of waiting) {
      if (may(one) && (next === undefined || turnOf(one) < turnOf(next))) next = one;
    }
    return next;
  };
  /** Starts what may run, the one first whose turn it is. */
  const startNext = () => {
    for (;;) {
      const regular = nextOf(mayRun);
      const next = regular ?? nextOf(reserveRule());
      if (next === undefined) return;
      leave(next);
      next.start(begin(next, regular ? "regular" : "reserve"));
    }
  };

  /** Nobody is behind or ahead of others any more. */
  const rest = () => {
    if (running.size > 0) return;
    time = 0;
    served.clear();
    if (held === 0) idle?.();
  };

  const leave = (one: Waiting) => {
    waiting.splice(waiting.indexOf(one), 1);
    if (waiting.length > 0) return;
    clearInterval(watch);
    watch = undefined;
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
    new Promise<Running>((resolve, reject) => {
      const forget = () => signal?.removeEventListener("abort", abort);
      const refuse = (error: unknown) => {
        forget();
        leave(one);
        reject(error);
      };
      const abort = () => refuse(signal?.reason);
      const start = (begun: Running) => {
        forget();
        resolve(begun);
      };
      const one = { owner, work, part, came: time, sinceMs: clock(), start, refuse };
      signal?.addEventListener("abort", abort, { once: true });
      if (waiting.length === 0) progressMs = clock();
      waiting.push(one);
      watch ??= setInterval(startNext, patienceMs / 2).unref();
    });

  return {
    async run(job, ticket) {
      const { owner, work, part, signal } = ticket;
      signal?.throwIfAborted();
      const isLetIn = part === "later";
      if (closed && !isLetIn) throw new Overloaded(waiting.length);
      let begun: Running;
      if (mayRun({ owner, work, part })) begun = begin({ owner, work, came: time }, "regular");
      else {
        if (!isLetIn && taken() >= length) makeRoom(owner);
        begun = await turn(ticket);
      }
      try {
        return await job(begun.place);
      } finally {
        end(begun);
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
      const free = width - inPlaces + length - taken();
      if (closed || (announced.size >= free && lastOfGreediest(owner) === undefined)) {
        throw new Overloaded(waiting.length);
      }
      const job = {};
      announced.add(job);
      return () => announced.delete(job);
    },
    progress: () => ({
      running: running.size,
      waiting: waiting.length,
      stalledMs: waiting.length === 0 ? 0 : clock() - progressMs,
    }),
    async close(graceMs) {
      closed = true;
      if (running.size === 0 && held === 0) return;
      await new Promise<void>((resolve) => {
        idle = resolve;
        setTimeout(resolve, graceMs).unref();
      });
    },
  };
}
