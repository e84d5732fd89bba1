/** Dependencies of the actions, created once by the composition root. */
import type { Database } from "../../db/index.ts";
import type { Engine, Timings } from "../../engine/index.ts";
import type { Intake } from "../intake/index.ts";
import type { Fetcher, Mailer, WebhookClient } from "../outbound/index.ts";
import type { RenderCache } from "../render-cache/index.ts";
import type { InFlight } from "./in-flight.ts";
import type { PatternCache } from "./pattern-cache.ts";
import type { KnownRenderNodes, Readiness } from "./readiness.ts";
import type { SourceCache } from "./source-cache.ts";
import type { GuestSessions, RenderLinks, Tokens } from "./tokens.ts";

export type {
  Account,
  Database,
  FailedJob,
  Job,
  Jobs,
  McpListener,
  McpNode,
  Pattern,
  QueueName,
} from "../../db/index.ts";
export { JOB_STATES } from "../../db/index.ts";
export type { Timings } from "../../engine/index.ts";

export type SignUps = "anyone" | "loopback" | "nobody";

export interface Services {
  readonly db: Database;
  readonly engine: Engine;
  /** Null: this process renders itself. */
  readonly renderNodes: KnownRenderNodes | null;
  /** Receives request bodies. */
  readonly bodies: {
    readonly intake: Intake;
    /** Bytes in flight, by account or, for unauthenticated callers, by address. */
    readonly inFlight: InFlight;
    /** Maximum time between two chunks of a body, in milliseconds. */
    readonly idleMs: number;
  };
  /** Renders in flight by account, see `withAccountEngine`. */
  readonly rendersInFlight: InFlight;
  /** Fetches external URLs. */
  readonly fetcher: Fetcher;
  /** Posts to webhooks. */
  readonly webhookClient: WebhookClient;
  /** Cache of patterns by version. */
  readonly patterns: PatternCache;
  /** Cache of the uploaded bytes of sources. */
  readonly sources: SourceCache;
  /** Cache of renders. */
  readonly renders: RenderCache<Timings>;
  readonly tokens: Tokens;
  readonly renderLinks: RenderLinks;
  readonly guests: GuestSessions;
  /** Whether this process can serve. */
  readonly readiness: Readiness;
  /** Base URL of links in responses, without a slash at the end. */
  readonly publicUrl: string;
  /** URL of the web editor. */
  readonly editorUrl: string;
  /** Time limit of a render in milliseconds. */
  readonly renderTimeoutMs: number;
  /**
   * Who may sign up: anyone, callers on this machine, or nobody (only the operator creates
   * accounts).
   */
  readonly signUps: SignUps;
  /** Null without a mail server. */
  readonly mailer: Mailer | null;
}
