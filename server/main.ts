/** Puts the service together, runs it until a signal comes, and takes it apart in order. */
import packageFile from "../package.json" with { type: "json" };
import { addresses, type Config } from "./config.ts";
import { welcome } from "./first-start.ts";
import { createApp } from "./http/app.ts";
import { listen } from "./http/listen.ts";
import { log, say } from "./log.ts";
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
  const { port, drain } = await listen(
    (at) => {
      const services = { ...local, publicUrl: addresses(config, at).publicUrl };
      return createApp({ services, log, trustedProxies, stopping: stopping.signal });
    },
    config.host,
    config.port,
  );
  const { publicUrl } = addresses(config, port);
  const { db, engine } = local;
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
