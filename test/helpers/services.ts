/** The services of actions: a new database, an engine with one thread. */
import type { Test } from "tap";
import type { DatabaseOptions, Quotas } from "../../db/index.ts";
import type { Engine } from "../../engine/index.ts";
import { InFlight } from "../../server/actions/in-flight.ts";
import { createPatternCache } from "../../server/actions/pattern-cache.ts";
import { createReadiness } from "../../server/actions/readiness.ts";
import type { Services, Timings } from "../../server/actions/services.ts";
import { createSourceCache } from "../../server/actions/source-cache.ts";
import {
  createGuestSessions,
  createRenderLinks,
  createTokens,
  USER_SESSION_TOKENS,
} from "../../server/actions/tokens.ts";
import { createIntake } from "../../server/intake/index.ts";
import {
  createFetcher,
  createWebhookClient,
  type FetcherOptions,
  type WebhookClientOptions,
} from "../../server/outbound/index.ts";
import { openRenderCache } from "../../server/render-cache/index.ts";
import { temporaryFolder, testDatabase } from "./database.ts";
import { testLog } from "./log.ts";

/** Services on a new, empty database; only the URLs that links start with are missing. */
export async function testServices(
  t: Test,
  engine: Engine,
  outbound: Partial<FetcherOptions & WebhookClientOptions> = {},
  others: Partial<
    Pick<
      Services,
      "bodies" | "mailer" | "renders" | "rendersInFlight" | "renderTimeoutMs" | "signUps"
    >
  > = {},
  quotas?: Quotas,
  objects?: DatabaseOptions["objects"],
): Promise<Omit<Services, "publicUrl" | "editorUrl">> {
  const db = await testDatabase(t, quotas, objects);
  const trust = { kind: "secret", secret: "a secret of thirty-two characters" } as const;
  const renders = await openRenderCache<Timings>({
    folder: await temporaryFolder(t),
    maximumBytes: 2 ** 28,
    memoryBytes: 2 ** 24,
    onError: (error) => t.error(error),
  });
  t.teardown(() => renders.close());
  const intake = createIntake();
  t.teardown(() => intake.close());
  const dataDir = await temporaryFolder(t);
  return {
    db,
    engine,
    renderNodes: null,
    rendersInFlight: new InFlight("renders"),
    bodies: { intake, inFlight: new InFlight("bytes of request bodies"), idleMs: 60_000 },
    patterns: createPatternCache(2),
    sources: createSourceCache(db.sources, 2 ** 20),
    fetcher: createFetcher({ allow: [], allowedHosts: [], ...outbound }),
    webhookClient: createWebhookClient({ allow: [], ...outbound }),
    renders,
    tokens: await createTokens(trust, () => db.secrets.get(USER_SESSION_TOKENS)),
    renderLinks: createRenderLinks(await db.secrets.get("render links")),
    guests: createGuestSessions(await db.secrets.get("guest sessions")),
    readiness: createReadiness({
      db,
      engine,
      objectStore: objects?.store ?? null,
      renderNodes: null,
      dataDir,
      minimumFreeBytes: 0,
      lagMs: () => 0,
      log: testLog().log,
    }),
    renderTimeoutMs: 60_000,
    signUps: "anyone",
    mailer: null,
    ...others,
  };
}
