/** What processes and their database use. */
import { readdirSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { familyMegabytes, processFigures } from "../../../bench/harness/process-figures.ts";
import type { SoakSeries } from "../../../bench/soak/soak.ts";
import { openSession } from "../../../db/connection/pool.ts";
import type { Nodes } from "../nodes.ts";

/** What is sampled, in the order of the values. Several processes are added up. */
const SERIES: readonly Pick<SoakSeries, "name" | "unit">[] = [
  { name: "Memory", unit: "MB" },
  { name: "Codec processes", unit: "MB" },
  { name: "Open files", unit: "" },
  { name: "Connections", unit: "" },
  { name: "Database", unit: "MB" },
  { name: "Kept for a day", unit: "MB" },
  { name: "Data folders", unit: "MB" },
  { name: "Requests a minute", unit: "" },
];

/** Jobs that are done and answers to an Idempotency-Key are deleted after a day. */
const SIZES = `
select pg_database_size(current_database())::float8 as whole, sum(pg_total_relation_size(oid))
  filter (where relnamespace = 'pgboss'::regnamespace or relname = 'idempotent_calls')::float8 as kept,
  (select count(*)::int from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()) as connections
from pg_class where relkind = 'r'`;

export interface Sampled {
  readonly nodes: Nodes;
  readonly databaseUrl: string;
  /** Requests that were answered so far. */
  answered(): number;
}

/** Takes samples; one that fails, because a part is just having a fault, is left out. */
export function createSampler({ nodes, databaseUrl, answered }: Sampled) {
  const began = performance.now();
  const rows: { readonly minute: number; readonly values: readonly number[] }[] = [];
  let last = { minute: 0, answered: answered() };

  const read = async () => {
    const session = await openSession(databaseUrl);
    try {
      const { whole, kept, connections } = (await session.query(SIZES)).rows[0];
      const pids = nodes.pids();
      const processes = total(pids.map((pid) => processFigures(pid).megabytes));
      const minute = (performance.now() - began) / 60_000;
      const rate = (answered() - last.answered) / (minute - last.minute);
      const values = [
        processes,
        total(pids.map(familyMegabytes)) - processes,
        total(pids.map((pid) => readdirSync(`/proc/${pid}/fd`).length)),
        connections,
        (whole - kept) / 1e6,
        kept / 1e6,
        total(await Promise.all(nodes.folders.map(megabytesIn))),
        rate,
      ];
      last = { minute, answered: answered() };
      return { minute: rounded(minute), values: values.map(rounded) };
    } finally {
      await session.end();
    }
  };
  return {
    async sample() {
      await read().then(
        (row) => rows.push(row),
        () => undefined,
      );
    },
    minutes: () => rows.map(({ minute }) => minute),
    series: (): SoakSeries[] =>
      SERIES.map((one, at) => ({ ...one, values: rows.map(({ values }) => values[at]) })),
  };
}

async function megabytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    if (!entry.isFile()) return 0;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    return (found?.size ?? 0) / 1e6;
  });
  return total(await Promise.all(sizes));
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const rounded = (value: number) => Math.round(100 * value) / 100;
