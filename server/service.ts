/** The running service: answers requests, does jobs, and renders for others, as its roles say. */
import { setTimeout as delay } from "node:timers/promises";
import packageFile from "../package.json" with { type: "json" };
import type { Log } from "./actions/log.ts";
import type { McpPort } from "./actions/mcp-port.ts";
import { isLoopback } from "./actions/origins.ts";
import type { Services } from "./actions/services.ts";
import { addresses, urlOf } from "./addresses.ts";
import type { Config } from "./config.ts";
import { welcome } from "./first-start.ts";
import { createApp, ROUTES } from "./http/app.ts";
import { STALL_TIMEOUT_MS } from "./http/file-response.ts";
import { listen } from "./http/listen.ts";
import { healthRoutes } from "./http/routes/health.ts";
import { logJobFailure, startJobWorkers } from "./jobs/index.ts";
import { createMcpOverHttp } from "./mcp/index.ts";
import { describeRoles } from "./roles.ts";
import { describeSignUps } from "./sign-ups.ts";
import type { LocalServices } from "./with-services.ts";

/**
 * Runs the service until `stopped` resolves with the name of a signal. Throws the errors of opening its ports and the
 * jobs, after closing what was opened.
 */
export async function runService(
  config: Config,
  local: LocalServices,
  log: Log,
  stopped: Promise<string>,
): Promise<void> {
  const { trustedProxies, roles } = config;
  let mcp: McpPort | undefined;
  const { port, closeAfterResponses, drain } = await listen(
    async (at) => {
      // Before the first answer: scripts wait for one, then read the key.
      if (roles.api) await welcome(local.db, config, log, at);
      const services = { ...local, ...addresses(config, at) };
      mcp = await createMcpOverHttp(services, log);
      const routes = roles.api ? ROUTES : healthRoutes;
      return createApp({ services, mcp, log, trustedProxies, routes });
    },
    config.host,
    config.port,
    config,
  );
  const services = { ...local, ...addresses(config, port) };
  const { db, engine } = local;
  const { backend, device, threads } = engine;
  const kernels = device ? `${backend} on ${device}` : backend;
  const renders = roles.render ? `${kernels}, ${threads} threads` : `${kernels} of other processes`;
  let metrics: Awaited<ReturnType<typeof startMetrics>> = null;
  let forOthers: Awaited<ReturnType<typeof renderForOthers>> = null;
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= closing());
  const closing = async () => {
    local.readiness.stop();
    const { shutdownGraceMs } = config;
    await forOthers?.leave();
    // Streams would keep their connections open forever.
    await Promise.all([
      mcp?.close(shutdownGraceMs),
      drain(shutdownGraceMs),
      forOthers?.drain(shutdownGraceMs),
    ]);
  };
  try {
    metrics = await startMetrics(config, services, log);
    forOthers = await renderForOthers(config, services, log);
    const leaveOthers = stopped.then(() => forOthers?.leave());
    await withJobWorkers(config, services, log, stopped, async () => {
      log.info(
        `orbifold ${packageFile.version} listens at ${services.publicUrl} (${describeRoles(roles)}${renders}; ${db.description})`,
      );
      if (roles.api) log.info(describeSignUps(config.signUps, config.mail !== null));
      const signal = await stopped;
      local.readiness.stop();
      closeAfterResponses();
      await leaveOthers;
      if (signal === "SIGTERM" && config.shutdownDelayMs > 0) {
        log.info(`SIGTERM: /readyz fails now; requests are still accepted for a while`);
        await delay(config.shutdownDelayMs);
      }
      log.info(`${signal}: finishing the requests and jobs in progress`);
      await close();
    });
  } finally {
    await close().finally(() => metrics?.close());
  }
}

/** Serves metrics where a port is configured. prom-client is not loaded otherwise. */
async function startMetrics({ host, metricsPort }: Config, services: Services, log: Log) {
  if (metricsPort === null) return null;
  const { createMetrics, serveMetrics } = await import("./metrics/index.ts");
  const served = await serveMetrics(createMetrics(services), { host, port: metricsPort, log });
  log.info(`metrics at ${urlOf(host, served.port)}/metrics`);
  return served;
}

/** Renders for other processes where a port for that is configured, until it leaves them and is drained. */
async function renderForOthers(config: Config, services: Services, log: Log) {
  const { db, engine, bodies, readiness } = services;
  const { host } = config;
  const { forOthers } = config.roles;
  if (forOthers === null) return null;
  const { createCallServer, joinRenderNodes, renderSecret, urlForOthers } = await import(
    "./render-nodes/index.ts"
  );
  let isStopping = false;
  const serve = createCallServer({
    engine,
    secret: await renderSecret(db),
    inFlight: bodies.inFlight,
    idleMs: bodies.idleMs,
    stallMs: STALL_TIMEOUT_MS,
    isStopping: () => isStopping,
    onFault(error) {
      readiness.reportError(error);
      log.error({ error }, "a call of another process failed");
    },
  });
  const { port, drain } = await listen(
    () => ({ callback: () => serve }),
    host,
    forOthers.port,
    config,
  );
  const url = forOthers.url ?? urlForOthers(host, port);
  const { version, threads } = engine;
  try {
    const { leave } = await joinRenderNodes(db, { url, engine: version, threads }, log);
    log.info(`renders for other processes at ${url}`);
    if (isLoopback(new URL(url).hostname)) {
      log.warn(`${url} reaches only processes of this machine: set HOST or RENDER_URL for others`);
    }
    return {
      leave() {
        isStopping = true;
        return leave();
      },
      drain,
    };
  } catch (error) {
    await drain(0);
    throw error;
  }
}

/** Runs jobs while `work` runs, if they are its role; running jobs are finished before it returns. */
async function withJobWorkers(
  { shutdownGraceMs, roles }: Config,
  services: Services,
  log: Log,
  stopped: Promise<string>,
  work: () => Promise<void>,
): Promise<void> {
  if (!roles.jobs) return work();
  const onError = logJobFailure(log, services.readiness);
  const jobs = await services.db.openJobs({ onError });
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= jobs.stop(shutdownGraceMs));
  // What fails there is thrown below.
  stopped.then(end).catch(() => undefined);
  try {
    // Those of render nodes are shared fairly where they are, and are no threads of this process.
    await startJobWorkers(jobs, services, log, { spareThreads: roles.render ? 1 : 0 });
    await work();
  } finally {
    await end();
  }
}
