/** A picture that a render node sends while it makes it. */
import { fromPlain, type Printing, type Rendering, type Timings } from "../../engine/index.ts";
import { singleUseStream } from "../../engine/single-use-stream.ts";
import { NodeLost, NodeStopped } from "./errors.ts";
import { unpack } from "./protocol.ts";
import type { CallResult } from "./remote-call.ts";

/** A picture, and what only prints have. */
export type RemoteStream = Pick<Printing, "patch" | "progress"> & {
  readonly rendering: Rendering;
};

/** What is known with the last byte. */
interface StreamEnd {
  readonly timings: Timings;
  readonly patch: Awaited<Printing["patch"]>;
}

/**
 * Returns the stream of a call whose head has come.
 * @param signal ends the connection of the call when it aborts
 */
export function remoteStream(
  { value, reader, release }: CallResult,
  signal: AbortSignal,
): RemoteStream {
  const ended = Promise.withResolvers<StreamEnd>();
  let progress = 0;
  let isOver = false;
  const finish = (error: unknown) => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener("abort", abandon);
    release();
    if (error === null) return reader.finish();
    reader.destroy();
    ended.reject(error);
  };
  // Also where the body is never read.
  const abandon = () => finish(signal.reason);
  signal.addEventListener("abort", abandon, { once: true });
  if (signal.aborted) abandon();

  const next = async (): Promise<IteratorResult<Uint8Array, unknown>> => {
    for (;;) {
      const record = await reader.next();
      if (record.kind === "bytes") return { done: false, value: record.bytes };
      const { message, parts } = record;
      if (message.kind === "error") throw fromPlain(message.error);
      if (message.kind === "alive") progress = message.progress ?? progress;
      if (message.kind !== "end") continue;
      ended.resolve(unpack({ json: message.value, parts }) as StreamEnd);
      return { done: true, value: undefined };
    }
  };
  const body = singleUseStream(async () => {
    try {
      return await next();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NodeLost && error.wasStopping) {
        throw new NodeStopped("the render node was stopped", { cause: error });
      }
      throw error;
    }
  }, finish);
  const timings = ended.promise.then(({ timings }) => timings);
  const patch = ended.promise.then(({ patch }) => patch);
  // Callers that only read the body do not handle these rejections.
  for (const unasked of [timings, patch]) unasked.catch(() => undefined);
  const header = value as Omit<Rendering, "body" | "timings">;
  return { rendering: { ...header, body, timings }, patch, progress: () => progress };
}
