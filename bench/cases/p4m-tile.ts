/** Case 1: a p4m tile's pixels from a decoded source, one thread against one thread. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose } from "../../engine/geometry/affine.ts";
import { domainOf } from "../../engine/geometry/domain.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { windowOf } from "../../engine/geometry/window.ts";
import { LIGHT_WORDS, ZERO } from "../../engine/image/light.ts";
import { type Design, plainDesign, type SourceBytes } from "../../engine/recipe/index.ts";
import type { RenderContext } from "../../engine/render/context.ts";
import { placeMotif, sampledPart, toPixelsOf } from "../../engine/render/placement.ts";
import type { BenchCase, Contender, PreparedCase } from "../harness/case.ts";
import { assertSamePixels } from "../harness/compare-pixels.ts";
import { lastTimed } from "../harness/timed.ts";
import { type PythonPeer, startPythonPeer } from "../peers/python-peer.ts";
import { photoLike } from "../pictures/photo-like.ts";
import { asUpload, openInThreadEngine } from "./in-thread-engine.ts";

const SIZE = 1024;
/** Of a contender in each round. */
const RUNS = 3;

/** Differences of two filters; more with OpenCV's remap, whose positions have 5 fractional bits. */
const PEERS = [
  { name: "numpy", most: 8, mean: 0.06 },
  { name: "OpenCV + numpy", most: 8, mean: 0.12 },
  { name: "OpenCV, folded", most: 8, mean: 0.12 },
];

export const p4mTile: BenchCase = {
  name: "p4m",
  number: 1,
  title: `p4m tile of ${SIZE}², sRGB pixels from a decoded ${SIZE}² source, one thread, the third run`,
  scope: "kernel figure",
  fairness:
    "All start from the same source in linear light, already filtered to the tile's scale, and the same placement, and end with RGB bytes; all compute their geometry anew each time. Ours interpolates over 4 × 4 pixels, theirs over 2 × 2. The first two peers evaluate the formula as it is written, which serves any group and window; the folded one uses what p4m allows, except that it does not copy the asymmetric unit. Each runs three times, and the last time counts.",
  metrics: [
    { name: "ms", unit: "ms", better: "lower" },
    { name: "mpx", unit: "Mpx/s", better: "higher" },
  ],
  targets: [
    { metric: "ms", peer: "OpenCV + numpy", must: 15, aim: 25 },
    { metric: "ms", peer: "numpy", must: 40, aim: 80 },
  ],
  prepare,
};

async function prepare(): Promise<PreparedCase> {
  await using opened = new AsyncDisposableStack();
  const engine = await openInThreadEngine();
  opened.defer(() => engine.close());
  const design = plainDesign("p4m");
  const source = asUpload(photoLike(SIZE));
  let tile: Uint8Array = new Uint8Array();
  const ours: Contender = {
    name: `orbifold (${engine.backend})`,
    ours: true,
    async run() {
      return reading(
        await lastTimed(RUNS, async () => (tile = await engine.tile(design, source, SIZE))),
      );
    },
  };
  const folder = await mkdtemp(join(tmpdir(), "orbifold-bench-"));
  opened.defer(() => rm(folder, { recursive: true }));
  const python = startPythonPeer("p4m_orbit.py", ["cv2", "numpy"]);
  opened.defer(() => python?.close());
  const versions =
    python === null ? {} : await load(python, folder, engine.context, design, source);
  const peers = python === null ? [] : PEERS.map(({ name }) => pythonContender(python, name));
  const kept = opened.move();
  return {
    contenders: [ours, ...peers],
    notes:
      python === null
        ? ["no Python with cv2 and numpy here, so no peers (Debian: python3-opencv, python3-numpy)"]
        : [],
    versions,
    async check() {
      await ours.run();
      for (const peer of python === null ? [] : PEERS) {
        const file = join(folder, "tile.rgb");
        await python?.send({ run: peer.name, runs: 1 });
        await python?.send({ save: peer.name, to: file });
        assertSamePixels(peer.name, tile, await readFile(file), peer);
      }
    },
    close: () => kept.disposeAsync(),
  };
}

/** Sends the peers the source and placement of the engine. Returns the peers' versions. */
async function load(
  python: PythonPeer,
  folder: string,
  context: RenderContext,
  design: Design,
  source: SourceBytes,
): Promise<Readonly<Record<string, string>>> {
  const isometries = isometriesOf(design.group, design.lattice);
  const domain = domainOf(isometries);
  const levels = await context.codec.levels(source);
  const toSource = placeMotif(domain.corners, design.motif, levels);
  const part = sampledPart(windowOf(domain, design.seam).box, toSource, levels, 1 / SIZE);
  const { width, height } = part;
  const words = new Int32Array(LIGHT_WORDS * width * height);
  await levels.make(part.level, [part], context.checkpoint);
  levels.copyOf(part)({ light: words, length: width }, [part]);
  const path = join(folder, "source.f32");
  await writeFile(path, linearLight(words));
  const { a, b, c, d, e, f } = compose(toPixelsOf(part), toSource);
  return python.load({
    load: {
      path,
      width,
      height,
      size: SIZE,
      elements: isometries.cosets.map((g) => [g.a, g.b, g.c, g.d, g.e, g.f]),
      centre: [domain.centre.x, domain.centre.y],
      to_source: [a, b, c, d, e, f],
    },
  });
}

function pythonContender(python: PythonPeer, name: string): Contender {
  return {
    name,
    ours: false,
    async run() {
      return reading(await python.measure({ run: name, runs: RUNS }));
    },
  };
}

function reading(ms: number) {
  return { ms, mpx: (SIZE * SIZE) / 1000 / ms };
}

/** Returns the red, green and blue of light as numbers 0…1. */
function linearLight(words: Int32Array): Float32Array {
  const halves = new Int16Array(words.buffer);
  const pixels = words.length / LIGHT_WORDS;
  // The fourth half of a pixel is its alpha.
  return Float32Array.from(
    { length: 3 * pixels },
    (_, at) => (halves[4 * Math.floor(at / 3) + (at % 3)] + ZERO) / (2 * ZERO - 1),
  );
}
