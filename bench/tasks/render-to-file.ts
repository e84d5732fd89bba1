/** Renders with the engine's pool into a file, as the server streams it. */

import { createWriteStream } from "node:fs";
import { availableParallelism } from "node:os";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Value } from "typebox/value";
import {
  checkDesign,
  checkRender,
  createEngine,
  plainDesign,
  RenderFields,
  type RenderRequest,
} from "../../engine/index.ts";
import { asUpload, inSharedMemory } from "../cases/in-thread-engine.ts";
import { photoLike } from "../pictures/photo-like.ts";
import type { PrepareTask } from "./task.ts";

export interface RenderToFile {
  /** Omitted fields have their defaults. */
  readonly render: Partial<RenderFields>;
  /** The source's side in pixels. */
  readonly source: number;
  /** Side in pixels of the pictures that are rendered first, which compile every kernel and decode the source. */
  readonly warmUp: number;
  /** Without it, the bytes are read and discarded. */
  readonly path?: string;
}

export const prepare: PrepareTask<RenderToFile> = async ({ render, source, warmUp, path }) => {
  const threads = availableParallelism();
  const engine = await createEngine({ backend: "webasm", threads, queueMax: threads });
  const request = (fields: Partial<RenderFields>): RenderRequest => ({
    design: checkDesign(plainDesign("p4")),
    source: upload,
    render: checkRender({ ...Value.Create(RenderFields), ...fields }),
  });
  const upload = inSharedMemory(asUpload(photoLike(source)));
  const read = async (fields: Partial<RenderFields>) => {
    const { body } = await engine.renderStream(request(fields));
    for await (const _ of body);
  };
  const write = async (place: string) => {
    const { body } = await engine.renderStream(request(render));
    await pipeline(Readable.from(body, { objectMode: false }), createWriteStream(place));
  };
  const isTile = (render.mode ?? "tile") === "tile";
  const side = isTile ? { size: warmUp } : { surface_width: warmUp, surface_height: warmUp };
  // One for each thread, so that all of them are warm.
  await Promise.all(Array.from({ length: threads }, () => read({ ...render, ...side })));
  return {
    run: () => (path === undefined ? read(render) : write(path)),
    close: () => engine.close(0),
  };
};
