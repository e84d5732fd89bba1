/** Renders in the test's own thread, where a test can inspect bindings and cancel a render. */

import type { Test } from "tap";
import { openBackend } from "../../engine/backend.ts";
import { decode } from "../../engine/decoders/decode.ts";
import { encoders } from "../../engine/encoders/index.ts";
import { encodeWhole } from "../../engine/encoders/whole-image.ts";
import { prepareLevels } from "../../engine/image/source-levels.ts";
import type { KernelRunner } from "../../engine/kernel-runner.ts";
import type { Codec } from "../../engine/render/codec.ts";
import { createWorkerContext, type RenderContext } from "../../engine/render/context.ts";
import { render } from "../../engine/render/render.ts";
import type { Kernel } from "../../shaders/kernel.ts";
import { type RequestParts, request } from "./engine.ts";

/** Decodes and encodes in the test's own process. */
export const inProcessCodec: Codec = {
  decode,
  levels: async ({ bytes }) => prepareLevels(await decode(bytes)),
  encode: encodeWhole,
};

export interface InThread {
  readonly context: RenderContext;
  /** Calls of bound kernels so far. */
  calls(): number;
  /** How often each kernel is bound now. */
  bound(): ReadonlyMap<Kernel, number>;
  /**
   * Renders a whole picture.
   * @param checkpoint called at every checkpoint; its error ends the render
   */
  render(parts: RequestParts, checkpoint?: () => void): Promise<Uint8Array>;
}

/**
 * A worker's context on `webasm`, with a cache of that many bytes. A kernel that is called after
 * its release throws.
 * @param chunk positions of a kernel call
 */
export async function inThread(
  t: Test,
  cacheBytes = 64 * 1024 * 1024,
  chunk?: number,
): Promise<InThread> {
  const opened = await openBackend("webasm");
  t.teardown(() => opened.close());
  const live = new Set<{ readonly kernel: Kernel }>();
  let calls = 0;
  const runner: KernelRunner = {
    ...opened,
    chunk: chunk ?? opened.chunk,
    bind(kernel, constants) {
      const bound = opened.bind(kernel, constants);
      const entry = { kernel };
      live.add(entry);
      return {
        run(count, args, most) {
          if (!live.has(entry)) throw new Error(`${kernel.run.name} was released and is called`);
          calls++;
          return bound.run(count, args, most);
        },
        write: bound.write,
        release() {
          live.delete(entry);
          bound.release();
        },
      };
    },
  };
  const bench = createWorkerContext(runner, encoders, cacheBytes);
  return {
    context: { ...bench, codec: inProcessCodec, checkpoint: async () => undefined },
    calls: () => calls,
    bound() {
      const counts = new Map<Kernel, number>();
      for (const { kernel } of live) counts.set(kernel, (counts.get(kernel) ?? 0) + 1);
      return counts;
    },
    async render(parts, checkpoint) {
      const pieces: Uint8Array[] = [];
      const sink = {
        head: () => undefined,
        async send(bytes: Uint8Array) {
          pieces.push(Uint8Array.from(bytes));
        },
      };
      const context = { ...bench, codec: inProcessCodec, checkpoint: async () => checkpoint?.() };
      await render(context, request(parts), sink, () => 0);
      return Buffer.concat(pieces);
    },
  };
}
