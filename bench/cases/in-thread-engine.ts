/** The engine in the calling thread, to compare one thread with one thread. */
import { createHash } from "node:crypto";
import { encode } from "fast-png";
import { Value } from "typebox/value";
import { openBackend } from "../../engine/backend.ts";
import { decode } from "../../engine/decoders/decode.ts";
import { encoders } from "../../engine/encoders/index.ts";
import { encodeWhole } from "../../engine/encoders/whole-image.ts";
import { bytesOf } from "../../engine/image/samples.ts";
import { prepareLevels, type SourceLevels } from "../../engine/image/source-levels.ts";
import type { KernelRunner } from "../../engine/kernel-runner.ts";
import { checkRender } from "../../engine/recipe/check.ts";
import {
  type Design,
  LIMITS,
  RenderFields,
  type RenderRequest,
  type SourceBytes,
} from "../../engine/recipe/index.ts";
import type { Codec } from "../../engine/render/codec.ts";
import { createWorkerContext, type RenderContext } from "../../engine/render/context.ts";
import { picturePlan } from "../../engine/render/picture.ts";
import { render } from "../../engine/render/render.ts";
import { newBytes, reusedArray } from "../../engine/reused-array.ts";
import type { RgbPicture } from "../pictures/photo-like.ts";

/** The fields of a render with their defaults. */
export const DEFAULT_FIELDS = Value.Create(RenderFields);

export interface InThreadEngine {
  readonly backend: string;
  readonly context: RenderContext;
  /** Renders a tile as `size` × `size` × 3 bytes of sRGB, valid until the next one. */
  tile(design: Design, source: SourceBytes, size: number): Promise<Uint8Array>;
  /** Renders a request as the server does, into memory. */
  file(request: RenderRequest): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens `webasm`, the reference backend of the CPU, even if there is a GPU: the peers have none.
 */
export async function openInThreadEngine(): Promise<InThreadEngine> {
  const runner = await openBackend("webasm");
  const context = contextOf(runner);
  const allocateBytes = reusedArray(newBytes, LIMITS.tile.maximum ** 2 * 3);
  return {
    backend: runner.backend,
    context,
    async tile(design, source, size) {
      const fields = checkRender({ ...DEFAULT_FIELDS, size });
      const sheet = await picturePlan(context, { design, source, render: fields }).start();
      const bytes = bytesOf(await sheet.rows(0, size), allocateBytes);
      sheet.end?.();
      return bytes;
    },
    async file(request) {
      const parts: Uint8Array[] = [];
      const sink = {
        head: () => undefined,
        send: async (bytes: Uint8Array) => void parts.push(bytes),
      };
      await render(context, request, sink, () => performance.now());
      return Buffer.concat(parts);
    },
    close: () => runner.close(),
  };
}

/** The context of a render in this thread, without cancellation. */
export function contextOf(runner: KernelRunner): RenderContext {
  const prepared = new Map<string, SourceLevels>();
  const codec: Codec = {
    decode,
    async levels({ sha256, bytes }) {
      const levels = prepared.get(sha256) ?? prepareLevels(await decode(bytes));
      prepared.set(sha256, levels);
      return levels;
    },
    encode: encodeWhole,
  };
  const bench = createWorkerContext(runner, encoders, 512 * 1024 * 1024);
  return { ...bench, codec, checkpoint: async () => undefined };
}

/** Returns a picture as the bytes of an uploaded PNG. */
export function asUpload({ width, height, pixels }: RgbPicture): SourceBytes {
  const bytes = encode({ width, height, channels: 3, depth: 8, data: pixels });
  return { sha256: createHash("sha256").update(bytes).digest("hex"), bytes };
}

/** Returns a source whose bytes threads share, as the server keeps them: others are copied into the thread of each job. */
export function inSharedMemory({ sha256, bytes }: SourceBytes): SourceBytes {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return { sha256, bytes: shared };
}
