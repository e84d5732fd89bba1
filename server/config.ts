/** The environment as a validated configuration. */
import { resolve } from "node:path";
import { DEFAULT_QUOTAS, DEFAULT_RETENTION, type Quotas, type Retention } from "../db/index.ts";
import type { EngineOptions } from "../engine/index.ts";
import type { LogLevel } from "./actions/log.ts";
import type { SignUps } from "./actions/services.ts";
import type { TokenTrust } from "./actions/tokens.ts";
import { ConfigError, share } from "./config-parsers.ts";
import type { ObjectStoreLocation } from "./object-store/location.ts";
import { type Roles, readRoles } from "./roles.ts";
import { readSignUps } from "./sign-ups.ts";
import { type Environment, readValues, type Values } from "./variables.ts";

export interface Config {
  readonly host: string;
  /** 0: the system selects one. */
  readonly port: number;
  readonly roles: Roles;
  /** Of the metrics; 0: the system selects one. Null: there are none. */
  readonly metricsPort: number | null;
  /** Share of traces that are recorded, 0…1; null: there are none. */
  readonly tracesSampled: number | null;
  /** Without a slash at the end; null: see `addresses`. */
  readonly publicUrl: string | null;
  readonly editorUrl: string | null;
  /** Absolute path. */
  readonly dataDir: string;
  /** `postgresql://…`, or null for the embedded database. */
  readonly databaseUrl: string | null;
  /** Null: bytes are in PostgreSQL. */
  readonly objectStore: ObjectStoreLocation | null;
  readonly tokens: TokenTrust;
  readonly engine: EngineOptions;
  readonly outbound: {
    /** CIDR ranges. */
    readonly allow: readonly string[];
    /** Whether webhooks may use plain http outside of `allow`, too. */
    readonly allowHttp: boolean;
    /** Lower case, in ASCII; `*.` matches all subdomains. Empty: any host. */
    readonly sourceHosts: readonly string[];
  };
  readonly renderTimeoutMs: number;
  readonly maxConnections: number;
  /** Of all callers, in this process. */
  readonly bodyBytes: number;
  readonly requestTimeoutMs: number;
  readonly bodyIdleTimeoutMs: number;
  readonly cacheBytes: number;
  /** How long renders are kept in the object store for other nodes; 0: not at all. */
  readonly sharedRendersDays: number;
  readonly quotas: Quotas;
  readonly retention: Retention;
  readonly signUps: SignUps;
  /** Null: no mail is sent. */
  readonly mail: { readonly url: string; readonly from: string } | null;
  /** API key of MCP over stdio. */
  readonly serviceApiKey: string | null;
  readonly logLevel: LogLevel;
  readonly trustedProxies: number;
  readonly diskMinimumFreeBytes: number;
  readonly shutdownDelayMs: number;
  readonly shutdownGraceMs: number;
}

function readTrust(values: Values): TokenTrust {
  const { JWT_SECRET, JWT_JWKS_URL, JWT_ISSUER, JWT_AUDIENCE } = values;
  if (JWT_JWKS_URL && JWT_ISSUER && JWT_AUDIENCE) {
    if (JWT_SECRET) throw new ConfigError("JWT_SECRET: expected none beside JWT_JWKS_URL");
    return { kind: "issuer", jwksUrl: JWT_JWKS_URL, issuer: JWT_ISSUER, audience: JWT_AUDIENCE };
  }
  if (JWT_JWKS_URL || JWT_ISSUER || JWT_AUDIENCE) {
    throw new ConfigError("JWT_JWKS_URL, JWT_ISSUER, JWT_AUDIENCE: expected all three or none");
  }
  return { kind: "secret", secret: JWT_SECRET };
}

/** Programs beside this one may have other samplers, whose argument matters here only if there is a collector. */
function readTracesSampled(values: Values): number | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG } = values;
  if (OTEL_EXPORTER_OTLP_ENDPOINT === null) return null;
  try {
    return share(OTEL_TRACES_SAMPLER_ARG);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG: ${message}`, { cause: error });
  }
}

/** Throws `ConfigError` where renders are to be shared without an object store. */
function readSharedRenders({ SHARED_RENDERS_DAYS, OBJECT_STORE_URL }: Values): number {
  if (SHARED_RENDERS_DAYS === 0 || OBJECT_STORE_URL !== null) return SHARED_RENDERS_DAYS;
  throw new ConfigError("SHARED_RENDERS_DAYS: expected OBJECT_STORE_URL beside it, or 0");
}

/** Throws `ConfigError` unless both mail variables are set, or neither. */
function readMail({ SMTP_URL, MAIL_FROM }: Values): Config["mail"] {
  if (SMTP_URL !== null && MAIL_FROM !== null) return { url: SMTP_URL, from: MAIL_FROM };
  if (SMTP_URL === null && MAIL_FROM === null) return null;
  throw new ConfigError("SMTP_URL, MAIL_FROM: expected both or neither of them");
}

/** Returns the validated configuration. Throws `ConfigError` for the first invalid variable. */
export function readConfig(env: Environment = process.env): Config {
  const values = readValues(env);
  return {
    host: values.HOST,
    port: values.PORT,
    roles: readRoles(values),
    metricsPort: values.METRICS_PORT,
    tracesSampled: readTracesSampled(values),
    publicUrl: values.PUBLIC_URL,
    editorUrl: values.EDITOR_URL,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    objectStore: values.OBJECT_STORE_URL,
    tokens: readTrust(values),
    engine: {
      backend: values.ENGINE_BACKEND,
      threads: values.ENGINE_THREADS,
      queueMax: values.RENDER_QUEUE_MAX,
    },
    outbound: {
      allow: values.OUTBOUND_ALLOW ?? [],
      allowHttp: values.OUTBOUND_ALLOW_HTTP,
      sourceHosts: values.SOURCE_ALLOWED_HOSTS ?? [],
    },
    renderTimeoutMs: values.RENDER_TIMEOUT_MS,
    maxConnections: values.MAX_CONNECTIONS,
    bodyBytes: values.BODY_BYTES_MAX,
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
    bodyIdleTimeoutMs: values.BODY_IDLE_TIMEOUT_MS,
    cacheBytes: values.CACHE_MAX_BYTES,
    sharedRendersDays: readSharedRenders(values),
    quotas: values.QUOTAS ?? DEFAULT_QUOTAS,
    retention: values.RETENTION ?? DEFAULT_RETENTION,
    signUps: readSignUps(values),
    mail: readMail(values),
    logLevel: values.LOG_LEVEL,
    serviceApiKey: values.SERVICE_API_KEY,
    trustedProxies: values.TRUSTED_PROXIES,
    diskMinimumFreeBytes: values.DISK_MIN_FREE_BYTES,
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
  };
}
