/** Whether this process can serve requests now: checks of what serving needs, made once a second at most. */
import { statfs } from "node:fs/promises";
import Type, { type Static } from "typebox";
import type { Database } from "../../db/index.ts";
import type { Engine } from "../../engine/index.ts";
import { isDiskFull } from "./failures.ts";
import { strict } from "./fields.ts";
import type { Log } from "./log.ts";

const status = Type.Enum(["ok", "failing"], {
  description: "`failing` makes the service not ready.",
});

/** What anybody is told of the checks. */
export const ReadinessChecks = Type.Object(
  {
    database: Type.Object({ status }, { ...strict, description: "Whether it answers." }),
    disk: Type.Object({ status }, { ...strict, description: "Whether there is room to write." }),
    pool: Type.Object(
      { status },
      { ...strict, description: "Whether rendering threads make progress." },
    ),
    event_loop: Type.Object({ status }, { ...strict, description: "Whether it stood still." }),
    jobs: Type.Object(
      {
        status: Type.Enum(["ok", "late"], {
          description: "`late` does not make the service not ready: all processes share the jobs.",
        }),
      },
      strict,
    ),
    stopping: Type.Object(
      { status },
      { ...strict, description: "Failing once a stop was asked for." },
    ),
  },
  strict,
);
export type ReadinessChecks = Static<typeof ReadinessChecks>;

/** The checks with their figures, which are for operators. */
interface MeasuredChecks extends ReadinessChecks {
  /** Where `DATA_DIR` is; and when a disk of the service or of its database was last found full. */
  readonly disk: ReadinessChecks["disk"] & {
    readonly free_bytes: number | null;
    readonly full_seconds_ago: number | null;
  };
  /** `stalled_ms`: for how long no job has begun or ended although some wait. */
  readonly pool: ReadinessChecks["pool"] & {
    readonly running: number;
    readonly waiting: number;
    readonly stalled_ms: number;
  };
  /** The longest stall of the last 10 s. */
  readonly event_loop: ReadinessChecks["event_loop"] & { readonly lag_ms: number };
  /** How long the oldest background job has waited; null where it is unknown. */
  readonly jobs: ReadinessChecks["jobs"] & { readonly oldest_seconds: number | null };
}

export interface Readiness {
  /** The checks, at most a second old. Never rejects. */
  check(): Promise<MeasuredChecks>;
  /** Takes note of a failure, of which only full disks are of interest. */
  note(error: unknown): void;
  /** From now on the process counts as stopping. */
  stop(): void;
  readonly isStopping: boolean;
}

export interface ReadinessParts {
  readonly db: Pick<Database, "ping" | "oldestJobSeconds">;
  readonly engine: Pick<Engine, "progress" | "probe">;
  readonly dataDir: string;
  /** With fewer bytes free the disk counts as full; 0: free bytes do not matter. */
  readonly minimumFreeBytes: number;
  /** The event loop's longest stall of late, in milliseconds. */
  readonly lagMs: () => number;
  /** Gets the figures whenever a check fails that did not, or no longer does. */
  readonly log: Pick<Log, "info" | "warn">;
}

const CACHED_MS = 1000;

/** Time limit of each question to the database and the file system. */
const CHECK_MS = 2000;

/** Time limit of an idle thread's answer. */
const PROBE_MS = 5000;

/** Jobs wait for no progress of others for longer than this. */
const STALLED_MS = 30_000;

const LAG_MS = 2000;

/** A disk counts as full for so long after it was found so. */
const FULL_MS = 30_000;

/** Jobs that wait for longer are late. */
const LATE_SECONDS = 300;

/** The names of the checks that fail. */
export function failingChecks(checks: ReadinessChecks): string[] {
  return Object.entries(checks).flatMap(([name, one]) => (one.status === "failing" ? [name] : []));
}

/** The checks without their figures. */
export function publicChecks(checks: ReadinessChecks): ReadinessChecks {
  const { database, disk, pool, event_loop, jobs, stopping } = checks;
  const only = <Status>({ status }: { readonly status: Status }) => ({ status });
  return {
    database: only(database),
    disk: only(disk),
    pool: only(pool),
    event_loop: only(event_loop),
    jobs: only(jobs),
    stopping: only(stopping),
  };
}

export function createReadiness(parts: ReadinessParts): Readiness {
  let isStopping = false;
  let fullAt = Number.NEGATIVE_INFINITY;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checked: Promise<MeasuredChecks> | undefined;
  let logged = "";

  const logChange = (checks: MeasuredChecks) => {
    const unwell = Object.entries(checks)
      .flatMap(([name, { status }]) => (status === OK ? [] : [`${name} ${status}`]))
      .join(", ");
    if (unwell === logged) return;
    logged = unwell;
    if (unwell === "") parts.log.info({ checks }, "readiness: all checks pass again");
    else parts.log.warn({ checks }, `readiness: ${unwell}`);
  };

  const checkAll = async (): Promise<MeasuredChecks> => {
    const [database, disk, pool, jobs] = await Promise.all([
      checkDatabase(parts),
      checkDisk(parts, performance.now() - fullAt),
      checkPool(parts),
      checkJobs(parts),
    ]);
    const lag = Math.round(parts.lagMs());
    const event_loop = { status: lag < LAG_MS ? OK : FAILING, lag_ms: lag };
    const checks = { database, disk, pool, event_loop, jobs, stopping: { status: OK } };
    logChange(checks);
    return checks;
  };

  return {
    async check() {
      if (checked === undefined || performance.now() - checkedAt > CACHED_MS) {
        checkedAt = performance.now();
        checked = checkAll();
      }
      return { ...(await checked), stopping: { status: isStopping ? FAILING : OK } };
    },
    note(error) {
      if (!isDiskFull(error)) return;
      fullAt = performance.now();
      // What was found before is no longer so.
      checked = undefined;
    },
    stop() {
      isStopping = true;
    },
    get isStopping() {
      return isStopping;
    },
  };
}

const OK = "ok" as const;
const FAILING = "failing" as const;

async function checkDatabase({ db }: ReadinessParts): Promise<ReadinessChecks["database"]> {
  const answered = db.ping().then(() => true);
  return { status: (await inTime(answered, CHECK_MS)) ? OK : FAILING };
}

async function checkDisk(
  { dataDir, minimumFreeBytes }: ReadinessParts,
  sinceFullMs: number,
): Promise<MeasuredChecks["disk"]> {
  const found = await inTime(statfs(dataDir), CHECK_MS);
  const free_bytes = found && found.bavail * found.bsize;
  const hasRoom = free_bytes === null || free_bytes >= minimumFreeBytes;
  return {
    status: hasRoom && sinceFullMs > FULL_MS ? OK : FAILING,
    free_bytes,
    full_seconds_ago: Number.isFinite(sinceFullMs) ? Math.round(sinceFullMs / 1000) : null,
  };
}

async function checkPool({ engine }: ReadinessParts): Promise<MeasuredChecks["pool"]> {
  const { running, waiting, stalledMs } = engine.progress();
  // Threads that have nothing to do show their progress by a job of ours.
  const moves =
    running + waiting === 0
      ? await inTime(
          engine.probe().then(() => true),
          PROBE_MS,
        )
      : stalledMs < STALLED_MS;
  return { status: moves ? OK : FAILING, running, waiting, stalled_ms: Math.round(stalledMs) };
}

async function checkJobs({ db }: ReadinessParts): Promise<MeasuredChecks["jobs"]> {
  const oldest_seconds = await inTime(db.oldestJobSeconds(), CHECK_MS);
  return { status: (oldest_seconds ?? 0) <= LATE_SECONDS ? OK : "late", oldest_seconds };
}

/** What `work` resolves with; null where it rejects, or takes longer. */
async function inTime<Result>(work: Promise<Result>, milliseconds: number): Promise<Result | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), milliseconds);
  try {
    return await Promise.race([work.catch(() => null), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
