/** What a benchmark case is: contenders at one task, checked before they are timed. */

/** What one run of a contender gives, by the names of the case's metrics. */
export type Reading = Readonly<Record<string, number>>;

export interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly better: "lower" | "higher";
}

export interface Contender {
  readonly name: string;
  /** False for a peer that we are measured against. */
  readonly ours: boolean;
  /** Does the task once. */
  run(): Promise<Reading>;
}

/**
 * A number to be reached. With `peer`, it is how many times better than that peer we are by the
 * metric; without, it bounds the metric itself, for the worst of our contenders.
 */
export interface Target {
  readonly metric: string;
  readonly peer?: string;
  readonly must: number;
  readonly aim?: number;
}

/** A case that is ready to run: pictures made, peers and servers started. */
export interface PreparedCase {
  readonly contenders: readonly Contender[];
  /** What a reader must know, such as a peer that is not installed here. */
  readonly notes: readonly string[];
  /** Versions of the peers, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Holds the contenders' outcomes against each other. Throws where one is wrong. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface BenchCase {
  /** A short word to choose the case by; cases of the table of targets have its number too. */
  readonly name: string;
  readonly number?: number;
  readonly title: string;
  /** What is fair about the comparison, and what is not. */
  readonly fairness: string;
  /** The first is the one that the table compares. */
  readonly metrics: readonly [Metric, ...Metric[]];
  readonly targets: readonly Target[];
  /** A case that takes so long that it runs only when it is named. */
  readonly long?: Long;
  /** Throws `Unavailable` where the machine lacks what the case is about. */
  prepare(): Promise<PreparedCase>;
}

export interface Long {
  /** What takes its time. */
  readonly why: string;
  /** More rounds are not worth it. There is none to warm up: the check runs every contender. */
  readonly rounds: number;
}

/** A contender gave a wrong result, so its time would mean nothing. */
export class WrongResult extends Error {
  override readonly name = "WrongResult";
}

/** This machine lacks what a case is about, such as a GPU; the message says what. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}
