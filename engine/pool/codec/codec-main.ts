/**
 * A codec process: executes one request after the other until its parent closes the channel or kills
 * it. Native decoders cannot be interrupted in a thread, and `worker.terminate()` waits for them; a
 * process can be killed at any time.
 */
import { readSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { decode, inspect } from "../../decoders/decode.ts";
import { encodeContactSheet } from "../../encoders/contact-sheet.ts";
import { encodeWhole } from "../../encoders/whole-image.ts";
import { toPlain } from "../../errors.ts";
import type { ByteImage } from "../../image/picture.ts";
import { lowerThreadPriority, NICENESS } from "../../lower-thread-priority.ts";
import { encoderFailure } from "./encoder-failure.ts";
import {
  type CodecMessage,
  type CodecReply,
  type CodecResult,
  PIECE_BYTES,
  pieceStart,
  SHARED_FILE,
} from "./protocol.ts";

lowerThreadPriority(NICENESS);
// `process.exit` would wait for running native code.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// Terminals and supervisors signal all processes of a service; the parent ends this one.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

process.on("message", async (message: CodecMessage) => {
  const reply = await handle(message).catch(
    (error): CodecReply => ({ ok: false, error: toPlain(error) }),
  );
  process.send?.(reply);
});

// Ready; time limits of requests start after this.
process.send?.({ ok: true, result: null, output: 0 } satisfies CodecReply);
// Node writes what it has compiled when a process exits, and this one is killed.
flushCompileCache();

/** The picture of the source that was inspected last: mostly it is decoded next. */
let inspected: { readonly sha256: string; readonly picture: ByteImage } | null = null;

/** Bytes of a picture that is kept, and for how long. */
const KEPT_BYTES = 64 * 2 ** 20;
const KEPT_MS = 2000;

function keep(sha256: string, picture: ByteImage): void {
  if (picture.pixels.byteLength > KEPT_BYTES) return;
  const kept = { sha256, picture };
  inspected = kept;
  setTimeout(() => {
    if (inspected === kept) inspected = null;
  }, KEPT_MS);
}

/** What is left of an output whose first pieces were asked for, and how many these are. */
let unwritten: Uint8Array | null = null;
let pieces = 0;

async function handle(message: CodecMessage): Promise<CodecReply> {
  if (message === "next") {
    writePiece();
    return { ok: true, result: null, output: 0 };
  }
  unwritten = null;
  const { request, input } = message;
  const bytes = Buffer.allocUnsafeSlow(input);
  readAll(bytes);
  // Nothing of one file is in memory while another one is decoded.
  const known = inspected;
  inspected = null;
  switch (request.kind) {
    case "decode": {
      const isKnown = known !== null && known.sha256 === request.sha256;
      const { pixels, ...facts } = isKnown ? known.picture : await decode(bytes);
      return finish(facts, pixels);
    }
    case "inspect": {
      const { bytes: kept, picture, ...facts } = await inspect(bytes);
      keep(facts.sha256, picture);
      return kept === bytes ? { ok: true, result: facts, output: 0 } : finish(facts, kept);
    }
    case "contact_sheet": {
      let end = 0;
      const pictures = request.lengths.map((length) => {
        if (length === null) return null;
        end += length;
        return bytes.subarray(end - length, end);
      });
      return finish(null, await encodeContactSheet(pictures));
    }
    case "encode": {
      const { size, format, options } = request;
      const file = await encodeWhole(bytes, size, format, options).catch(({ message }: Error) => {
        throw encoderFailure(format, message.split("\n", 1).join());
      });
      return finish(null, file);
    }
  }
}

/** Writes the first piece of the output into the shared file. */
function finish(result: CodecResult, output: Uint8Array): CodecReply {
  unwritten = output;
  pieces = 0;
  writePiece();
  return { ok: true, result, output: output.byteLength };
}

function writePiece(): void {
  if (unwritten === null) throw new Error("there is no further piece");
  writeAll(unwritten.subarray(0, PIECE_BYTES), pieceStart(pieces++));
  const isLast = unwritten.byteLength <= PIECE_BYTES;
  unwritten = isLast ? null : unwritten.subarray(PIECE_BYTES);
}

/** Fills `bytes` from the start of the shared file: a single call may read less. */
function readAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength; ) {
    const read = readSync(SHARED_FILE, bytes, at, bytes.byteLength - at, at);
    if (read === 0) throw new Error(`the shared file ends after ${at} bytes`);
    at += read;
  }
}

function writeAll(bytes: Uint8Array, start: number): void {
  for (let at = 0; at < bytes.byteLength; ) {
    at += writeSync(SHARED_FILE, bytes, at, bytes.byteLength - at, start + at);
  }
}
