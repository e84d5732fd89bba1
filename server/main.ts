/** Puts the service together, runs it until a signal comes, and takes it apart in order. */
import { type Database, openDatabase } from "../db/index.ts";
import { createEngine, type Engine } from "../engine/index.ts";
import packageFile from "../package.json" with { type: "json" };
import { createSourceShelf } from "./actions/source-shelf.ts";
import { createTokens } from "./actions/tokens.ts";
import { addresses, type Config } from "./config.ts";
import { welcome } from "./first-start.ts";
import { createApp } from "./http/app.ts";
import { listen } from "./http/listen.ts";
import type { Log } from "./http/middleware/request-log.ts";

/** Bytes of sources that are kept in memory. */
const SHELF_BYTES = 64 * 1024 * 1024;

const say = (line: string) => process.stderr.write(`${line}\n`);

const log: Log = (entry) => say(JSON.stringify({ time: new Date().toISOString(), ...entry }));

/**
 * Runs the service until SIGINT or SIGTERM; a second signal ends the process at once. Throws what
 * opening the database, the engine or the port throws, with everything closed again.
 */
export async function serve(config: Config): Promise<void> {
  const stopped = stopSignal();
  const { databaseUrl: url, dataDir } = config;
  const db = await openDatabase({ ...(url && { url }), dataDir, log: say });
  try {
    const engine = await createEngine(config.engine);
    try {
      await run(config, db, engine, stopped);
    } finally {
      await engine.close(config.shutdownGraceMs);
    }
  } finally {
    await db.close();
  }
}

async function run(
  config: Config,
  db: Database,
  engine: Engine,
  stopped: Promise<string>,
): Promise<void> {
  const tokens = await createTokens(config);
  const services = { db, engine, sources: createSourceShelf(db.sources, SHELF_BYTES) };
  const stopping = new AbortController();
  const app = createApp({ services, db, tokens, log, stopping: stopping.signal });
  const { port, drain } = await listen(app, config.host, config.port);
  const { publicUrl } = addresses(config, port);
  const { backend, device, threads } = engine;
  const kernels = device ? `${backend} on ${device}` : backend;
  say(
    `orbifold ${packageFile.version} listens at ${publicUrl} (${kernels}, ${threads} threads; ${db.description})`,
  );
  await welcome(db, config, say, port);
  say(`${await stopped}: answering what is under way, then stopping`);
  stopping.abort();
  await drain(config.shutdownGraceMs);
}

/** Settles with the first signal to stop. The second one ends the process as it stands. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve(signal);
      });
    }
  });
}
