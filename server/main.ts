/** Starts the service: opens what it needs, and meanwhile loads what runs it. */
import type { Config } from "./config.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { createLog } from "./log.ts";
import { type LocalServices, withServices } from "./with-services.ts";

/**
 * Runs the service until SIGINT or SIGTERM; a second signal ends the process immediately. After
 * SIGTERM, which supervisors send, requests are accepted for a while, until proxies have noticed.
 * Throws the errors of opening the database, the engine or the port, after closing everything.
 */
export async function serve(config: Config): Promise<void> {
  const stopped = stopSignal();
  const log = createLog(config.logLevel);
  await prepareDataFolder(config.dataDir);
  const load = () => import("./service.ts");
  const work = async (services: LocalServices) =>
    (await load()).runService(config, services, log, stopped);
  await withServices(config, log, { mayCreate: true }, work, load);
  log.info("stopped");
}

/**
 * npm forwards the SIGINT of a Ctrl-C, which the terminal has sent to every process itself: a
 * signal this soon after the first one is a duplicate.
 */
const SAME_SIGNAL_MS = 250;

/** Resolves with the first signal to stop. The second one ends the process immediately. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        if (askedAt === undefined) {
          askedAt = performance.now();
          resolve(signal);
        } else if (performance.now() - askedAt > SAME_SIGNAL_MS) {
          process.exit(1);
        }
      });
    }
  });
}
