/** The environment's variables in a table: each with its default, parser and description. */
import { availableParallelism } from "node:os";
import type { Quotas, Retention } from "../db/index.ts";
import type { EngineOptions } from "../engine/index.ts";
import { LOG_LEVELS, type LogLevel } from "./actions/log.ts";
import {
  addressRanges,
  baseUrl,
  ConfigError,
  databaseUrl,
  flag,
  hostNames,
  keySetUrl,
  oneOf,
  plainHttpUrl,
  secret,
  smtpUrl,
  someOf,
  text,
  whole,
} from "./config-parsers.ts";
import { parseQuotas, parseRetention } from "./json-settings.ts";
import { type ObjectStoreLocation, objectStoreUrl } from "./object-store/location.ts";
import { NODE_ROLES, type NodeRole } from "./roles.ts";
import { SIGNUPS } from "./sign-ups.ts";

interface Variable<Value> {
  readonly fallback: Value;
  /** Throws an Error that says what was expected. */
  readonly parse: (given: string) => Value;
  readonly about: string;
}

/** Infers the type of each variable's value. */
function variable<Value>(
  fallback: Value,
  parse: (given: string) => NoInfer<Value>,
  about: string,
): Variable<Value> {
  return { fallback, parse, about };
}

/** Not imported from the engine, which loads slowly: most commands do not need it. */
const BACKENDS = [
  "auto",
  "webgpu",
  "webasm",
  "cpu",
] as const satisfies readonly EngineOptions["backend"][];

/** Every environment variable, in the order of the help. */
export const VARIABLES = {
  HOST: variable("127.0.0.1", text, "address to listen on"),
  PORT: variable(3000, whole(0, 65535), "port to listen on; 0: any free one"),
  ROLES: variable<readonly NodeRole[]>(
    NODE_ROLES,
    someOf(NODE_ROLES),
    "what this process does, a comma-separated choice; without render others do it, found in the database",
  ),
  RENDER_PORT: variable<number | null>(
    null,
    whole(0, 65535),
    "port at which this process renders for those without the role; default: it does not",
  ),
  RENDER_URL: variable<string | null>(
    null,
    plainHttpUrl,
    "http:// address of that port for other processes; default: from HOST and RENDER_PORT",
  ),
  METRICS_PORT: variable<number | null>(null, whole(0, 65535), "port of metrics; default: none"),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable<string | null>(
    null,
    baseUrl,
    "OpenTelemetry collector of traces, by OTLP over HTTP; default: none",
  ),
  OTEL_TRACES_SAMPLER_ARG: variable("1", text, "share of traces that are recorded, 0 to 1"),
  PUBLIC_URL: variable<string | null>(
    null,
    baseUrl,
    "base of URLs in responses; default: from host and port",
  ),
  EDITOR_URL: variable<string | null>(null, baseUrl, "web editor; default: PUBLIC_URL/editor"),
  DATA_DIR: variable(
    ".data",
    text,
    "folder of the embedded database, cached renders and mockup maps; relative to the working directory",
  ),
  DATABASE_URL: variable<string | null>(
    null,
    databaseUrl,
    "PostgreSQL 15 or newer; default: embedded PostgreSQL in DATA_DIR",
  ),
  OBJECT_STORE_URL: variable<ObjectStoreLocation | null>(
    null,
    objectStoreUrl,
    "S3 server for sources, exports and mockups, s3://KEY:SECRET@host:port/bucket/prefix?region=…; default: they are in PostgreSQL",
  ),
  JWT_SECRET: variable<string | null>(
    null,
    secret(32),
    "signs user session tokens; default: generated once and stored in the database",
  ),
  JWT_JWKS_URL: variable<string | null>(
    null,
    keySetUrl,
    "key set of an external issuer, instead of JWT_SECRET",
  ),
  JWT_ISSUER: variable<string | null>(null, text, "name of the external issuer"),
  JWT_AUDIENCE: variable<string | null>(null, text, "required audience of its tokens"),
  ENGINE_BACKEND: variable<(typeof BACKENDS)[number]>(
    "auto",
    oneOf(BACKENDS),
    `backend of the kernels, one of ${BACKENDS.join(", ")}`,
  ),
  ENGINE_THREADS: variable(availableParallelism(), whole(1, 256), "worker threads, one a core"),
  RENDER_QUEUE_MAX: variable(64, whole(1, 100_000), "renders that may wait for a thread"),
  CACHE_MAX_BYTES: variable(
    2 ** 30,
    whole(0, Number.MAX_SAFE_INTEGER),
    "maximum bytes of rendered pictures cached in DATA_DIR; 0: none",
  ),
  SHARED_RENDERS_DAYS: variable(
    0,
    whole(0, 365),
    "days that renders are kept in the object store for other nodes; 0: not at all",
  ),
  OUTBOUND_ALLOW: variable<readonly string[] | null>(
    null,
    addressRanges,
    "comma-separated private ranges that may be reached, such as 10.1.0.0/16; default: none",
  ),
  OUTBOUND_ALLOW_HTTP: variable(
    false,
    flag,
    "whether webhooks may have http:// URLs outside of OUTBOUND_ALLOW",
  ),
  SOURCE_ALLOWED_HOSTS: variable<readonly string[] | null>(
    null,
    hostNames,
    "comma-separated hosts from which sources may be fetched, *.example.com for subdomains; default: any",
  ),
  RENDER_TIMEOUT_MS: variable(
    120_000,
    whole(1000, 3_600_000),
    "time limit of a render, for a large one until its first bytes, in milliseconds",
  ),
  MAX_CONNECTIONS: variable(2000, whole(1, 1_000_000), "open connections; more are closed"),
  BODY_BYTES_MAX: variable(
    2 ** 29,
    whole(2 ** 26, Number.MAX_SAFE_INTEGER),
    "maximum bytes of request bodies in flight of all callers together; at least 64 MiB",
  ),
  REQUEST_TIMEOUT_MS: variable(
    300_000,
    whole(100, 3_600_000),
    "time limit for receiving a request with its body, in milliseconds",
  ),
  BODY_IDLE_TIMEOUT_MS: variable(
    30_000,
    whole(100, 3_600_000),
    "time limit between two chunks of a request's body, in milliseconds",
  ),
  QUOTAS: variable<Quotas | null>(
    null,
    parseQuotas,
    'quotas by plan that differ from the defaults, as JSON such as {"trial":{"patterns":500}}, or the path of such a file',
  ),
  RETENTION: variable<Retention | null>(
    null,
    parseRetention,
    'days that exports, deliveries, events and handoffs are kept, where they differ from the defaults, as JSON such as {"deliveries":90}, or the path of such a file',
  ),
  SIGNUPS: variable<(typeof SIGNUPS)[number]>(
    "auto",
    oneOf(SIGNUPS),
    "who may sign up; open: anyone; closed: nobody; auto: anyone if mail is configured, else callers on this machine",
  ),
  SMTP_URL: variable<string | null>(
    null,
    smtpUrl,
    "mail server, smtp://user:password@host:port or smtps://…; default: no mail is sent",
  ),
  MAIL_FROM: variable<string | null>(null, text, "sender's address, required with SMTP_URL"),
  LOG_LEVEL: variable<LogLevel>(
    "info",
    oneOf(LOG_LEVELS),
    `minimum level of the log, one of ${LOG_LEVELS.join(", ")}`,
  ),
  SERVICE_API_KEY: variable<string | null>(null, text, "API key of `orbifold mcp`"),
  TRUSTED_PROXIES: variable(
    0,
    whole(0, 16),
    "number of proxies that add their client to X-Forwarded-For",
  ),
  DISK_MIN_FREE_BYTES: variable(
    64 * 2 ** 20,
    whole(0, Number.MAX_SAFE_INTEGER),
    "free bytes on the disk of DATA_DIR below which /readyz fails; 0: not checked",
  ),
  SHUTDOWN_DELAY_MS: variable(
    3000,
    whole(0, 600_000),
    "time after SIGTERM for which requests are still accepted while /readyz fails, in milliseconds",
  ),
  SHUTDOWN_GRACE_MS: variable(
    8000,
    whole(0, 600_000),
    "time limit of requests in progress at a stop, in milliseconds",
  ),
};

export type Values = { [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name]["fallback"] };
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns all values. An empty variable counts as unset, as in compose files. Throws `ConfigError` for the first
 * invalid one.
 */
export function readValues(env: Environment): Values {
  const values = Object.entries(VARIABLES).map(([name, { fallback, parse }]) => {
    const given = env[name]?.trim();
    if (!given) return [name, fallback];
    try {
      return [name, parse(given)];
    } catch (error) {
      throw new ConfigError(`${name}: ${(error as Error).message}`, { cause: error });
    }
  });
  return Object.fromEntries(values);
}
