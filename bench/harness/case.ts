/** Benchmark cases: contenders at one task, checked before they are timed. */

/** Results of one run of a contender, by metric. */
export type Reading = Readonly<Record<string, number>>;

export interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly better: "lower" | "higher";
}

export interface Contender {
  readonly name: string;
  /** False for a peer. */
  readonly ours: boolean;
  /** Performs the task once. */
  run(): Promise<Reading>;
}

/**
 * A required figure. With `peer`, a ratio to that peer; without, a bound of the metric itself, for
 * the worst of our contenders.
 */
export interface Target {
  readonly metric: string;
  readonly peer?: string;
  readonly must: number;
  readonly aim?: number;
}

/** A case that is ready to run, with pictures, peers and servers. */
export interface PreparedCase {
  readonly contenders: readonly Contender[];
  /** For readers of the table, such as a peer that is not installed. */
  readonly notes: readonly string[];
  /** Versions of the peers, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Compares the contenders' results with each other. Throws if one is wrong. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * What a case measures: what a user waits for, a service under load, or a kernel figure, one step
 * under ideal conditions, which users do not meet alone.
 */
export type Scope = "user" | "service" | "kernel figure";

export interface BenchCase {
  /** A short name to select the case by; cases in the table of targets have its number too. */
  readonly name: string;
  readonly number?: number;
  readonly title: string;
  readonly scope: Scope;
  /** What is and is not fair about the comparison. */
  readonly fairness: string;
  /** The table compares contenders by the first. */
  readonly metrics: readonly [Metric, ...Metric[]];
  readonly targets: readonly Target[];
  /** Set for a case that is so long that it runs only when it is named. */
  readonly long?: Long;
  /** Throws `Unavailable` if the machine lacks what the case needs. */
  prepare(): Promise<PreparedCase>;
}

export interface Long {
  /** What takes the time. */
  readonly why: string;
  /** The maximum of rounds, without warm-up: the check runs every contender. */
  readonly rounds: number;
}

/** A contender returned a wrong result, so its time is meaningless. */
export class WrongResult extends Error {
  override readonly name = "WrongResult";
}

/** This machine lacks what a case needs, such as a GPU; the message says what. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}
