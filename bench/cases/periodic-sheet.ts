/** Case 4: a tile repeated into a large sheet, as a PNG. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { Value } from "typebox/value";
import { checkDesign, checkRender } from "../../engine/recipe/check.ts";
import { plainDesign, RenderFields, type RenderRequest } from "../../engine/recipe/index.ts";
import { type BenchCase, type Contender, type PreparedCase, WrongResult } from "../harness/case.ts";
import { timed } from "../harness/timed.ts";
import { findCommand } from "../peers/command-peer.ts";
import { startPythonPeer } from "../peers/python-peer.ts";
import { photoLike } from "../pictures/photo-like.ts";
import { asUpload, openInThreadEngine } from "./in-thread-engine.ts";

const TILE = 1024;
const REPEATS = 8;
const SHEET = TILE * REPEATS;
const LEVEL = 6;

export const periodicSheet: BenchCase = {
  name: "sheet",
  number: 4,
  title: `Periodic sheet of ${SHEET}², a tile of ${TILE}² to PNG bytes, one thread of our own`,
  scope: "kernel figure",
  fairness:
    "Ours is the engine's whole render in this thread; its first column begins where the tile is there, the second holds the tile's making as well. The peers begin with the finished tile's pixels in memory, the programs of the command line with a file of them, and write a file; their start counts. Those in this process run twice and the second time counts: half a minute of the others drives their code and memory out. sharp and libvips use as many threads as they like, level 6 all.",
  metrics: [
    { name: "ms", unit: "ms", better: "lower" },
    { name: "whole", unit: "ms with the tile", better: "lower" },
    { name: "size", unit: "file MB", better: "lower" },
  ],
  targets: [
    { metric: "ms", peer: "sharp, composite tile", must: 20, aim: 100 },
    { metric: "ms", peer: "sharp, extend repeat", must: 20, aim: 100 },
    { metric: "ms", peer: "vips replicate", must: 20, aim: 100 },
  ],
  prepare,
};

/** Makes a PNG of the sheet from the tile, and measures its milliseconds. */
interface Way {
  readonly name: string;
  make(): Promise<{ readonly ms: number; readonly file: Uint8Array }>;
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
  const { ways, notes, versions } = await openPeers(tile, folder, opened);
  const kept = opened.move();
  return {
    contenders: [
      {
        name: `orbifold (${engine.backend})`,
        ours: true,
        async run() {
          let rendered = await engine.file(request);
          const whole = await timed(async () => {
            rendered = await engine.file(request);
          });
          return { ms: rendered.afterHead, whole, size: rendered.bytes.length / 1e6 };
        },
      },
      ...ways.map(contender),
    ],
    notes,
    versions,
    async check() {
      await assertTiled("orbifold", (await engine.file(request)).bytes, tile);
      for (const way of ways) await assertTiled(way.name, (await way.make()).file, tile);
    },
    close: () => kept.disposeAsync(),
  };
}

function contender({ name, make }: Way): Contender {
  return {
    name,
    ours: false,
    async run() {
      const { ms, file } = await make();
      return { ms, whole: ms, size: file.length / 1e6 };
    },
  };
}

async function openPeers(tile: Uint8Array, folder: string, opened: AsyncDisposableStack) {
  // 0 selects all cores, whatever an earlier case has set.
  sharp.concurrency(0);
  const pixels = Buffer.from(tile);
  const raw = { raw: { width: TILE, height: TILE, channels: 3 } } as const;
  const png = { compressionLevel: LEVEL };
  const tilePath = join(folder, "tile.png");
  await sharp(pixels, raw).png().toFile(tilePath);
  const sheetPath = join(folder, "sheet.png");
  const right = SHEET - TILE;
  const canvas = { width: SHEET, height: SHEET, channels: 3, background: "black" } as const;
  const ways = [
    inMemory("sharp, composite tile", () =>
      sharp({ create: canvas })
        .composite([{ input: pixels, ...raw, tile: true, gravity: "northwest" }])
        .removeAlpha()
        .png(png)
        .toBuffer(),
    ),
    inMemory("sharp, extend repeat", () =>
      sharp(pixels, raw).extend({ right, bottom: right, extendWith: "repeat" }).png(png).toBuffer(),
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
    ways.push(
      inFile("vips replicate", sheetPath, () => vips.run("replicate", tilePath, to, times, times)),
    );
  }

  const magick = findCommand(["magick", "convert"], /^Version: ImageMagick (\S+)/);
  if (magick === null) notes.push("no ImageMagick here (Debian: imagemagick)");
  else {
    versions.imagemagick = magick.version;
    const level = ["-define", `png:compression-level=${LEVEL}`];
    const size = ["-size", `${SHEET}x${SHEET}`];
    ways.push(
      inFile("ImageMagick", sheetPath, () =>
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
    const load = { path, size: TILE, repeats: REPEATS };
    Object.assign(versions, await python.load({ load }));
    ways.push({
      name: "OpenCV",
      async make() {
        const ms = await python.measure({ run: "OpenCV" });
        await python.send({ save: sheetPath });
        return { ms, file: await readFile(sheetPath) };
      },
    });
  }
  return { ways, notes, versions };
}

function inMemory(name: string, make: () => Promise<Uint8Array>): Way {
  return {
    name,
    async make() {
      let file = await make();
      const ms = await timed(async () => {
        file = await make();
      });
      return { ms, file };
    },
  };
}

/** Reading the file is not timed. */
function inFile(name: string, path: string, make: () => Promise<void>): Way {
  return { name, make: async () => ({ ms: await timed(make), file: await readFile(path) }) };
}

async function assertTiled(name: string, file: Uint8Array, tile: Uint8Array): Promise<void> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
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
