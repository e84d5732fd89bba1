/** Readiness: checks whether this process can serve requests, at most once a second. */
import { statfs } from "node:fs/promises";
import Type, { type Static } from "typebox";
import type { Database, ObjectStore } from "../../db/index.ts";
import type { Engine } from "../../engine/index.ts";
import { isDiskFull } from "./failures.ts";
import { strict } from "./fields.ts";
import type { Log } from "./log.ts";
import { resultWithinTimeLimit } from "./time-limit.ts";

const status = Type.Enum(["ok", "failing"], {
  description: "`failing` makes the service not ready.",
});

/** The public result of the checks. */
export const ReadinessChecks = Type.Object(
  {
    database: Type.Object({ status }, { ...strict, description: "Whether the database responds." }),
    disk: Type.Object({ status }, { ...strict, description: "Whether there is space to write." }),
    pool: Type.Object(
      { status },
      { ...strict, description: "Whether rendering threads make progress." },
    ),
    event_loop: Type.Object(
      { status },
      { ...strict, description: "Whether the event loop was blocked." },
    ),
    jobs: Type.Object(
      {
        status: Type.Enum(["ok", "late"], {
          description: "`late` does not affect readiness: all processes share the jobs.",
        }),
      },
      strict,
    ),
    object_store: Type.Optional(
      Type.Object(
        {
          status: Type.Enum(["ok", "away"], {
            description: "`away` does not affect readiness: all processes share the store.",
          }),
        },
        { ...strict, description: "Whether the object store responds, if there is one." },
      ),
    ),
    render_nodes: Type.Optional(
      Type.Object(
        {
          status: Type.Enum(["ok", "away"], {
            description: "`away` does not affect readiness: all processes share the nodes.",
          }),
        },
        {
          ...strict,
          description:
            "Whether there is a process that renders for this one, unless it does so itself.",
        },
      ),
    ),
    stopping: Type.Object(
      { status },
      { ...strict, description: "Failing after a stop was requested." },
    ),
  },
  strict,
);
export type ReadinessChecks = Static<typeof ReadinessChecks>;

/** The checks with measurements, for operators. */
interface MeasuredChecks extends ReadinessChecks {
  /** Free bytes in `DATA_DIR`, and when a disk of the service or of its database was last full. */
  readonly disk: ReadinessChecks["disk"] & {
    readonly free_bytes: number | null;
    readonly full_seconds_ago: number | null;
  };
  /** `stalled_ms`: time since a job started or ended although some wait. */
  readonly pool: ReadinessChecks["pool"] & {
    readonly running: number;
    readonly waiting: number;
    readonly stalled_ms: number;
  };
  /** The longest stall of the last 10 s. */
  readonly event_loop: ReadinessChecks["event_loop"] & { readonly lag_ms: number };
  /** Waiting time of the oldest background job; null if unknown. */
  readonly jobs: ReadinessChecks["jobs"] & { readonly oldest_seconds: number | null };
}

export interface Readiness {
  /** Resolves with the checks, at most a second old. Never rejects. */
  check(): Promise<MeasuredChecks>;
  /** Reports an error; only full disks matter. */
  reportError(error: unknown): void;
  /** Marks the process as stopping. */
  stop(): void;
  readonly isStopping: boolean;
}

/**
 * States of a render node. `stopping`: until it is off the list. `silent`: it does not answer when it is asked whether it
 * takes calls. `failing`: it does, but the last call failed there.
 */
export const NODE_STATES = ["ok", "failing", "silent", "stopping"] as const;
export type NodeState = (typeof NODE_STATES)[number];

/** The processes that render for this one. */
export interface KnownRenderNodes {
  readonly nodes: readonly { readonly state: NodeState }[];
}

export interface ReadinessParts {
  readonly db: Pick<Database, "ping" | "oldestJobSeconds">;
  readonly engine: Pick<Engine, "progress" | "probe">;
  /** Null: bytes are in the database. */
  readonly objectStore: Pick<ObjectStore, "ping"> | null;
  /** Null: it renders itself. */
  readonly renderNodes: KnownRenderNodes | null;
  readonly dataDir: string;
  /** Minimum of free bytes; 0: no minimum. */
  readonly minimumFreeBytes: number;
  /** Longest recent stall of the event loop, in milliseconds. */
  readonly lagMs: () => number;
  /** Logs the measurements whenever a check starts or stops failing. */
  readonly log: Pick<Log, "info" | "warn">;
}

const CACHED_MS = 1000;

/** Time limit of each query and file system call. */
const CHECK_MS = 2000;

/** Time limit of an idle thread's response. */
const PROBE_MS = 5000;

/** Time without progress after which the pool counts as stalled. */
const STALLED_MS = 30_000;

const LAG_MS = 2000;

/** Time for which a disk counts as full after an error. */
const FULL_MS = 30_000;

/** Waiting time after which jobs are late. */
const LATE_SECONDS = 300;

/** The names of the checks that fail. */
export function failingChecks(checks: ReadinessChecks): string[] {
  return Object.entries(checks).flatMap(([name, one]) => (one.status === "failing" ? [name] : []));
}

/** The checks without their figures. */
export function publicChecks(checks: ReadinessChecks): ReadinessChecks {
  const { database, disk, pool, event_loop, jobs, object_store, render_nodes, stopping } = checks;
  const only = <Status>({ status }: { readonly status: Status }) => ({ status });
  return {
    database: only(database),
    disk: only(disk),
    pool: only(pool),
    event_loop: only(event_loop),
    jobs: only(jobs),
    ...(object_store && { object_store: only(object_store) }),
    ...(render_nodes && { render_nodes: only(render_nodes) }),
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
    const [database, disk, pool, jobs, store] = await Promise.all([
      checkDatabase(parts),
      checkDisk(parts, performance.now() - fullAt),
      checkPool(parts),
      checkJobs(parts),
      checkObjectStore(parts),
    ]);
    const lag = Math.round(parts.lagMs());
    const event_loop = { status: lag < LAG_MS ? OK : FAILING, lag_ms: lag };
    const shared = { jobs, ...store, ...checkRenderNodes(parts) };
    const checks = { database, disk, pool, event_loop, ...shared, stopping: { status: OK } };
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
    reportError(error) {
      if (!isDiskFull(error)) return;
      fullAt = performance.now();
      // The cached result is outdated.
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
  return { status: (await resultWithinTimeLimit(answered, CHECK_MS)) ? OK : FAILING };
}

async function checkDisk(
  { dataDir, minimumFreeBytes }: ReadinessParts,
  sinceFullMs: number,
): Promise<MeasuredChecks["disk"]> {
  const found = await resultWithinTimeLimit(statfs(dataDir), CHECK_MS);
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
  // Idle threads show progress by a probe.
  const moves =
    running + waiting === 0
      ? await resultWithinTimeLimit(
          engine.probe().then(() => true),
          PROBE_MS,
        )
      : stalledMs < STALLED_MS;
  return { status: moves ? OK : FAILING, running, waiting, stalled_ms: Math.round(stalledMs) };
}

async function checkJobs({ db }: ReadinessParts): Promise<MeasuredChecks["jobs"]> {
  const oldest_seconds = await resultWithinTimeLimit(db.oldestJobSeconds(), CHECK_MS);
  return { status: (oldest_seconds ?? 0) <= LATE_SECONDS ? OK : "late", oldest_seconds };
}

async function checkObjectStore({
  objectStore,
}: ReadinessParts): Promise<Pick<ReadinessChecks, "object_store">> {
  if (objectStore === null) return {};
  const answered = objectStore.ping().then(() => true);
  const isThere = await resultWithinTimeLimit(answered, CHECK_MS);
  return { object_store: { status: isThere ? OK : "away" } };
}

function checkRenderNodes({ renderNodes }: ReadinessParts): Pick<ReadinessChecks, "render_nodes"> {
  if (renderNodes === null) return {};
  const hasOne = renderNodes.nodes.some(({ state }) => state === "ok" || state === "failing");
  return { render_nodes: { status: hasOne ? OK : "away" } };
}
