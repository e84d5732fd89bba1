/** A render by the engine's pool of one thread into a file, as the server would stream it. */

import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Value } from "typebox/value";
import { createEngine, plainDesign, RenderFields, type RenderRequest } from "../../engine/index.ts";
import { asUpload } from "../cases/in-thread-engine.ts";
import { photoLike } from "../pictures/photo-like.ts";
import type { PrepareTask } from "./task.ts";

export interface RenderToFile {
  /** Those that are left out take their defaults. */
  readonly render: Partial<RenderFields>;
  /** The source's side in pixels. */
  readonly source: number;
  /** Left out, the bytes are read and let go. */
  readonly path?: string;
}

/** Enough to compile every kernel and to decode the source. */
const SMALL = 256;

export const prepare: PrepareTask<RenderToFile> = async ({ render, source, path }) => {
  const engine = await createEngine({ backend: "webasm", threads: 1, queueMax: 1 });
  const request = (fields: Partial<RenderFields>): RenderRequest => ({
    design: plainDesign("p4"),
    source: upload,
    render: { ...Value.Create(RenderFields), ...fields },
  });
  const upload = asUpload(photoLike(source));
  const draw = async (fields: Partial<RenderFields>) => {
    const { body } = await engine.render(request(fields));
    if (path === undefined) for await (const _ of body);
    else await pipeline(Readable.from(body, { objectMode: false }), createWriteStream(path));
  };
  const isTile = (render.mode ?? "tile") === "tile";
  const side = isTile ? { size: SMALL } : { surface_width: SMALL, surface_height: SMALL };
  await draw({ ...render, ...side });
  if (path !== undefined) await rm(path);
  return { run: () => draw(render), close: () => engine.close(0) };
};
