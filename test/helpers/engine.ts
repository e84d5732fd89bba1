/** An engine with threads for a test, and requests for it. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import root, { type Test } from "tap";
import { Value } from "typebox/value";
import type { ByteImage } from "../../engine/image/picture.ts";
import {
  Aperiodic,
  checkDesign,
  checkRender,
  createEngine,
  type Design,
  type Engine,
  type EngineOptions,
  type Lattice,
  type Motif,
  plainDesign,
  type RenderedPicture,
  RenderFields,
  type Rendering,
  type RenderRequest,
  type Seam,
} from "../../engine/index.ts";
import { photograph, pngOf, type Raster, rasterOf } from "./pictures.ts";

/** Kept from run to run, and made anew when a scene changes. */
export const MOCKUP_MAPS = join(import.meta.dirname, "../../node_modules/.cache/mockup-maps");

const DEFAULTS = { backend: "webasm", threads: 1, queueMax: 64, mockupMaps: MOCKUP_MAPS } as const;

/** Creates an engine until the test ends. A whole file without options gets that of its process. */
export async function testEngine(t: Test, options: Partial<EngineOptions> = {}): Promise<Engine> {
  if (t === root && Object.keys(options).length === 0) return processEngine();
  const engine = await createEngine({ ...DEFAULTS, ...options });
  t.teardown(() => engine.close(1000));
  return engine;
}

let shared: Promise<Engine> | undefined;

/** One engine for all tests of a process: opening a backend is slow. */
export function processEngine(): Promise<Engine> {
  if (!shared) {
    shared = createEngine(DEFAULTS);
    root.teardown(async () => (await shared)?.close(0));
  }
  return shared;
}

export type RequestParts = Partial<Omit<Design, "motif" | "lattice" | "seam">> & {
  readonly motif?: Partial<Motif>;
  readonly lattice?: Partial<Lattice>;
  readonly seam?: Partial<Seam>;
  readonly render?: Partial<Omit<RenderFields, "aperiodic">> & {
    readonly aperiodic?: Partial<Aperiodic>;
  };
  readonly source?: Uint8Array;
};

let photo: Uint8Array | undefined;

/** A checked request with defaults for omitted fields; the source is a photograph. */
export function request({ render, source, ...design }: RequestParts): RenderRequest {
  photo ??= pngOf(photograph(420, 310));
  const bytes = source ?? photo;
  const plain = plainDesign(design.group ?? "p4");
  const fields = Value.Create(RenderFields);
  return {
    design: checkDesign({
      ...plain,
      ...design,
      motif: { ...plain.motif, ...design.motif },
      lattice: { ...plain.lattice, ...design.lattice },
      seam: { ...plain.seam, ...design.seam },
    }),
    render: checkRender({
      ...fields,
      ...render,
      aperiodic: { ...Value.Create(Aperiodic), ...render?.aperiodic },
    }),
    source: { sha256: createHash("sha256").update(bytes).digest("hex"), bytes },
  };
}

/** All bytes of a picture. */
export async function bytesOf(picture: RenderedPicture | Rendering): Promise<Uint8Array> {
  return "bytes" in picture ? picture.bytes : Buffer.concat(await Array.fromAsync(picture.body));
}

/** Renders to PNG and decodes it with an independent decoder. */
export async function pixelsOf(engine: Engine, parts: RequestParts): Promise<Raster> {
  return rasterOf(await bytesOf(await engine.render(request(parts))));
}

/** Renders and decodes in RGB or RGBA. */
export const swatchOf = async (engine: Engine, parts: RequestParts) =>
  (await pixelsOf(engine, parts)) as ByteImage;
