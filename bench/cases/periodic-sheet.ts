/** Case 16: a tile repeated into a large sheet, as a PNG file. */
import { closeSync, openSync, writeSync } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { Value } from "typebox/value";
import { checkDesign, checkRender } from "../../engine/recipe/check.ts";
import { plainDesign, RenderFields, type RenderRequest } from "../../engine/recipe/index.ts";
import { render } from "../../engine/render/render.ts";
import { type BenchCase, type PreparedCase, WrongResult } from "../harness/case.ts";
import { lastTimed, timed } from "../harness/timed.ts";
import { findCommand } from "../peers/command-peer.ts";
import { startPythonPeer } from "../peers/python-peer.ts";
import { photoLike } from "../pictures/photo-like.ts";
import { asUpload, type InThreadEngine, openInThreadEngine } from "./in-thread-engine.ts";

const TILE = 1024;
const REPEATS = 8;
const SHEET = TILE * REPEATS;
const LEVEL = 6;
/** Of a contender in this process, in each round. */
const RUNS = 5;

export const periodicSheet: BenchCase = {
  name: "sheet",
  number: 16,
  title: `Periodic sheet of ${SHEET}², a tile of ${TILE}² to a PNG file, one thread of our own`,
  scope: "kernel figure",
  fairness: `Ours is the engine's whole render in this thread; its first column begins where the tile is there, the second holds the tile's making as well. The peers begin with the finished tile's pixels in memory, the programs of the command line with a file of them; their start counts. All write a file. Those in this process run ${RUNS} times and the last time counts, when their code is compiled: half a minute of the others drives code and memory out. sharp and libvips use as many threads as they like, level 6 all.`,
  metrics: [
    { name: "ms", unit: "ms", better: "lower" },
    { name: "whole", unit: "ms with the tile", better: "lower" },
    { name: "size", unit: "file MB", better: "lower" },
  ],
  targets: [
    { metric: "ms", peer: "sharp, composite tile", must: 20, aim: 100 },
    { metric: "ms", peer: "sharp, extend repeat", must: 15, aim: 20 },
    { metric: "ms", peer: "vips replicate", must: 15, aim: 20 },
  ],
  prepare,
};

/** A peer's way to make a PNG of the sheet from the tile. */
interface Way {
  readonly name: string;
  /** Writes the file, and returns the milliseconds for it. */
  make(): Promise<number>;
}

async function prepare(): Promise<PreparedCase> {
  await using opened = new AsyncDisposableStack();
  const engine = await openInThreadEngine();
  opened.defer(() => engine.close());
  const source = asUpload(photoLike(TILE));
  const request: RenderRequest = {
    design: checkDesign(plainDesign("p4")),
    source,
    render: checkRender({
      ...Value.Create(RenderFields),
      mode: "surface",
      surface_width: SHEET,
      surface_height: SHEET,
      cell: TILE,
    }),
  };
  const tile = await engine.tile(request.design, source, TILE);
  const folder = await mkdtemp(join(tmpdir(), "orbifold-bench-"));
  opened.defer(() => rm(folder, { recursive: true }));
  const path = join(folder, "sheet.png");
  const { ways, notes, versions } = await openPeers(tile, folder, path, opened);
  const megabytes = async () => (await stat(path)).size / 1e6;
  const kept = opened.move();
  return {
    contenders: [
      {
        name: `orbifold (${engine.backend})`,
        ours: true,
        async run() {
          let ms = 0;
          const whole = await lastTimed(RUNS, async () => {
            ms = await writeSheet(engine, request, path);
          });
          return { ms, whole, size: await megabytes() };
        },
      },
      ...ways.map(({ name, make }) => ({
        name,
        ours: false,
        async run() {
          const ms = await make();
          return { ms, whole: ms, size: await megabytes() };
        },
      })),
    ],
    notes,
    versions,
    async check() {
      await writeSheet(engine, request, path);
      await assertTiled("orbifold", path, tile);
      for (const way of ways) {
        await rm(path);
        await way.make();
        await assertTiled(way.name, path, tile);
      }
    },
    close: () => kept.disposeAsync(),
  };
}

/** Writes a sheet piece by piece, as the server sends it. Returns the milliseconds after its tile was made. */
async function writeSheet(
  { context }: InThreadEngine,
  request: RenderRequest,
  path: string,
): Promise<number> {
  const file = openSync(path, "w");
  let begun = 0;
  const sink = {
    head() {
      begun = performance.now();
    },
    async send(bytes: Uint8Array) {
      writeSync(file, bytes);
    },
  };
  try {
    await render(context, request, sink, () => performance.now());
  } finally {
    closeSync(file);
  }
  return performance.now() - begun;
}

/** @param sheetPath what they write */
async function openPeers(
  tile: Uint8Array,
  folder: string,
  sheetPath: string,
  opened: AsyncDisposableStack,
) {
  // 0 selects all cores, whatever an earlier case has set.
  sharp.concurrency(0);
  const pixels = Buffer.from(tile);
  const raw = { raw: { width: TILE, height: TILE, channels: 3 } } as const;
  const png = { compressionLevel: LEVEL };
  const tilePath = join(folder, "tile.png");
  await sharp(pixels, raw).png().toFile(tilePath);
  const right = SHEET - TILE;
  const canvas = { width: SHEET, height: SHEET, channels: 3, background: "black" } as const;
  const ways = [
    inProcess("sharp, composite tile", () =>
      sharp({ create: canvas })
        .composite([{ input: pixels, ...raw, tile: true, gravity: "northwest" }])
        .removeAlpha()
        .png(png)
        .toFile(sheetPath),
    ),
    inProcess("sharp, extend repeat", () =>
      sharp(pixels, raw)
        .extend({ right, bottom: right, extendWith: "repeat" })
        .png(png)
        .toFile(sheetPath),
    ),
  ];
  const notes: string[] = [];
  const versions: Record<string, string> = {};

  const vips = findCommand(["vips"], /^vips-(\S+)/);
  if (vips === null) notes.push("no vips here (Debian: libvips-tools)");
  else {
    versions.vips = vips.version;
    const to = `${sheetPath}[compression=${LEVEL}]`;
    const times = String(REPEATS);
    ways.push(byCommand("vips replicate", () => vips.run("replicate", tilePath, to, times, times)));
  }

  const magick = findCommand(["magick", "convert"], /^Version: ImageMagick (\S+)/);
  if (magick === null) notes.push("no ImageMagick here (Debian: imagemagick)");
  else {
    versions.imagemagick = magick.version;
    const level = ["-define", `png:compression-level=${LEVEL}`];
    const size = ["-size", `${SHEET}x${SHEET}`];
    ways.push(
      byCommand("ImageMagick", () =>
        magick.run(...size, `tile:${tilePath}`, ...level, `png24:${sheetPath}`),
      ),
    );
  }

  const python = startPythonPeer("replicate.py", ["cv2", "numpy"]);
  if (python === null) notes.push("no Python with cv2 and numpy here (Debian: python3-opencv)");
  else {
    opened.defer(() => python.close());
    const path = join(folder, "tile.rgb");
    await writeFile(path, tile);
    const load = { path, size: TILE, repeats: REPEATS, to: sheetPath };
    Object.assign(versions, await python.load({ load }));
    ways.push({ name: "OpenCV", make: () => python.measure({ run: "OpenCV" }) });
  }
  return { ways, notes, versions };
}

const inProcess = (name: string, make: () => Promise<unknown>): Way => ({
  name,
  make: () => lastTimed(RUNS, make),
});

const byCommand = (name: string, make: () => Promise<void>): Way => ({
  name,
  make: () => timed(make),
});

async function assertTiled(name: string, path: string, tile: Uint8Array): Promise<void> {
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (width !== SHEET || height !== SHEET || channels !== 3) {
    throw new WrongResult(`${name}: ${width} × ${height} pixels of ${channels} channels`);
  }
  const length = TILE * 3;
  for (let y = 0; y < SHEET; y++) {
    const from = (y % TILE) * length;
    for (let at = y * SHEET * 3; at < (y + 1) * SHEET * 3; at += length) {
      if (data.compare(tile, from, from + length, at, at + length) !== 0) {
        throw new WrongResult(`${name}: row ${y} is not the tile's`);
      }
    }
  }
}
