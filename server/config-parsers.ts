/**
 * Parsers of environment variables and command-line values. Each returns the value, or throws an
 * Error that says what was expected and, unless it is a secret, what was received.
 */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { isLoopback } from "./actions/origins.ts";

/** An environment variable is invalid; the message is one line for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly code = "misconfigured";
}

function refuse(expected: string, given: string): never {
  throw new Error(`expected ${expected}, got ${JSON.stringify(given)}`);
}

const LIST = /\s*,\s*/;

/** Any text. */
export function text(given: string): string {
  return given;
}

/** A whole number from `minimum` to `maximum`. */
export function whole(minimum: number, maximum: number): (given: string) => number {
  return (given) => {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    return refuse(`a whole number from ${minimum} to ${maximum}`, given);
  };
}

/** A number from 0 to 1. */
export function share(given: string): number {
  const value = /^(\d+\.?\d*|\.\d+)$/.test(given) ? Number(given) : Number.NaN;
  return value <= 1 ? value : refuse("a number from 0 to 1", given);
}

/** One of a few words. */
export function oneOf<Word extends string>(words: readonly Word[]): (given: string) => Word {
  return (given) => words.find((word) => word === given) ?? refuse(words.join(" or "), given);
}

/** A comma-separated choice of some words, one at least. */
export function someOf<Word extends string>(
  words: readonly Word[],
): (given: string) => readonly Word[] {
  const parse = oneOf(words);
  return (given) => [...new Set(given.split(LIST).map(parse))];
}

/** A boolean, as environment files write it. */
export function flag(given: string): boolean {
  const found = { true: true, 1: true, false: false, 0: false }[given.toLowerCase()];
  return found ?? refuse("true or false", given);
}

/** A secret of at least `minimum` characters, which no message repeats. */
export function secret(minimum: number): (given: string) => string {
  return (given) => {
    if (given.length >= minimum) return given;
    throw new Error(`expected at least ${minimum} characters, got ${given.length}`);
  };
}

function httpUrl(given: string): URL {
  const url = URL.parse(given);
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash;
  return isPlain ? url : refuse("an http:// or https:// address", given);
}

/** A base URL, returned without a slash at the end. */
export function baseUrl(given: string): string {
  return httpUrl(given).href.replace(/\/$/, "");
}

/** A base URL of plain HTTP. */
export function plainHttpUrl(given: string): string {
  return httpUrl(given).protocol === "http:" ? baseUrl(given) : refuse("an http:// address", given);
}

/**
 * URL of an issuer's keys. It must be https: anyone who can change the keys in transit could issue
 * tokens.
 */
export function keySetUrl(given: string): string {
  const url = httpUrl(given);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return refuse("an https:// address (http:// only for this machine)", given);
  }
  return url.href;
}

/** A mail server's URL. It is never repeated: it may contain a password. */
export function smtpUrl(given: string): string {
  const url = URL.parse(given);
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname !== "") return given;
  throw new Error("expected smtp://user:password@host:port or smtps://user:password@host:port");
}

/** Comma-separated CIDR ranges. */
export function addressRanges(given: string): readonly string[] {
  return given.split(LIST).map((range) => {
    const [, network = "", prefix] = /^([^/%]+)\/(\d{1,3})$/.exec(range) ?? [];
    const bits = { 4: 32, 6: 128 }[isIP(network)] ?? -1;
    return Number(prefix) <= bits ? range : refuse("ranges such as 10.1.0.0/16 or fd00::/8", range);
  });
}

/** Comma-separated host names as URLs write them: in lower case, in ASCII. */
export function hostNames(given: string): readonly string[] {
  return given.split(LIST).map((entry) => {
    const [, wildcard = "", name = ""] = /^(\*\.)?([^*/:@?#]+?)\.?$/.exec(entry) ?? [];
    const ascii = domainToASCII(name);
    return ascii ? wildcard + ascii : refuse("names such as example.com or *.example.com", entry);
  });
}

/** libpq's TLS modes that the driver supports. Its `require` verifies the certificate. */
const TLS_MODES: Readonly<Record<string, string>> = {
  disable: "disable",
  "no-verify": "no-verify",
  require: "require",
  "verify-ca": "require",
  "verify-full": "require",
};

/**
 * A connection string, returned with the scheme `postgresql:`. SQLAlchemy's driver names
 * (`postgresql+psycopg://`) are accepted, too. It is never repeated: it contains a password.
 */
export function databaseUrl(given: string): string {
  const url = URL.parse(given.replace(/^postgres(ql)?(\+\w+)?:/, "postgresql:"));
  if (url?.protocol !== "postgresql:" || url.pathname.length < 2) {
    throw new Error("expected postgresql://user:password@host:port/database");
  }
  const mode = url.searchParams.get("sslmode");
  if (mode !== null) {
    const known = TLS_MODES[mode];
    if (!known) throw new Error(`sslmode: expected ${Object.keys(TLS_MODES).join(", ")}`);
    url.searchParams.set("sslmode", known);
  }
  return url.href;
}
