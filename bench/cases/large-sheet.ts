/** Case 15: the largest sheet, with effects that break its period, into a file. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { Value } from "typebox/value";
import { checkDesign, checkRender } from "../../engine/recipe/check.ts";
import { type EffectUse, LIMITS, plainDesign, RenderFields } from "../../engine/recipe/index.ts";
import { type BenchCase, type Contender, type PreparedCase, WrongResult } from "../harness/case.ts";
import { assertSamePixels } from "../harness/compare-pixels.ts";
import { measureInChild } from "../harness/measured-child.ts";
import { parseWhole } from "../harness/parse-number.ts";
import { photoLike, type RgbPicture } from "../pictures/photo-like.ts";
import type { RenderToFile } from "../tasks/render-to-file.ts";
import type { SharpComposite } from "../tasks/sharp-composite.ts";
import type { Cost } from "../tasks/task.ts";
import { asUpload, type InThreadEngine, openInThreadEngine } from "./in-thread-engine.ts";

/** Pixels; smaller for a quick run. */
const SIDE = Number(process.env.LARGE_SIDE ?? LIMITS.surface.maximum);

const TILE = 1024;
const WARM_UP = 2048;
const VIGNETTE = { strength: 0.5, radius: 0.35 };
const EFFECTS: EffectUse[] = [
  { id: "vignette", params: VIGNETTE },
  { id: "grain" },
  { id: "paper" },
];

/** Pixels of the side of the thumbnails by which sheets are compared. */
const AFAR = 16;

export const largestSheet: BenchCase = {
  name: "large",
  number: 15,
  title: `Sheet of ${SIDE}² with vignette, grain and paper, to a PNG file`,
  scope: "kernel figure",
  fairness: `Each contender is a process of its own with the memory settings of \`npm start\`, warmed up with a sheet of ${WARM_UP}². Ours renders the design by the engine's pool, its tile included; sharp begins with the finished tile and lays a gradient and tiles of our own grain and paper over it. Both may use all threads. The sheets are alike from afar and in grain, not the same: our grain and paper do not repeat.`,
  metrics: [
    { name: "ms", unit: "ms", better: "lower" },
    { name: "memory", unit: "peak MB over idle", better: "lower" },
  ],
  targets: [
    { metric: "ms", peer: "sharp", must: 2, aim: 3 },
    { metric: "memory", must: 200 },
  ],
  long: { why: `a sheet of ${SIDE}² takes minutes (LARGE_SIDE for a smaller one)`, rounds: 3 },
  prepare,
};

async function prepare(): Promise<PreparedCase> {
  parseWhole("LARGE_SIDE", process.env.LARGE_SIDE ?? String(SIDE), TILE, LIMITS.surface.maximum);
  const folder = await mkdtemp(join(tmpdir(), "orbifold-bench-"));
  const ourPath = join(folder, "orbifold.png");
  const sharpPath = join(folder, "sharp.png");
  const layers = await drawLayers(folder);
  const fields = { surface_width: SIDE, surface_height: SIDE, cell: TILE };
  const render = { ...fields, mode: "surface", surface_effects: EFFECTS } as const;
  const ours: RenderToFile = { render, source: TILE, warmUp: WARM_UP, path: ourPath };
  const theirs: SharpComposite = {
    side: SIDE,
    ...layers,
    vignette: VIGNETTE,
    warmUp: WARM_UP,
    path: sharpPath,
  };
  const contenders = [
    contender("orbifold (webasm)", true, () => measureInChild("render-to-file", ours)),
    contender("sharp", false, () => measureInChild("sharp-composite", theirs)),
  ];
  return {
    contenders,
    notes: [],
    versions: {},
    async check() {
      for (const one of contenders) await one.run();
      assertSamePixels("sharp", await fromAfar(sharpPath), await fromAfar(ourPath), {
        most: 16,
        mean: 4,
      });
      const ratio = (await roughness(ourPath)) / (await roughness(sharpPath));
      if (!(ratio > 0.7 && ratio < 1.4)) {
        throw new WrongResult(`our sheet is ${ratio.toFixed(2)} times as rough as sharp's`);
      }
    },
    close: () => rm(folder, { recursive: true }),
  };
}

function contender(name: string, ours: boolean, measure: () => Promise<Cost>): Contender {
  return {
    name,
    ours,
    async run() {
      const { ms, megabytes } = await measure();
      return { ms, memory: megabytes };
    },
  };
}

/** Writes the peer's layers as PNG files: our tile, and our grain and paper on middle grey. */
async function drawLayers(folder: string) {
  const engine = await openInThreadEngine();
  const grey = { width: 16, height: 16, pixels: new Uint8Array(16 * 16 * 3).fill(128) };
  const layer = async (name: string, picture: RgbPicture, surface_effects: EffectUse[]) => {
    const path = join(folder, `${name}.png`);
    await sharp(await sheetOf(engine, picture, surface_effects)).toFile(path);
    return path;
  };
  try {
    return {
      tile: await layer("tile", photoLike(TILE), []),
      grain: await layer("grain", grey, [{ id: "grain" }]),
      paper: await layer("paper", grey, [{ id: "paper" }]),
    };
  } finally {
    await engine.close();
  }
}

async function sheetOf(engine: InThreadEngine, picture: RgbPicture, surface_effects: EffectUse[]) {
  const render = checkRender({
    ...Value.Create(RenderFields),
    mode: "surface",
    surface_width: TILE,
    surface_height: TILE,
    cell: TILE,
    surface_effects,
  });
  const source = asUpload(picture);
  return engine.file({ design: checkDesign(plainDesign("p4")), source, render });
}

const opened = (path: string) => sharp(path, { limitInputPixels: false });

/** Reduces the whole sheet to a few mean colours. */
async function fromAfar(path: string): Promise<Uint8Array> {
  const { width, height } = await opened(path).metadata();
  if (width !== SIDE || height !== SIDE) throw new WrongResult(`${path}: ${width} × ${height}`);
  return opened(path).resize(AFAR, AFAR, { kernel: "linear" }).raw().toBuffer();
}

/** Standard deviation of the centre's fine detail, the difference from its blurred copy. */
async function roughness(path: string): Promise<number> {
  const middle = { left: SIDE / 2 - 256, top: SIDE / 2 - 256, width: 512, height: 512 };
  const piece = await opened(path).extract(middle).removeAlpha().raw().toBuffer();
  const raw = { raw: { width: 512, height: 512, channels: 3 } } as const;
  const blurred = await sharp(piece, raw).blur(3).raw().toBuffer();
  const squares = piece.reduce((sum, value, i) => sum + (value - blurred[i]) ** 2, 0);
  return Math.sqrt(squares / piece.length);
}
