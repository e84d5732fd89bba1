/**
 * Codec processes, started on demand and reused. Bytes go through an unlinked file that both sides
 * hold open: no name is left behind, and no pixels pass through an event loop.
 */
import type { FileHandle } from "node:fs/promises";
import { CodecKilled, DeadlineExceeded, fromPlain, SourceUnreadable } from "../../errors.ts";
import type { CodecLimits } from "../../types.ts";
import {
  type CodecProcess,
  createCodecProcesses,
  ProcessKilled,
  SpawnerLost,
} from "./codec-process.ts";
import { encoderFailure } from "./encoder-failure.ts";
import { type CodecRequest, type CodecResults, PIECE_BYTES, pieceStart } from "./protocol.ts";

/**
 * Measured on one core with pictures of 50 megapixels: decoding takes 0.4 s (JPEG) to 2 s (AVIF) and at
 * most 1 GB; encoding 16 megapixels of grain as AVIF takes 20 s. Node itself reserves 0.8 GB.
 */
const LIMITS: CodecLimits = { decodeMs: 20_000, encodeMs: 120_000, memoryBytes: 3 * 2 ** 30 };

export interface CodecResponse<Request extends CodecRequest> {
  readonly result: CodecResults[Request["kind"]];
  readonly output: Uint8Array<ArrayBuffer>;
}

/**
 * Called with a result before its output comes, and again where the request is executed again. Returns the function that is
 * called with the pieces of the output in order. A piece is in shared memory, which is reused once the call has resolved.
 * @param bytes of the whole output
 */
export type TakeOutput<Request extends CodecRequest> = (
  result: CodecResults[Request["kind"]],
  bytes: number,
) => (piece: Uint8Array) => Promise<void>;

export interface CodecPool {
  /**
   * Executes a request in a process of its own, and in further ones if the system ends it.
   * Throws `SourceUnreadable` if decoding exceeds its time or memory limit, `InvalidRecipe` if encoding
   * exceeds its memory, `DeadlineExceeded` if it exceeds its time, `CodecKilled` if the system ends each
   * process, the request's own errors, and the reason of `signal`, which kills the process.
   */
  run<Request extends CodecRequest>(
    request: Request,
    input: Uint8Array,
    signal?: AbortSignal,
  ): Promise<CodecResponse<Request>>;
  /** Executes a request as `run` does, and passes its output on piece by piece. Resolves with the result after the last one. */
  stream<Request extends CodecRequest>(
    request: Request,
    input: Uint8Array,
    take: TakeOutput<Request>,
    signal?: AbortSignal,
  ): Promise<CodecResults[Request["kind"]]>;
  /** Kills all processes and resolves when they have ended; no more are started. */
  close(): Promise<void>;
}

/** Time limit for the start of a process, on a busy machine. */
const START_MS = 60_000;

/** Processes that a request may have: the system may end one because of another. */
const MAX_RUNS = 3;

/** Maximum of idle processes between requests; a burst starts more. */
const MAX_IDLE = 2;

/**
 * A process that transferred more bytes is ended: libvips and malloc hold hundreds of megabytes after
 * a large picture, and a new process starts in less than 0.2 s.
 */
const MAX_REUSED_BYTES = 64 * 2 ** 20;

/** Creates a pool; processes are started by requests. */
export function createCodecPool(given: Partial<CodecLimits> = {}): CodecPool {
  const limits = { ...LIMITS, ...given };
  const processes = createCodecProcesses();
  const all = new Set<CodecProcess>();
  const idle: CodecProcess[] = [];
  /** Unused memory for pieces. It is reused, because getting new memory takes longer than reading a piece. */
  const pieces: Uint8Array[] = [];
  let closed = false;

  const start = async (): Promise<CodecProcess> => {
    const started = await processes.start(limits.memoryBytes);
    // The request that waits for it rejects with it.
    started.ready.catch(ignore);
    all.add(started);
    return started;
  };
  const discard = async (unusable: CodecProcess) => {
    const { file, ended } = unusable;
    unusable.kill();
    await Promise.all([ended, file.close().catch(ignore)]);
    all.delete(unusable);
  };
  const takeProcess = async (): Promise<CodecProcess> => {
    for (;;) {
      const known = idle.pop();
      if (known === undefined) return start();
      if (known.isRunning()) return known;
      await discard(known);
    }
  };

  const runOnce: CodecPool["stream"] = async (request, input, take, caller) => {
    const isEncode = request.kind === "encode" || request.kind === "contact_sheet";
    const limitMs = isEncode ? limits.encodeMs : limits.decodeMs;
    const deadline = new AbortController();
    const late = isEncode
      ? new DeadlineExceeded(limitMs)
      : new SourceUnreadable(`the picture takes longer than ${limitMs / 1000} seconds to decode`);
    let timer: NodeJS.Timeout | undefined;
    const signal = caller ? AbortSignal.any([caller, deadline.signal]) : deadline.signal;
    const taken = await takeProcess();
    const { file, kill } = taken;
    signal.addEventListener("abort", kill);
    let isUsable = false;
    let movedBytes = input.byteLength;
    try {
      signal.throwIfAborted();
      if (closed) throw new Error("the codec processes are closed");
      await transferAll((...part) => file.write(...part), input);
      timer = setTimeout(() => deadline.abort(new DeadlineExceeded(START_MS)), START_MS);
      await taken.ready;
      clearTimeout(timer);
      timer = setTimeout(() => deadline.abort(late), limitMs);
      const reply = await taken.ask({ request, input: input.byteLength });
      if (!reply.ok) {
        isUsable = true;
        throw fromPlain(reply.error);
      }
      const result = reply.result as never;
      const takePiece = take(result, reply.output);
      clearTimeout(timer);
      timer = setTimeout(() => deadline.abort(new DeadlineExceeded(limitMs)), limitMs);
      const memory = pieces.pop() ?? new Uint8Array(new SharedArrayBuffer(PIECE_BYTES));
      for (let left = reply.output, n = 0; left > 0; left -= PIECE_BYTES, n++) {
        // The process writes the next piece while this one is read.
        const writing = left > PIECE_BYTES ? taken.ask("next") : null;
        writing?.catch(ignore);
        const piece = memory.subarray(0, Math.min(PIECE_BYTES, left));
        await transferAll((...part) => file.read(...part), piece, pieceStart(n));
        await takePiece(piece);
        const next = await writing;
        if (next?.ok === false) throw fromPlain(next.error);
      }
      // Not after an error: the caller may still be reading it.
      pieces.push(memory);
      movedBytes += reply.output;
      isUsable = true;
      return result;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", kill);
      // Truncated, or its pages would be kept until the next request.
      const isWorthIt = isUsable && movedBytes <= MAX_REUSED_BYTES && idle.length < MAX_IDLE;
      const isKept = isWorthIt && !closed && taken.isRunning() && (await truncate(file));
      if (isKept) idle.push(taken);
      else await discard(taken);
    }
  };

  const stream: CodecPool["stream"] = async ({ ...request }, input, take, caller) => {
    for (let runs = 1; ; runs++) {
      try {
        return await runOnce(request, input, take, caller);
      } catch (error) {
        if (closed) throw error;
        if (!isLoss(error)) throw error instanceof ProcessKilled ? excessOf(request, error) : error;
        if (runs === MAX_RUNS) throw new CodecKilled(KILLED, { cause: error });
      }
    }
  };

  return {
    stream,
    async run(request, input, caller) {
      let output = new Uint8Array();
      const take = (_: unknown, bytes: number) => {
        output = Buffer.allocUnsafeSlow(bytes);
        let at = 0;
        return async (piece: Uint8Array) => {
          output.set(piece, at);
          at += piece.byteLength;
        };
      };
      const result = await stream(request, input, take, caller);
      return { result, output };
    },
    async close() {
      closed = true;
      await Promise.all([...all].map(discard));
      processes.close();
    },
  };
}

/**
 * Whether a process was ended from outside. A system that is out of memory sends SIGKILL, perhaps because of another
 * process; one that exceeds its own limit ends by another signal.
 */
const isLoss = (error: unknown) =>
  error instanceof SpawnerLost || (error instanceof ProcessKilled && error.signal === "SIGKILL");

/** Returns the error of a request whose process ended because it exceeded its own limit. */
function excessOf(request: CodecRequest, cause: ProcessKilled): Error {
  if (request.kind === "contact_sheet") return cause;
  if (request.kind === "encode") return encoderFailure(request.format, TOO_MUCH_MEMORY);
  const reason = `the picture cannot be decoded: ${TOO_MUCH_MEMORY}, or breaks the decoder`;
  return new SourceUnreadable(reason, { cause });
}

const truncate = (file: FileHandle) =>
  file.truncate(0).then(
    () => true,
    () => false,
  );

/** Reads or writes all of `bytes` at a position of a file: a single call may do less. */
async function transferAll(
  transfer: (
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) => Promise<{ readonly bytesRead: number } | { readonly bytesWritten: number }>,
  bytes: Uint8Array,
  start = 0,
): Promise<void> {
  for (let at = 0; at < bytes.byteLength; ) {
    const moved = await transfer(bytes, at, bytes.byteLength - at, start + at);
    const count = "bytesRead" in moved ? moved.bytesRead : moved.bytesWritten;
    if (count === 0) throw new Error(`the file ends after ${at} of ${bytes.byteLength} bytes`);
    at += count;
  }
}

const TOO_MUCH_MEMORY = "it takes too much memory";

const KILLED =
  "the processes that decode and encode pictures were killed: this machine lacks memory now";

const ignore = () => undefined;
