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
import { asUpload } from "../cases/in-thread-engine.ts";
import { photoLike } from "../pictures/photo-like.ts";
import type { PrepareTask } from "./task.ts";

export interface RenderToFile {
  /** Omitted fields have their defaults. */
  readonly render: Partial<RenderFields>;
  /** The source's side in pixels. */
  readonly source: number;
  /** Without it, the bytes are read and discarded. */
  readonly path?: string;
}

/** Enough to compile every kernel and to decode the source. */
const SMALL = 256;

export const prepare: PrepareTask<RenderToFile> = async ({ render, source, path }) => {
  const threads = availableParallelism();
  const engine = await createEngine({ backend: "webasm", threads, queueMax: threads });
  const request = (fields: Partial<RenderFields>): RenderRequest => ({
    design: checkDesign(plainDesign("p4")),
    source: upload,
    render: checkRender({ ...Value.Create(RenderFields), ...fields }),
  });
  const upload = asUpload(photoLike(source));
  const read = async (fields: Partial<RenderFields>) => {
    const { body } = await engine.renderStream(request(fields));
    for await (const _ of body);
  };
  const write = async (place: string) => {
    const { body } = await engine.renderStream(request(render));
    await pipeline(Readable.from(body, { objectMode: false }), createWriteStream(place));
  };
  const isTile = (render.mode ?? "tile") === "tile";
  const side = isTile ? { size: SMALL } : { surface_width: SMALL, surface_height: SMALL };
  // One for each thread, so that all of them are warm.
  await Promise.all(Array.from({ length: threads }, () => read({ ...render, ...side })));
  return {
    run: () => (path === undefined ? read(render) : write(path)),
    close: () => engine.close(0),
  };
};
