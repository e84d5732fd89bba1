/** Nodes of the service on one database, all of which may have faults. */
import type { Test } from "tap";
import { type Database, openDatabase } from "../../db/index.ts";
import { DEFAULT_QUOTAS } from "../../db/quotas.ts";
import { startFaultyDatabase } from "./database.ts";
import { mountFaultyDisk } from "./disk.ts";
import type { Installation } from "./faults.ts";
import { type Environment, startNodes } from "./nodes.ts";
import { startFaultyObjectStore } from "./object-store.ts";
import { randomNumbers } from "./random-numbers.ts";

interface InstallationOptions {
  /** Number of processes. */
  readonly nodes: number;
  /** API keys that an account may have. */
  readonly keys: number;
  /** Environment variables of all processes. */
  readonly env?: Environment;
  /** Whether bytes are in an object store. */
  readonly hasObjectStore: boolean;
  /** Whether the last process has a small disk, if one can be mounted. */
  readonly hasSmallDisk: boolean;
  /** Whether the second process renders nothing, and the others render for it. */
  readonly hasRoles: boolean;
}

interface StartedInstallation extends Installation {
  readonly databaseUrl: string;
  readonly db: Database;
}

const IMPORTS = {
  clockAhead: new URL("./clock-ahead.ts", import.meta.url),
  exhaustibleMemory: new URL("./exhaustible-memory.ts", import.meta.url),
};

/** Starts it until the test ends; of several processes the first has a clock that is ten minutes ahead. */
export async function startInstallation(
  t: Test,
  { nodes: count, keys, env = {}, ...has }: InstallationOptions,
): Promise<StartedInstallation> {
  const database = await startFaultyDatabase(t);
  const objectStore = has.hasObjectStore ? await startFaultyObjectStore(t, randomNumbers(4)) : null;
  const disk = has.hasSmallDisk ? await mountFaultyDisk(t) : null;
  const agency = { ...DEFAULT_QUOTAS.agency, api_keys: keys };
  const db = await openDatabase({
    url: database.url,
    dataDir: "",
    quotas: { ...DEFAULT_QUOTAS, agency },
  });
  t.teardown(() => db.close());
  const shared: Environment = {
    DATABASE_URL: database.url,
    OUTBOUND_ALLOW: "127.0.0.1/32",
    QUOTAS: JSON.stringify({ agency }),
    ...(objectStore && { OBJECT_STORE_URL: objectStore.url, SHARED_RENDERS_DAYS: "1" }),
    ...env,
  };
  const onDisk = disk && {
    DATA_DIR: disk.folder,
    TMPDIR: disk.folder,
    CACHE_MAX_BYTES: String(2 ** 22),
    DISK_MIN_FREE_BYTES: String(2 ** 20),
  };
  const roleOf = (index: number): Environment =>
    index === 1 ? { ROLES: "api,jobs" } : { RENDER_PORT: "0" };
  const environmentOf = (index: number): Environment => {
    const isAhead = index === 0 && count > 1;
    const imports = [IMPORTS.exhaustibleMemory, ...(isAhead ? [IMPORTS.clockAhead] : [])];
    const options = imports.map((file) => `--import=${file}`);
    return {
      ...shared,
      NODE_OPTIONS: [...options, env.NODE_OPTIONS ?? ""].join(" "),
      ...(has.hasRoles && roleOf(index)),
      ...(index === count - 1 && onDisk),
    };
  };
  const environments = Array.from({ length: count }, (_, index) => environmentOf(index));
  const nodes = await startNodes(t, environments);
  return { nodes, database, objectStore, disk, db, databaseUrl: database.url };
}
