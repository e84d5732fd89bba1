/** What the actions work with; made once by the composition root. */
import type { Database } from "../../db/index.ts";
import type { Engine, Timings } from "../../engine/index.ts";
import type { Intake } from "../intake/index.ts";
import type { Fetcher, Mailer, WebhookClient } from "../outbound/index.ts";
import type { RenderCache } from "../render-cache/index.ts";
import type { InFlight } from "./in-flight.ts";
import type { PatternCache } from "./pattern-cache.ts";
import type { Readiness } from "./readiness.ts";
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
  /** What receives the bodies of requests. */
  readonly bodies: {
    readonly intake: Intake;
    /** Their bytes, of accounts and of addresses that call without one. */
    readonly inFlight: InFlight;
    /** How long one may be silent while it arrives. */
    readonly idleMs: number;
  };
  /** Renders of accounts that wait or run; see `withAccountEngine`. */
  readonly rendersInFlight: InFlight;
  /** The way to outside addresses. */
  readonly fetcher: Fetcher;
  /** The way to webhooks. */
  readonly poster: WebhookClient;
  /** Patterns whose version is known, from the database or from memory. */
  readonly patterns: PatternCache;
  /** The uploaded bytes of sources, from the database or from memory. */
  readonly sources: SourceCache;
  /** Pictures that were rendered. */
  readonly renders: RenderCache<Timings>;
  readonly tokens: Tokens;
  readonly renderLinks: RenderLinks;
  readonly guests: GuestSessions;
  /** Whether this process can serve. */
  readonly readiness: Readiness;
  /** What links in answers start with, without a slash at the end. */
  readonly publicUrl: string;
  /** Where the web editor is. */
  readonly editorUrl: string;
  /** How long a render may take. */
  readonly renderTimeoutMs: number;
  /** Who may create an account: anyone, callers on this machine, or only the operator. */
  readonly signUps: SignUps;
  /** Null where the operator names no mail server. */
  readonly mailer: Mailer | null;
}
