/** Opens the services of the actions, and closes them. */
import { join } from "node:path";
import { type DatabaseOptions, openDatabase } from "../db/index.ts";
import { createEngine, versionOf } from "../engine/index.ts";
import { InFlight } from "./actions/in-flight.ts";
import type { Log } from "./actions/log.ts";
import { measure } from "./actions/measurements.ts";
import { createPatternCache } from "./actions/pattern-cache.ts";
import { createReadiness, type Readiness } from "./actions/readiness.ts";
import type { Services, Timings } from "./actions/services.ts";
import { createSourceCache } from "./actions/source-cache.ts";
import {
  createGuestSessions,
  createRenderLinks,
  createTokens,
  USER_SESSION_TOKENS,
} from "./actions/tokens.ts";
import type { Config } from "./config.ts";
import { openCacheFolder } from "./data-folder.ts";
import { watchEventLoopLag } from "./event-loop-lag.ts";
import { createIntake } from "./intake/index.ts";
import { openAnsweringStore } from "./open-object-store.ts";
import { createFetcher, createMailer, createWebhookClient } from "./outbound/index.ts";
import { openRenderCache } from "./render-cache/index.ts";
import type { NodeList } from "./render-nodes/index.ts";

/** Bytes of sources cached in memory. */
const SOURCE_BYTES = 64 * 1024 * 1024;

/** Patterns cached in memory. */
const MAX_PATTERNS = 1000;

/** Bytes of renders cached in memory. */
const CACHE_MEMORY_BYTES = 16 * 1024 * 1024;

/** Services without the URLs, which are known only with the port. */
export type LocalServices = Omit<Services, "publicUrl" | "editorUrl">;

/**
 * Runs `work` with the configured services and returns its result. Throws the errors of opening the
 * database or the engine, and of `work`, after closing everything.
 * @param load imports the modules of `work`; called while the database and the first thread start
 */
export async function withServices<Result>(
  config: Config,
  log: Log,
  database: Pick<DatabaseOptions, "mayCreate">,
  work: (services: LocalServices) => Promise<Result>,
  load?: () => Promise<unknown>,
): Promise<Result> {
  const { databaseUrl: url, dataDir, quotas, retention, outbound } = config;
  const { backend } = config.engine;
  // The one that render nodes choose where they have no GPU.
  const remoteBackend = backend === "auto" ? "webasm" : backend;
  let renderNodes: NodeList | null = null;
  let readiness: Readiness | undefined;
  await using resources = new AsyncDisposableStack();
  /** Closes a resource at the end, in reverse order, also one that is still being opened when another fails. */
  const closing = <Resource>(
    opening: Promise<Resource>,
    close: (resource: Resource) => Promise<void>,
  ): Promise<Resource> => {
    resources.defer(() => opening.then(close, () => undefined));
    // Errors are reported in the order in which these are awaited below.
    opening.catch(() => undefined);
    return opening;
  };
  if (config.tracesSampled !== null) {
    const { startTracing } = await import("./tracing.ts");
    resources.adopt(startTracing(config.tracesSampled, config.roles.render), (tracing) =>
      tracing.close(),
    );
  }
  const folder = resources.use(await openCacheFolder(dataDir));
  const note = (line: string) => log.info(line);
  const objectStore =
    config.objectStore && resources.use(await openAnsweringStore(config.objectStore));
  const objects = objectStore && {
    store: objectStore,
    isReadOnly: config.objectStore?.isReadOnly ?? false,
    folder: join(folder.path, "objects"),
  };
  const openingDatabase = closing(
    openDatabase({
      ...(url && { url }),
      dataDir,
      quotas,
      retention,
      objects,
      log: note,
      ...database,
    }),
    (opened) => opened.close(),
  );
  const isSharing = config.sharedRendersDays > 0 && !config.objectStore?.isReadOnly;
  const logCacheError = (error: unknown) => {
    log.error({ error }, "the render cache failed");
    readiness?.reportError(error);
  };
  const openRenders = () =>
    openRenderCache<Timings>({
      folder: join(folder.path, "renders"),
      maximumBytes: config.cacheBytes,
      memoryBytes: Math.min(config.cacheBytes, CACHE_MEMORY_BYTES),
      onError: logCacheError,
      shared:
        objectStore && isSharing
          ? {
              store: objectStore,
              days: config.sharedRendersDays,
              dailyBytes: config.cacheBytes,
              onResult: (result) => measure("sharedPicture", { result }),
              onError: (error) => log.warn({ error }, "sharing renders with other nodes failed"),
            }
          : null,
    });
  // Nothing is written to a folder that has no database.
  const openingRenders = closing(openingDatabase.then(openRenders), (opened) => opened.close());
  // Its first thread loads while the database starts. It is closed first, which ends what the cache still waits
  // for: the grace period is over.
  const startLocal = () =>
    createEngine({ ...config.engine, mockupMaps: join(folder.path, "mockup-maps") });
  const startRemote = async () => {
    const [db, { createRemoteEngine, renderSecret, watchRenderNodes }] = await Promise.all([
      openingDatabase,
      import("./render-nodes/index.ts"),
    ]);
    const secret = await renderSecret(db);
    renderNodes = await watchRenderNodes(db, versionOf(remoteBackend), log);
    return createRemoteEngine(renderNodes, secret, remoteBackend);
  };
  const startingEngine = closing(config.roles.render ? startLocal() : startRemote(), (opened) =>
    opened.close(0),
  );
  // `work` imports the modules again and throws what fails.
  load?.().catch(() => undefined);
  const db = await openingDatabase;
  const renders = await openingRenders;
  const engine = await startingEngine;
  const intake = resources.adopt(createIntake(), (threads) => threads.close());
  // Loading modules blocks the event loop, which is no stall of a running service.
  const lag = resources.adopt(watchEventLoopLag(), ({ close }) => close());
  readiness = createReadiness({
    db,
    engine,
    objectStore,
    renderNodes,
    dataDir,
    minimumFreeBytes: config.diskMinimumFreeBytes,
    lagMs: lag.recentMs,
    log,
  });
  return await work({
    db,
    engine,
    renderNodes,
    rendersInFlight: new InFlight("renders"),
    bodies: {
      intake,
      inFlight: new InFlight("bytes of request bodies", config.bodyBytes),
      idleMs: config.bodyIdleTimeoutMs,
    },
    patterns: createPatternCache(MAX_PATTERNS),
    sources: createSourceCache(db.sources, SOURCE_BYTES),
    fetcher: createFetcher({ allow: outbound.allow, allowedHosts: outbound.sourceHosts }),
    webhookClient: createWebhookClient({ allow: outbound.allow, allowHttp: outbound.allowHttp }),
    renders,
    tokens: await createTokens(config.tokens, () => db.secrets.get(USER_SESSION_TOKENS)),
    renderLinks: createRenderLinks(await db.secrets.get("render links")),
    guests: createGuestSessions(await db.secrets.get("guest sessions")),
    readiness,
    renderTimeoutMs: config.renderTimeoutMs,
    signUps: config.signUps,
    mailer: config.mail && createMailer(config.mail),
  });
}
