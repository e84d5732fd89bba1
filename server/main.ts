/** Puts the service together, runs it until a signal comes, and takes it apart in order. */
import packageFile from "../package.json" with { type: "json" };
import type { Services } from "./actions/services.ts";
import { addresses, type Config } from "./config.ts";
import { welcome } from "./first-start.ts";
import { createApp } from "./http/app.ts";
import { listen } from "./http/listen.ts";
import { takeJobs } from "./jobs/index.ts";
import { log, say } from "./log.ts";
import { createMcpOverHttp, type McpOverHttp } from "./mcp/index.ts";
import { type LocalServices, withServices } from "./with-services.ts";

/**
 * Runs the service until SIGINT or SIGTERM; a second signal ends the process at once. Throws what
 * opening the database, the engine or the port throws, with everything closed again.
 */
export async function serve(config: Config): Promise<void> {
  const stopped = stopSignal();
  await withServices(config, say, (services) => run(config, services, stopped));
}

async function run(config: Config, local: LocalServices, stopped: Promise<string>): Promise<void> {
  const { trustedProxies } = config;
  const stopping = new AbortController();
  let mcp: McpOverHttp | undefined;
  const { port, drain } = await listen(
    async (at) => {
      const services = { ...local, ...addresses(config, at) };
      mcp = await createMcpOverHttp(services, log);
      return createApp({ services, mcp, log, trustedProxies, stopping: stopping.signal });
    },
    config.host,
    config.port,
  );
  const services = { ...local, ...addresses(config, port) };
  const { db, engine } = local;
  const { backend, device, threads } = engine;
  const kernels = device ? `${backend} on ${device}` : backend;
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= closing());
  const closing = async () => {
    stopping.abort();
    // Streams would keep their connections open for ever.
    await mcp?.close();
    await drain(config.shutdownGraceMs);
  };
  try {
    await whileTakingJobs(config, services, stopped, async () => {
      say(
        `orbifold ${packageFile.version} listens at ${services.publicUrl} (${kernels}, ${threads} threads; ${db.description})`,
      );
      await welcome(db, config, say, port);
      say(`${await stopped}: answering what is under way, then stopping`);
      await close();
    });
  } finally {
    await close();
  }
}

/** Takes jobs while `work` runs; once a stop is asked for, those that have begun are finished. */
async function whileTakingJobs(
  { shutdownGraceMs }: Config,
  services: Services,
  stopped: Promise<string>,
  work: () => Promise<void>,
): Promise<void> {
  const jobs = await services.db.openJobs({ failed: (error) => log({ error }) });
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= jobs.stop(shutdownGraceMs));
  // What fails there is thrown below.
  stopped.then(end).catch(() => undefined);
  try {
    await takeJobs(jobs, services);
    await work();
  } finally {
    await end();
  }
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
