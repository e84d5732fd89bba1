/** The service's log: one JSON object a line on standard error, a readable form on a terminal. */
import pino, { type DestinationStream } from "pino";
import type { Log, LogLevel } from "./actions/log.ts";

/**
 * Secrets that must not be logged: API keys, webhook secrets, tokens (JWT), signatures and session
 * tokens of presigned URLs, and passwords in URLs.
 * Each alternative starts with distinct letters and matches in linear time: every line is searched,
 * and callers choose their paths.
 */
const SECRETS =
  /pf_[0-9A-Za-z]{20,}|whsec_[\w+/=-]{8,}|eyJ[\w-]{8,}[\w.-]*|X-Amz-(?:Signature|Security-Token)=[\w%+/=.-]+|(:\/\/[^\s:@/"]*:)[^\s@/"]+@/g;

const redact = (text: string) =>
  text.replace(SECRETS, (_, beforePassword?: string) =>
    beforePassword === undefined ? "[redacted]" : `${beforePassword}[redacted]@`,
  );

/**
 * Creates a log that writes entries of `level` and above. Errors are logged in the field `error`.
 * @param destination where lines are written; left out: standard error
 */
export function createLog(level: LogLevel, destination: DestinationStream = standardError()): Log {
  const options = {
    level,
    // No process id and host name: log collectors add them.
    base: null,
    errorKey: "error",
    serializers: { error: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Recipients of mail, in the data of jobs.
    redact: { paths: ["to"], remove: true },
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: redact },
  };
  return pino(options, destination);
}

/** A write through the thread pool costs as much as the rest of a short request: lines share one. */
const BUFFER_BYTES = 4096;
const FLUSH_MS = 100;

/** How the lines of errors begin. */
const ERROR_LINE = '{"level":"error"';

/**
 * Writes lines asynchronously, so that a slow reader does not block, within a tenth of a second; errors
 * at once, unless a write is under way, for a process that hangs or is killed right after. The rest is
 * written at an orderly exit. A terminal is written to synchronously.
 */
function standardError(): DestinationStream {
  const { stderr } = process;
  if (stderr.isTTY) return { write: (line) => stderr.write(readable(line)) };
  const buffer = { minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS };
  const lines = pino.destination({ dest: 2, sync: false, ...buffer });
  return {
    write(line) {
      lines.write(line);
      if (line.startsWith(ERROR_LINE)) lines.flush();
    },
  };
}

/** Formats a log line for a terminal: the time of day, the message, then the fields. */
function readable(line: string): string {
  const { time, level, msg = "", error, ...fields } = JSON.parse(line);
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const mark = level === "info" ? [] : [level.toUpperCase()];
  const words = [time.slice(11, 19), ...mark, msg, ...rest].filter((word) => word !== "");
  return `${words.join(" ")}\n${error ? `${error.stack ?? error.message}\n` : ""}`;
}

/**
 * Returns an error's stack and those of its causes, without the values that drivers attach. Takes copies
 * of errors as well, which pg-boss emits.
 */
function describeError(error: unknown): object {
  if (!isErrorLike(error)) return { message: String(error) };
  return { type: error.name ?? "Error", message: error.message, stack: stackOf(error) };
}

type ErrorLike = Pick<Error, "message" | "stack" | "cause"> & Partial<Pick<Error, "name">>;

const isErrorLike = (error: unknown): error is ErrorLike =>
  error instanceof Object && "message" in error && typeof error.message === "string";

function stackOf({ stack, message, cause }: ErrorLike): string {
  const own = stack ?? message;
  return isErrorLike(cause) ? `${own}\ncaused by ${stackOf(cause)}` : own;
}
