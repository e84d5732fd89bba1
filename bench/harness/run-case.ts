/** Runs one case: check, warm-up, then rounds in alternating order. */
import type { BenchCase, Contender, Metric, Reading, Target } from "./case.ts";
import type { Report } from "./progress.ts";
import { quantile, type Spread, spreadOf } from "./statistics.ts";

export interface ContenderResult {
  readonly name: string;
  readonly ours: boolean;
  /** By metric. */
  readonly metrics: Readonly<Record<string, Spread>>;
  /** How many times better we are, by metric; null for ourselves. */
  readonly ratios: Readonly<Record<string, number>> | null;
  readonly readings: readonly Reading[];
}

export interface TargetResult extends Target {
  readonly reached: number;
  readonly met: boolean;
}

export interface CaseResult {
  readonly name: string;
  readonly number?: number;
  readonly title: string;
  readonly fairness: string;
  readonly metrics: readonly Metric[];
  readonly rounds: number;
  /** Why it runs only when it is named. */
  readonly long?: string;
  readonly notes: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  readonly contenders: readonly ContenderResult[];
  /** Only those with an installed peer. */
  readonly targets: readonly TargetResult[];
}

/**
 * Runs a case. Throws `WrongResult` before anything is timed if a result is wrong, and
 * `Unavailable` if the machine lacks what the case needs.
 * @param most rounds, unless the case has fewer
 */
export async function runCase(
  benchCase: BenchCase,
  most: number,
  report: Report,
): Promise<CaseResult> {
  const { long } = benchCase;
  const rounds = Math.min(most, long?.rounds ?? most);
  report("getting ready");
  const prepared = await benchCase.prepare();
  try {
    report("checking the outcomes");
    await prepared.check();
    const readings = await play(prepared.contenders, long === undefined ? 0 : 1, rounds, report);
    const contenders = prepared.contenders.map((contender) =>
      summarise(benchCase.metrics, contender, readings, ours(prepared.contenders)),
    );
    const { name, number, title, fairness, metrics } = benchCase;
    return {
      name,
      ...(number === undefined ? {} : { number }),
      title,
      fairness,
      metrics,
      rounds,
      ...(long === undefined ? {} : { long: long.why }),
      notes: prepared.notes,
      versions: prepared.versions,
      contenders,
      targets: benchCase.targets.flatMap((target) => judge(target, metrics, contenders)),
    };
  } finally {
    await prepared.close();
  }
}

type Readings = ReadonlyMap<Contender, readonly Reading[]>;

/** Runs rounds, every second one in the opposite order; round 0 warms up. */
async function play(
  contenders: readonly Contender[],
  first: number,
  rounds: number,
  report: Report,
): Promise<Readings> {
  const readings = new Map<Contender, Reading[]>(contenders.map((contender) => [contender, []]));
  for (let round = first; round <= rounds; round++) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      report(round === 0 ? "warming up" : `round ${round} of ${rounds}`, contender.name);
      const reading = await contender.run();
      if (round > 0) readings.get(contender)?.push(reading);
    }
  }
  return readings;
}

function ours(contenders: readonly Contender[]): Contender {
  return contenders.find((contender) => contender.ours) ?? contenders[0];
}

function summarise(
  metrics: BenchCase["metrics"],
  contender: Contender,
  all: Readings,
  reference: Contender,
): ContenderResult {
  const readings = all.get(contender) ?? [];
  const ratioBy = ({ name, better }: Metric) => {
    // Paired: a disturbance affects both sides of a round's ratio.
    const ratios = (all.get(reference) ?? []).map((our, round) => {
      const ratio = readings[round][name] / our[name];
      return better === "lower" ? ratio : 1 / ratio;
    });
    return [name, quantile(ratios, 0.5)];
  };
  return {
    name: contender.name,
    ours: contender.ours,
    metrics: Object.fromEntries(
      metrics.map(({ name }) => [name, spreadOf(readings.map((reading) => reading[name]))]),
    ),
    ratios: contender.ours ? null : Object.fromEntries(metrics.map(ratioBy)),
    readings,
  };
}

function judge(
  target: Target,
  metrics: readonly Metric[],
  contenders: readonly ContenderResult[],
): TargetResult[] {
  if (target.peer !== undefined) {
    const ratios = contenders.find(({ name }) => name === target.peer)?.ratios;
    const reached = ratios?.[target.metric];
    return reached === undefined ? [] : [{ ...target, reached, met: reached >= target.must }];
  }
  const medians = contenders.filter((c) => c.ours).map((c) => c.metrics[target.metric].median);
  const lower = metrics.find(({ name }) => name === target.metric)?.better === "lower";
  const reached = lower ? Math.max(...medians) : Math.min(...medians);
  return [{ ...target, reached, met: lower ? reached <= target.must : reached >= target.must }];
}
