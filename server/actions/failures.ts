/**
 * Maps the code of each failure to its HTTP status and title, advice for MCP clients and exit status.
 * Errors carry their code as a property; errors of PostgreSQL and the file system get theirs here.
 */
import {
  isDatabaseDamaged,
  isDatabaseFull,
  isDatabaseUnavailable,
  ObjectStoreUnavailable,
} from "../../db/index.ts";
import { CodecKilled, type ValidationIssue } from "../../engine/index.ts";

interface FailureKind {
  readonly status: number;
  readonly title: string;
  /** What an MCP client is told to do next. Left out: MCP reports the failure as an internal error. */
  readonly advice?: string;
  /** Seconds after which the same request may succeed, where the error does not say it. */
  readonly retrySeconds?: number;
  /** Of a command that fails with it. Left out: 1. https://man.freebsd.org/cgi/man.cgi?sysexits */
  readonly exitCode?: number;
  /** Whether the service is at fault: the error is logged. */
  readonly isFault?: true;
}

const table = <Code extends string>(kinds: Readonly<Record<Code, FailureKind>>) => kinds;

/** Every code; `/docs/problems` and the OpenAPI document list them in this order. */
export const FAILURES = table({
  malformed_json: { status: 400, title: "Malformed JSON" },
  malformed_request: { status: 400, title: "Malformed request" },
  unauthorized: {
    status: 401,
    title: "Unauthorized",
    advice: "Connect again with another key.",
  },
  account_frozen: {
    status: 402,
    title: "Account frozen",
    advice: "Only the operator of this service can lift that.",
  },
  credits_exhausted: {
    status: 402,
    title: "Credits exhausted",
    advice:
      "Listing, reading, rendering and validating are free; making sources from presets and patterns is not.",
  },
  scope_required: {
    status: 403,
    title: "API key without this scope",
    advice: "The account's owner has to create a key with this scope.",
  },
  plan_required: {
    status: 403,
    title: "Plan upgrade required",
    advice: "The account's owner has to change the plan.",
  },
  operator_required: { status: 403, title: "Operators only" },
  origin_refused: { status: 403, title: "Origin not allowed" },
  guest_refused: { status: 403, title: "Not available to guest sessions" },
  not_found: {
    status: 404,
    title: "Resource not found",
    advice: "list_patterns shows the patterns that there are.",
  },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  request_timeout: { status: 408, title: "Request timeout" },
  conflict: { status: 409, title: "Conflict", advice: "Read the resource again, then retry." },
  quota_exceeded: {
    status: 409,
    title: "Quota exceeded",
    advice:
      "Delete what is no longer needed (delete_pattern, cleanup_presets), or the account's owner has to change the plan.",
  },
  idempotency_in_flight: { status: 409, title: "Request already in progress", retrySeconds: 1 },
  gone: { status: 410, title: "Gone" },
  precondition_failed: { status: 412, title: "Precondition failed" },
  payload_too_large: {
    status: 413,
    title: "Payload too large",
    advice: "Send a smaller picture.",
  },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  range_not_satisfiable: { status: 416, title: "Range not satisfiable" },
  validation_failed: { status: 422, title: "Validation failed", exitCode: 64 },
  source_unreadable: {
    status: 422,
    title: "Source unreadable",
    advice: "Send PNG, JPEG, WebP, AVIF, TIFF, GIF or SVG.",
  },
  idempotency_mismatch: { status: 422, title: "Idempotency key reused" },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    advice: "Wait for a minute, or for the calls that are under way.",
  },
  source_unreachable: {
    status: 422,
    title: "Source unreachable",
    advice: "Try another address, or upload the picture.",
  },
  internal: { status: 500, title: "Internal server error", isFault: true },
  content_corrupted: {
    status: 500,
    title: "Stored content corrupted",
    advice: "Trying again does not help.",
    isFault: true,
  },
  overloaded: {
    status: 503,
    title: "Service overloaded",
    advice: "Try again in a few seconds.",
    retrySeconds: 2,
  },
  unavailable: { status: 503, title: "Service unavailable", retrySeconds: 2 },
  render_timeout: {
    status: 504,
    title: "Render timed out",
    advice: "Ask for a smaller picture or fewer effects.",
    retrySeconds: 2,
  },
  insufficient_storage: {
    status: 507,
    title: "Insufficient storage",
    advice: "Its operator has to free disk space.",
    retrySeconds: 60,
    isFault: true,
  },
});

export type FailureCode = keyof typeof FAILURES;

export const FAILURE_CODES = Object.keys(FAILURES) as readonly FailureCode[];

/** What an error is to its caller. */
export interface Failure extends FailureKind {
  readonly code: FailureCode;
  /** Explanation of this occurrence. */
  readonly detail: string;
  /** What is wrong with the input, one entry for each place. */
  readonly issues: readonly ValidationIssue[];
}

/** Errors without a code of their own. */
const FOREIGN: readonly (readonly [(error: unknown) => boolean, FailureCode, detail: string])[] = [
  [isDatabaseDamaged, "content_corrupted", "the database reports that its files are damaged"],
  [isDiskFull, "insufficient_storage", "a disk of the service is full"],
  [isDatabaseUnavailable, "unavailable", "the database does not answer"],
];

/** Returns the failure that an error is; `internal` for one that was not foreseen. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Error && "code" in error && isFailureCode(error.code)) {
    const { code, message: detail, issues = [], retrySeconds } = error as Error & Failure;
    return {
      ...FAILURES[code],
      code,
      detail,
      issues,
      ...(retrySeconds !== undefined && { retrySeconds }),
    };
  }
  const [, code, detail] = FOREIGN.find(([matches]) => matches(error)) ?? UNFORESEEN;
  return { ...FAILURES[code], code, detail, issues: [] };
}

/**
 * Returns the level at which the error of a request is logged with its causes; null if it is not. What
 * the object store answered, and that a system without memory kills codecs, is in no other log.
 */
export function logLevelOf(error: unknown, code: FailureCode): "error" | "warn" | null {
  if (FAILURES[code].isFault) return "error";
  const isWarning = error instanceof ObjectStoreUnavailable || error instanceof CodecKilled;
  return isWarning ? "warn" : null;
}

const UNFORESEEN = [null, "internal", "The error is in our log under this request_id."] as const;

const isFailureCode = (code: unknown): code is FailureCode =>
  typeof code === "string" && Object.hasOwn(FAILURES, code);

/** Error codes of file systems without room, or without room for this user. */
const DISK_FULL = new Set(["ENOSPC", "EDQUOT"]);

/** Whether something failed because a disk is full: one of this machine, or the database's. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return DISK_FULL.has(code) || isDatabaseFull(error) || isDiskFull(error.cause);
}
