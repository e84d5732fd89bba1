import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import t from "tap";
import { bandsWithin, createPartCopy, type PartRows } from "../../engine/image/continued-part.ts";
import { makeHalfOctaves, makeOctaves } from "../../engine/image/make-octaves.ts";
import type { ByteImage } from "../../engine/image/picture.ts";
import {
  type LevelPlace,
  lastLevel,
  openLevels,
  prepareLevels,
} from "../../engine/image/source-levels.ts";
import type { Size } from "../../engine/size.ts";
import { photograph } from "../helpers/pictures.ts";

const photo = photograph(180, 121);

const checkpoint = async () => undefined;

/** A place in shared memory that has been used before. */
const usedPlace = (bytes: number): LevelPlace => {
  const memory = new SharedArrayBuffer(bytes + 128);
  new Uint8Array(memory).fill(0x5a);
  return { memory, start: 64 };
};

t.test("levels that are prepared in steps equal those that are read", async (t) => {
  const picture = photograph(700, 600);
  const prepared = prepareLevels(picture);
  await makeOctaves(prepared, checkpoint);
  t.equal(await makeHalfOctaves(prepared, -1, checkpoint), false);
  t.equal(await makeHalfOctaves(prepared, 60_000, checkpoint), true);
  const read = prepareLevels(picture);
  for (let level = 0; level <= lastLevel(picture); level++) read.level(level);
  t.ok(
    Buffer.from(prepared.memory).equals(Buffer.from(read.memory)),
    "the same bytes, none missing",
  );
});

t.test("a level is the same whichever was made before it, in every thread", async (t) => {
  const [once, inOrder] = [await prepareLevels(photo), await prepareLevels(photo)];
  const last = once.level(7);
  for (let k = 0; k < 7; k++) inOrder.level(k);
  t.strictSame(inOrder.level(7), last);
  const shared = await prepareLevels(photo, usedPlace);
  const opened = openLevels(shared);
  t.strictSame(opened.level(7), last);
  t.equal(opened.level(7).colour.buffer, shared.level(7).colour.buffer);
  t.strictSame([opened.width, opened.height, opened.hasAlpha], [180, 121, false]);
  t.strictSame(opened.mean, once.mean);
});

/** A picture of many blocks that is quick to make. */
function large(width: number, height: number, channels: 3 | 4): ByteImage {
  const pixels = Uint8Array.from({ length: width * height * channels }, (_, at) => {
    const pixel = Math.floor(at / channels);
    return (pixel % width) + Math.floor(pixel / width) * (1 + (at % channels)) + (at % 7);
  });
  return { width, height, channels, pixels };
}

/** Copies a part of a level by one function or another. */
function copied({ width, height }: Size, hasAlpha: boolean, copy: (into: PartRows) => void) {
  const count = width * height;
  const into = {
    colour: new Float32Array(count),
    alpha: hasAlpha ? new Float32Array(count) : null,
    length: width,
  };
  copy(into);
  return into;
}

t.test("parts of levels are those of whole levels, in whatever order they are made", async (t) => {
  const parts = [
    { x: 0, y: 0, width: 60, height: 40 },
    { x: 200, y: 90, width: 150, height: 170 },
    { x: -70, y: 20, width: 90, height: 30 },
    { x: 300, y: -10, width: 300, height: 400 },
    { x: -900, y: -900, width: 30, height: 20 },
  ];
  for (const channels of [3, 4] as const) {
    const picture = large(701, 523, channels);
    const whole = prepareLevels(picture);
    for (const level of [1, 2, 3, 4, 6]) {
      const levels = prepareLevels(picture);
      for (const region of parts) {
        const { x, y, width, height } = region;
        const outline = [
          { x: x + width / 2, y },
          { x: x + width, y: y + height / 2 },
          { x: x + width / 2, y: y + height },
          { x, y: y + height / 2 },
        ];
        const bands = [...bandsWithin(region, outline)];
        await levels.make(level, bands, checkpoint);
        t.strictSame(
          copied(region, channels === 4, (into) =>
            levels.copyOf({ ...region, level })(into, bands),
          ),
          copied(region, channels === 4, (into) =>
            createPartCopy(whole.level(level), region)(into, bands),
          ),
          `level ${level}, ${JSON.stringify(region)}`,
        );
      }
      t.strictSame(levels.level(level), whole.level(level));
    }
  }
});

t.test("makes no more of a level than a part needs", async (t) => {
  const picture = { ...large(2000, 1500, 3), pixels: new Uint8Array(3 * 2000 * 1500).fill(99) };
  const levels = prepareLevels(picture);
  const region = { x: 300, y: 200, width: 100, height: 100 };
  const outline = [
    { x: 300, y: 200 },
    { x: 400, y: 200 },
    { x: 400, y: 300 },
    { x: 300, y: 300 },
  ];
  let checkpoints = 0;
  const bands = [...bandsWithin(region, outline)];
  await levels.make(3, bands, async () => {
    checkpoints++;
  });
  t.ok(checkpoints >= 3, "can be cancelled in between");
  // The finest level lies first in the memory, and 0 is what is not made.
  const made = new Float32Array(levels.memory.slice(-4 * 2_000_000));
  t.ok(made.filter((colour) => colour !== 0).length < 500_000);
});

/** Starts a thread that makes all levels, from the coarsest or the finest on. */
function startMaker({ memory, start }: LevelPlace, order: "ascending" | "descending"): Worker {
  const module = new URL("../../engine/image/source-levels.ts", import.meta.url).href;
  const code = `
    import { workerData } from "node:worker_threads";
    import { lastLevel, openLevels } from ${JSON.stringify(module)};
    const levels = openLevels(workerData);
    const last = lastLevel(levels);
    for (let k = 0; k <= last; k++) levels.level(${order === "ascending" ? "k" : "last - k"});`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  return new Worker(url, { workerData: { memory, start } });
}

t.test("levels that several threads make at once are the same", async (t) => {
  const picture = large(900, 700, 3);
  const shared = prepareLevels(picture, usedPlace);
  const makers = (["ascending", "descending", "ascending"] as const).map((order) =>
    startMaker(shared, order),
  );
  await Promise.all(makers.map((maker) => once(maker, "exit")));
  const alone = prepareLevels(picture);
  for (let k = 0; k <= lastLevel(picture); k++) t.strictSame(shared.level(k), alone.level(k));
});

t.test("what a thread has claimed and not made is made by others", async (t) => {
  const picture = large(2600, 1800, 3);
  const shared = prepareLevels(picture, usedPlace);
  const alone = prepareLevels(picture);
  const maker = startMaker(shared, "descending");
  const before = shared.memory.slice(0);
  const isSame = () =>
    Buffer.compare(Buffer.from(before), Buffer.from(shared.memory as SharedArrayBuffer)) === 0;
  while (isSame()) await setTimeout(1);
  await maker.terminate();
  t.strictSame(shared.level(2), alone.level(2));
});
