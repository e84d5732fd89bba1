/** Pictures of the gallery, as an engine renders them. */
import { createHash } from "node:crypto";
import { Value } from "typebox/value";
import {
  checkDesign,
  checkRender,
  type Design,
  type Engine,
  plainDesign,
  RenderFields,
  type SourceBytes,
} from "../engine/index.ts";
import type { Layout } from "./contact-sheet.ts";

/** One picture to draw. */
export interface Entry {
  readonly caption: string;
  draw(engine: Engine, photo: SourceBytes): Promise<Uint8Array>;
}

/** Returns the fields of a sheet with cells of so many pixels. */
export const sheetOf = ({ width, height }: Layout, cell: number): RenderFields => ({
  ...Value.Create(RenderFields),
  mode: "surface",
  surface_width: width,
  surface_height: height,
  cell,
});

/** Returns a picture as the engine takes it. */
export function sourceOf(bytes: Uint8Array): SourceBytes {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), bytes };
}

export function pattern(caption: string, design: Partial<Design>, render: RenderFields): Entry {
  return {
    caption,
    async draw(engine, photo) {
      const { bytes } = await engine.render({
        design: checkDesign({ ...plainDesign("p4"), ...design }),
        source: photo,
        render: checkRender(render),
      });
      return Buffer.from(bytes);
    },
  };
}
