/** Renders that another thread helps with. */
import t, { type Test } from "tap";
import { compressBand } from "../../engine/encoders/png/compress-band.ts";
import { createPngWriter } from "../../engine/encoders/png/png.ts";
import { bandRows } from "../../engine/image/bands.ts";
import { bytesOf, type SampledImage } from "../../engine/image/samples.ts";
import { createEngine } from "../../engine/index.ts";
import { type AskForHelp, takeItems } from "../../engine/render/help.ts";
import { render } from "../../engine/render/render.ts";
import { helpToSample } from "../../engine/render/tile.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { bytesOf as fileOf, type RequestParts, request, testEngine } from "../helpers/engine.ts";
import { inThread } from "../helpers/in-thread.ts";
import { until } from "../helpers/jobs.ts";
import { hash, photograph, pngOf } from "../helpers/pictures.ts";
import { draw, some } from "../helpers/random-subset.ts";

const photo = photograph(300, 200);
const veiled = new Uint8Array(300 * 200 * 4).map((_, at) =>
  at % 4 === 3 ? 255 - ((at >> 4) % 200) : photo.pixels[(at >> 2) * 3 + (at & 3)],
);
const sources = [pngOf(photo), pngOf({ ...photo, channels: 4, pixels: veiled })];
const GROUPS = ["p1", "p2", "pm", "pg", "pgg", "cm", "p3", "p4", "p4m"] as const;

const tiles: RequestParts[] = GROUPS.flatMap((group, n) =>
  sources.map((source, alpha) => ({
    group,
    source,
    motif: { x: 0.2 + 0.6 * hash(n, alpha), rotation: 360 * hash(alpha, n), scale: 1.3 },
    render: { mode: "tile", size: 1024, tile: n % 3 === 2 ? "cell" : "square" },
  })),
);

/** Two threads in one: they alternate at each item. */
async function helped(t: Test, isLost: boolean) {
  const [own, other] = [(await inThread(t)).context, (await inThread(t)).context];
  const count = { sample: 0, compress: 0 };
  /** Settles once the other thread can take items. */
  let ready: Promise<unknown> = Promise.resolve();
  const help: AskForHelp = async (task) => {
    const begun =
      task.kind === "sample"
        ? helpToSample(other, task).then((sample) => (isLost ? async () => null : sample))
        : Promise.resolve((band: number) => compressBand(task.picture, band));
    ready = begun;
    const work = await begun;
    const finished = await takeItems(task.items, "last", work as never);
    count[task.kind] += finished.size;
    return isLost ? new Map() : (finished as never);
  };
  const file = async (parts: RequestParts, context: typeof own) => {
    const pieces: Uint8Array[] = [];
    const send = async (bytes: Uint8Array) => void pieces.push(Uint8Array.from(bytes));
    await render(context, request(parts), { head: () => undefined, send }, () => 0);
    return Buffer.concat(pieces);
  };
  return {
    count,
    alone: (parts: RequestParts) => file(parts, own),
    together: (parts: RequestParts) =>
      file(parts, { ...own, help, checkpoint: async () => void (await ready) }),
  };
}

for (const isLost of [false, true]) {
  t.test(`a tile has the same bytes with help${isLost ? " that is lost" : ""}`, async (t) => {
    const { alone, together, count } = await helped(t, isLost);
    for (const parts of some(tiles, 4, Number(isLost))) {
      const name = `${parts.group} of ${parts.source?.length} bytes`;
      t.ok((await together(parts)).equals(await alone(parts)), name);
    }
    t.ok(count.compress > 0, `${count.compress} bands`);
    const [p1] = tiles;
    await together(p1);
    t.ok(count.sample > 0, `${count.sample} items of sampling`);
  });
}

const PICTURES: Record<string, (x: number, y: number) => number> = {
  noise: (x, y) => Math.floor(hash(x, y) * 2 ** 24),
  gradient: (x, y) => ((x >> 2) << 16) | ((y >> 2) << 8),
  "flat areas": (x, y) => hash(x >> 5, y >> 5) * 2 ** 24,
  "noise above flat areas": (x, y) => hash(y < 400 ? x : x >> 6, y < 400 ? y : y >> 6) * 2 ** 24,
};

for (const [name, paint] of Object.entries(PICTURES)) {
  t.test(`bands in any order have the bytes of bands in turn: ${name}`, async (t) => {
    // The last band has one row.
    const [width, height] = [700, 1123];
    const paints = Float32Array.from({ length: width * height }, (_, at) =>
      Math.floor(paint(at % width, Math.floor(at / width))),
    );
    const alpha = paints.map((_, at) => 100 + ((at >> 6) % 100));
    const rows = bandRows(width, height, 0);
    for (const picture of [{ alpha: null }, { alpha }]) {
      const whole: SampledImage = { width, height, colour: paints, ...picture };
      const bytes = bytesOf(whole);
      const stride = bytes.length / height;
      const channels = picture.alpha ? 4 : 3;
      const writer = createPngWriter({ width, height, channels, pixelsPerInch: 72 });
      const inTurn: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += rows * stride) {
        inTurn.push(await writer.band(bytes.subarray(at, at + rows * stride)));
      }
      const other = createPngWriter({ width, height, channels, pixelsPerInch: 72 });
      const order = draw([...inTurn.keys()], inTurn.length);
      const bands = new Map(order.map((band) => [band, compressBand(whole, band)]));
      for (const [band, chunk] of inTurn.entries()) {
        const compressed = bands.get(band) as ReturnType<typeof compressBand>;
        const { buffer, byteLength } = compressed.deflated;
        t.equal(buffer.byteLength, byteLength, "another thread can have it");
        const added = other.add(compressed);
        t.ok(Buffer.compare(added, chunk) === 0, `band ${band} of ${channels} channels`);
      }
    }
  });
}

t.test("an idle thread helps, and may die", async (t) => {
  process.env.FAILING_WORKER_FOLDER = await temporaryFolder(t);
  const options = { backend: "webasm", threads: 2, queueMax: 8 } as const;
  const worker = new URL("./crashing-worker.ts", import.meta.url);
  const dying = await createEngine(options, worker);
  t.teardown(() => dying.close(0));
  const alone = await testEngine(t, { threads: 1 });
  // Until both threads have started.
  await Promise.all([9, 10].map((size) => dying.render(request({ render: { size } }))));
  for (const parts of tiles.slice(0, 2)) {
    const [one, other] = [await alone.render(request(parts)), await dying.render(request(parts))];
    t.ok(Buffer.compare(await fileOf(other), await fileOf(one)) === 0, `${parts.group}`);
  }
  // One that comes late dies after the tile is done.
  await until(() => dying.lostThreads() > 0);
});

t.test("threads that help each other render the same bytes", async (t) => {
  const [alone, together] = [
    await testEngine(t, { threads: 1 }),
    await testEngine(t, { threads: 2 }),
  ];
  await Promise.all([9, 10].map((size) => together.render(request({ render: { size } }))));
  for (const parts of some(tiles, 3, 7)) {
    const [one, other] = [
      await alone.render(request(parts)),
      await together.render(request(parts)),
    ];
    t.ok(Buffer.compare(await fileOf(other), await fileOf(one)) === 0, `${parts.group}`);
  }
  t.equal(together.lostThreads(), 0);
});
