/** Connections: slonik's pool for queries, and single sessions for locks and notifications. */
import pg from "pg";
import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  createPool,
  type DatabasePool,
  parseDsn,
} from "slonik";
import { querySpans } from "./query-spans.ts";
import { checkRows } from "./row.ts";

/** PostgreSQL cannot be reached, started or used; the message is meant for the operator. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  readonly code = "database_unavailable";
}

/** Whether a query failed because the connection did. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (CONNECTION_ERRORS.some((kind) => error instanceof kind)) return true;
  return error instanceof Error && BROKEN_BEFORE.test(error.message);
}

/** slonik's plain error for a query in a transaction whose connection broke between two queries. */
const BROKEN_BEFORE = /^Client is (pending destroy|destroyed)\.$/;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DISK_FULL = "53100";
const DAMAGED = new Set(["XX001", "XX002"]);

/** Whether PostgreSQL refused a query because its disk is full. */
export function isDatabaseFull(error: unknown): boolean {
  return sqlState(error) === DISK_FULL;
}

/** Whether PostgreSQL found its own files damaged. */
export function isDatabaseDamaged(error: unknown): boolean {
  return DAMAGED.has(sqlState(error));
}

/** The SQLSTATE of an error; empty for errors that are not PostgreSQL's. */
function sqlState(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.code ?? "";
  return error instanceof Error ? sqlState(error.cause) : "";
}

const CONNECTION_ERRORS = [
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
];

/** `host:port/database` of a connection string, without user and password. */
export function describeHost(url: string): string {
  const { host = "localhost", port = 5432, databaseName = "" } = parseDsn(url);
  return `${host}${port === 5432 ? "" : `:${port}`}/${databaseName}`;
}

/** ECONNREFUSED on several addresses at once comes as an AggregateError without a message. */
export function errorMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(errorMessage).join("; ");
  return error instanceof Error ? error.message : String(error);
}

/** The meaning of `sslmode`, the same for the pool and for sessions. */
function tls(mode: string | undefined): pg.ClientConfig["ssl"] {
  if (mode === "no-verify") return { rejectUnauthorized: false };
  return mode === "require";
}

/** A connection string as the driver's options. */
export function sessionOptions(url: string): pg.ClientConfig {
  const { host, port, databaseName, username, password, sslMode } = parseDsn(url);
  return {
    host,
    port,
    database: databaseName,
    user: username,
    password,
    ssl: tls(sslMode),
    application_name: "orbifold",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  };
}

/** Opens a single session. Throws what the driver throws when the server cannot be reached. */
export async function openSession(url: string): Promise<pg.Client> {
  const client = new pg.Client(sessionOptions(url));
  // Without a listener a connection that breaks while idle would end the process.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Opens the pool for queries. Throws `DatabaseUnavailable`. */
export async function openPool(url: string): Promise<DatabasePool> {
  try {
    return await createPool(url, {
      interceptors: [checkRows, querySpans],
      maxPoolSize: 10,
      idleTimeout: 60_000,
      // No query leaves state in its session, so DISCARD ALL would be a round trip for nothing.
      resetConnection: () => Promise.resolve(),
      typeParsers: [
        // Ids and balances stay far below 2^53.
        { name: "int8", parse: Number },
        { name: "timestamptz", parse: (value) => new Date(value) },
      ],
    });
  } catch (error) {
    throw new DatabaseUnavailable(
      `cannot reach PostgreSQL at ${describeHost(url)}: ${errorMessage(error)}`,
      {
        cause: error,
      },
    );
  }
}
