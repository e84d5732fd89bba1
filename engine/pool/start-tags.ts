/** Start-time fair queueing (Goyal, Vin, Cheng 1996): the tags that decide whose turn it is. */

/** Minimum cost of a job: the overhead of the pool. */
const MIN_COST = 0.1;

/** Thread time that counts as a megapixel of cost. */
const MEGAPIXEL_MS = 100;

/** Number of finish tags above which outdated ones are deleted. */
const MAX_FINISH_TAGS = 1000;

/** A job with an owner, and a cost in megapixels. */
export interface CostlyJob {
  readonly owner: string;
  readonly cost: number;
}

/** A job that has arrived. */
export interface TaggedJob extends CostlyJob {
  /** Virtual time of its arrival. */
  readonly arrivedAt: number;
}

export interface StartTags {
  /** Returns the virtual time, in megapixels of cost. */
  now(): number;
  /** Returns the start tag of a job: the smallest is next. */
  of(job: Pick<TaggedJob, "owner" | "arrivedAt">): number;
  /** Charges an owner for a job that starts. */
  begin(job: TaggedJob): void;
  /** Charges an owner for the time that a job took beyond its estimate. */
  end(job: CostlyJob, milliseconds: number): void;
  /** Starts anew, once no job runs. */
  reset(): void;
}

export function createStartTags(): StartTags {
  /** Finish tag of each owner's last job, in megapixels of cost. */
  const finishTags = new Map<string, number>();
  let virtualTime = 0;
  const of: StartTags["of"] = ({ owner, arrivedAt }) =>
    Math.max(arrivedAt, finishTags.get(owner) ?? 0);
  const forget = () => {
    for (const [owner, until] of finishTags) if (until <= virtualTime) finishTags.delete(owner);
  };
  return {
    now: () => virtualTime,
    of,
    begin(job) {
      virtualTime = Math.max(virtualTime, of(job));
      finishTags.set(job.owner, of(job) + Math.max(MIN_COST, job.cost));
      if (finishTags.size > MAX_FINISH_TAGS) forget();
    },
    end({ owner, cost }, milliseconds) {
      const beyond = milliseconds / MEGAPIXEL_MS - Math.max(MIN_COST, cost);
      if (beyond > 0)
        finishTags.set(owner, Math.max(virtualTime, finishTags.get(owner) ?? 0) + beyond);
    },
    reset() {
      virtualTime = 0;
      finishTags.clear();
    },
  };
}
