/** Runs a call of another node, and sends what comes of it. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import {
  CodecKilled,
  type Engine,
  isEngineError,
  Overloaded,
  type PlainError,
  type Printing,
  type RenderedPicture,
  type Rendering,
  type Timings,
  toPlain,
} from "../../engine/index.ts";
import { isDiskFull } from "../actions/failures.ts";
import { type Measurements, measure } from "../actions/measurements.ts";
import {
  ALIVE_MS,
  bytesRecord,
  CALLS,
  type CallHead,
  type CallName,
  JSON_BYTES,
  type Message,
  messageRecord,
  pack,
  unpack,
} from "./protocol.ts";

/** The bytes are no call. */
export class MalformedCall extends Error {
  override readonly name = "MalformedCall";
}

export interface CallMessage {
  readonly head: CallHead;
  readonly parts: readonly Uint8Array[];
}

/** Reads a call, see `callBody`. Throws MalformedCall. */
export function parseCall(bytes: Uint8Array): CallMessage {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const start = 4 + view.getUint32(0);
    if (start > 4 + JSON_BYTES) throw new MalformedCall("its head is too long");
    // Text is not decoded from shared memory.
    const head: CallHead = JSON.parse(Buffer.from(bytes.slice(4, start)).toString());
    const { name, args, parts: lengths } = head;
    if (!Object.hasOwn(CALLS, name)) throw new MalformedCall(`it calls ${name}`);
    if (!Array.isArray(args) || args.length !== CALLS[name]) {
      throw new MalformedCall(`${name} takes ${CALLS[name]} arguments`);
    }
    const parts: Uint8Array[] = [];
    let end = start;
    for (const length of lengths) {
      parts.push(bytes.subarray(end, end + length));
      end += length;
    }
    if (end !== bytes.byteLength) throw new MalformedCall("its parts have other lengths");
    return { head, parts };
  } catch (error) {
    if (error instanceof MalformedCall) throw error;
    throw new MalformedCall((error as Error).message, { cause: error });
  }
}

/** A source that is not kept. */
class MissingSource extends Error {
  readonly sha256: string;
  constructor(sha256: string) {
    super(sha256);
    this.sha256 = sha256;
  }
}

/** The sources that this node has, by their SHA-256. */
type KeptSources = Pick<ReadonlyMap<string, Uint8Array>, "get">;

type Run = (...given: unknown[]) => Promise<unknown>;

export interface CallContext {
  readonly engine: Engine;
  readonly sources: KeptSources;
  /** Most time in which a caller takes nothing of a response, in milliseconds. */
  readonly stallMs: number;
  /** Whether this process will stop. */
  readonly isStopping: () => boolean;
  /** Reports an error of another class than the engine's, or one that is this machine's. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Runs a call and sends its result, piece by piece where it is a stream. A caller that leaves, or takes nothing for too
 * long, cancels it.
 */
export async function runCall(
  { engine, sources, stallMs, isStopping, onFault }: CallContext,
  { head, parts }: CallMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  // Its system may keep the connection of a stopped process open.
  response.setTimeout(stallMs, () => response.destroy());
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const write = async (pieces: readonly Uint8Array[]) => {
    let isTaken = true;
    for (const piece of pieces) isTaken = response.write(piece);
    if (!isTaken) await once(response, "drain", { signal: gone.signal });
  };
  const send = (message: Message, of: readonly Uint8Array[] = []) =>
    write(messageRecord(message, of));
  let progress = () => null as number | null;
  const begun = performance.now();
  let result: Measurements["nodeCall"]["result"] = "success";
  let timings: Timings | null = null;
  response.writeHead(200, { "Content-Type": "application/octet-stream" }).flushHeaders();
  let isSending = false;
  const alive = setInterval(() => {
    // One at a time waits for a slow reader.
    if (isSending) return;
    isSending = true;
    const message = { kind: "alive", progress: progress(), isStopping: isStopping() } as const;
    send(message)
      .catch(() => undefined)
      .finally(() => {
        isSending = false;
      });
  }, ALIVE_MS);
  try {
    const { name } = head;
    const owner = head.owner ?? undefined;
    // A full queue is said before a source is sent.
    if (name !== "prepare") engine.reserveSlot(owner)();
    const args = argumentsOf(head, parts, sources);
    if (name === "renderStream" || name === "print") {
      const run = engine[name] as (...given: unknown[]) => Promise<Rendering | Printing>;
      const started = await run(...args, gone.signal, owner);
      if ("progress" in started) progress = () => started.progress();
      timings = await sendStream(started, send, write);
    } else {
      const value = await resultOf(engine, name, args, gone.signal, owner);
      if (name === "render") ({ timings } = value as RenderedPicture);
      const packed = pack(value);
      await send({ kind: "value", value: packed.json }, packed.parts);
    }
  } catch (error) {
    result = resultFor(error, gone.signal);
    const message: Message =
      error instanceof MissingSource
        ? { kind: "missing", sha256: error.sha256 }
        : { kind: "error", error: plainError(error) };
    const isOwn = !isEngineError(error) || error instanceof CodecKilled;
    if (result === "failure" && isOwn) onFault(error);
    if (!gone.signal.aborted) await send(message).catch(() => undefined);
  } finally {
    clearInterval(alive);
    response.end();
    const seconds = (performance.now() - begun) / 1000;
    measure("nodeCall", { call: head.name, result, seconds, timings });
  }
}

function resultFor(error: unknown, gone: AbortSignal): Measurements["nodeCall"]["result"] {
  if (gone.aborted) return "cancelled";
  return error instanceof MissingSource ? "missing_source" : "failure";
}

/** Returns an error as it is sent. Facts about this machine are left out: callers would apply them to their own. */
function plainError(error: unknown): PlainError {
  if (isEngineError(error)) return toPlain(error);
  // Another node may have room, and the call may be repeated.
  if (isDiskFull(error)) return toPlain(new Overloaded(0));
  return { ...toPlain(error), facts: {} };
}

/** Throws MissingSource. */
function argumentsOf(
  { args }: CallHead,
  parts: readonly Uint8Array[],
  sources: KeptSources,
): unknown[] {
  return unpack({ json: args, parts }, (sha256) => {
    const bytes = sources.get(sha256);
    if (bytes === undefined) throw new MissingSource(sha256);
    return bytes;
  }) as unknown[];
}

async function resultOf(
  engine: Engine,
  name: Exclude<CallName, "renderStream" | "print">,
  args: unknown[],
  signal: AbortSignal,
  owner: string | undefined,
): Promise<unknown> {
  if (name === "prepare") {
    engine.prepare(args[0] as Parameters<Engine["prepare"]>[0], owner);
    return null;
  }
  if (name === "inspect") {
    const found = await engine.inspect(args[0] as Uint8Array, signal, owner);
    // The caller has them.
    return { ...found, bytes: found.bytes === args[0] ? null : found.bytes };
  }
  return (engine[name] as Run)(...args, signal, owner);
}

async function sendStream(
  started: Rendering | Printing,
  send: (message: Message, parts?: readonly Uint8Array[]) => Promise<void>,
  write: (pieces: readonly Uint8Array[]) => Promise<void>,
): Promise<Timings> {
  const { body, timings: measured, ...facts } = started;
  const { patch = null, progress: _, ...header } = facts as Partial<Printing>;
  await send({ kind: "head", value: header });
  for await (const bytes of body) await write(bytesRecord(bytes));
  const timings = await measured;
  const { json, parts } = pack({ timings, patch: await patch });
  await send({ kind: "end", value: json }, parts);
  return timings;
}
