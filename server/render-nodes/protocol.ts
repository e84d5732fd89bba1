/**
 * What nodes say to each other: a call of the engine is a POST with a head in JSON and the bytes of its
 * arguments; the response is a sequence of records, messages in JSON with their bytes, and the bytes of streams.
 */
import type { Engine, PlainError } from "../../engine/index.ts";
import packageFile from "../../package.json" with { type: "json" };

/** The engine's methods that other nodes call, with their numbers of arguments before `signal` and `owner`. */
export const CALLS = {
  render: 1,
  renderStream: 1,
  print: 1,
  drawPreset: 4,
  inspect: 1,
  prepare: 1,
  encodeLevel: 1,
  sourceColours: 1,
  ideas: 1,
  inks: 1,
  separate: 1,
  drawVector: 1,
  certify: 1,
  drawMockup: 1,
  packedMap: 2,
  drawContactSheet: 1,
} as const satisfies Partial<Record<keyof Engine, number>>;

export type CallName = keyof typeof CALLS;

/** Path of calls, and the start of the paths of sources by their SHA-256. */
export const CALL_PATH = "/calls";
export const SOURCE_PATH = "/sources/";

/** Header with the build that is called, see `buildOf`. */
export const BUILD_HEADER = "orbifold-build";

/** Version of what is said between nodes; raised by each change here that others do not understand. */
const PROTOCOL = 2;

/** Header of a node's answer to the question whether it takes calls, once it stops. */
export const STOPPING_HEADER = "orbifold-stopping";

/**
 * Returns what must be the same at both ends of a call: the engine's version, since another one returns other bytes, and
 * those of the program and of its calls, since another one may not know a field.
 */
export const buildOf = (engineVersion: string): string =>
  `${engineVersion} of orbifold ${packageFile.version} with calls ${PROTOCOL}`;

/** Most bytes of a call: a picture of the largest size, or the pictures of a contact sheet. */
export const CALL_BYTES = 64 * 1024 * 1024;

/** Most bytes of JSON in a call or a message. */
export const JSON_BYTES = 1024 * 1024;

/** Most bytes that belong to a message: a picture that is no stream. */
export const PARTS_BYTES = 2 ** 30;

/** How often a node says of a call that it works on it. */
export const ALIVE_MS = 1000;

/** The head of a call. */
export interface CallHead {
  readonly name: CallName;
  /** See `pack`. */
  readonly args: unknown;
  readonly owner: string | null;
  /** Lengths of the parts that follow. */
  readonly parts: readonly number[];
}

/** What a node answers. Values are packed, see `pack`. */
export type Message =
  /** The result of a call; the last message. */
  | { readonly kind: "value"; readonly value: unknown }
  /** Properties of a stream. Its bytes follow, then its end. */
  | { readonly kind: "head"; readonly value: unknown }
  /** What is known of a stream with its last byte. */
  | { readonly kind: "end"; readonly value: unknown }
  | { readonly kind: "error"; readonly error: PlainError }
  /** The node lacks this source. */
  | { readonly kind: "missing"; readonly sha256: string }
  /** The node is at work; of a print the share of finished rows, 0…1. Whether it will stop before long. */
  | { readonly kind: "alive"; readonly progress: number | null; readonly isStopping: boolean };

/** First byte of a record; a length of four bytes and its content follow. */
export const RECORD = { message: 1, bytes: 2 } as const;

export const RECORD_HEAD_BYTES = 5;

/** Data that JSON can carry, and the bytes that it refers to by their places. */
export interface PackedValue {
  readonly json: unknown;
  readonly parts: readonly Uint8Array[];
}

/**
 * Takes byte arrays out of a value. With `sources` those of sources are collected there by their SHA-256, and only
 * named.
 */
export function pack(value: unknown, sources?: Map<string, Uint8Array>): PackedValue {
  const parts: Uint8Array[] = [];
  const walk = (one: unknown): unknown => {
    if (one instanceof Uint8Array) return { $part: parts.push(one) - 1 };
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== "object" || one === null) return one;
    const { sha256, bytes, ...others } = one as Record<string, unknown>;
    const isSource = typeof sha256 === "string" && bytes instanceof Uint8Array;
    if (sources && isSource && Object.keys(others).length === 0) {
      sources.set(sha256, bytes);
      return { $source: sha256 };
    }
    return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, walk(part)]));
  };
  return { json: walk(value), parts };
}

/** Puts byte arrays back into a value. Throws what `sourceOf` throws. */
export function unpack(
  { json, parts }: PackedValue,
  sourceOf?: (sha256: string) => Uint8Array,
): unknown {
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== "object" || one === null) return one;
    const { $part, $source } = one as Record<string, unknown>;
    if (typeof $part === "number") return parts[$part];
    if (sourceOf && typeof $source === "string") {
      return { sha256: $source, bytes: sourceOf($source) };
    }
    return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, walk(part)]));
  };
  return walk(json);
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const lengthsOf = (parts: readonly Uint8Array[]) => parts.map(({ byteLength }) => byteLength);

/** Returns the body of a call, in pieces. */
export function callBody(head: Omit<CallHead, "parts">, parts: readonly Uint8Array[]) {
  const json = Buffer.from(JSON.stringify({ ...head, parts: lengthsOf(parts) }));
  return [Buffer.concat([uint32(json.byteLength), json]), ...parts];
}

/** Returns the record of a message, in pieces. */
export function messageRecord(message: Message, parts: readonly Uint8Array[] = []) {
  const json = Buffer.from(JSON.stringify({ message, parts: lengthsOf(parts) }));
  const head = Buffer.concat([Buffer.of(RECORD.message), uint32(json.byteLength), json]);
  return [head, ...parts];
}

/** Returns the record of a piece of a stream, in pieces. */
export function bytesRecord(bytes: Uint8Array) {
  return [Buffer.concat([Buffer.of(RECORD.bytes), uint32(bytes.byteLength)]), bytes];
}
