/** The memory of a worker after many renders of all kinds. */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import t from "tap";
import {
  APERIODIC_KINDS,
  GROUP_NAMES,
  patternEffects,
  presets,
  surfaceEffects,
} from "../../engine/index.ts";
import { drawPreset } from "../../engine/render/preset.ts";
import type { RequestParts } from "../helpers/engine.ts";
import { type InThread, inThread } from "../helpers/in-thread.ts";
import { hash, photograph, pngOf } from "../helpers/pictures.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Renders after which kinds, groups, sizes and effects repeat in the same order. */
const ROUND = 100;
const RENDERS = 10 * ROUND;
/** Half of it is for cuts, which fill it within four rounds, and half for kernels. */
const CACHE_BYTES = 20 * 1024 * 1024;

/**
 * Allowed growth in bytes after four further rounds: 5 kB a render. V8 keeps code of released
 * kernels for a while, about 2 kB a render until it levels off after some 2000.
 */
const TOLERANCE = 2_000_000;

const SOURCES = [
  pngOf(photograph(60, 45)),
  pngOf(photograph(45, 60)),
  pngOf({
    width: 40,
    height: 40,
    channels: 4,
    pixels: Uint8Array.from({ length: 6400 }, (_, k) => (k % 1600 < 800 ? k % 251 : 255)),
  }),
];

const pick = <Row>(rows: readonly Row[], index: number) => rows[index % rows.length];

/**
 * Render number `index`. Its kind depends on its place in its round; the position of its motif and
 * its seed never repeat.
 */
function partsOf(index: number): RequestParts {
  const place = index % ROUND;
  const size = 32 + ((place * 29) % 65);
  const design = {
    source: pick(SOURCES, place),
    group: pick(GROUP_NAMES, place),
    motif: {
      x: hash(index, 1),
      y: hash(index, 2),
      scale: 3,
      rotation: Math.floor(hash(index, 3) * 360),
    },
    effects: place % 4 === 0 ? [{ id: pick(patternEffects, Math.floor(place / 4)).id }] : [],
  };
  const sheet = { size, surface_width: size, surface_height: 128 - size, cell: 20 };
  const surface_effects = [{ id: pick(surfaceEffects, Math.floor(place / 4)).id }];
  switch (place % 4) {
    case 1:
      return { ...design, render: { ...sheet, mode: "surface", rotation: place, surface_effects } };
    case 2: {
      const kind = pick(APERIODIC_KINDS, place);
      return {
        ...design,
        render: { ...sheet, mode: "aperiodic", aperiodic: { kind, seed: index } },
      };
    }
    default:
      return { ...design, render: { size } };
  }
}

async function performRender(bench: InThread, index: number): Promise<void> {
  if (index % 4 === 3) {
    const preset = pick(presets, index % ROUND).id;
    await drawPreset(bench.context, preset, index, 32 + (index % 50), null);
  } else {
    await bench.render(partsOf(index));
  }
}

/** Reachable bytes, on the heap and outside it. */
async function bytesHeld(): Promise<number> {
  await setImmediate();
  collectGarbage();
  await setImmediate();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * Growth in bytes from rounds 4 and 5 to rounds 8 and 9: the median over renders with the same
 * place in their rounds, with the cache as full.
 */
async function growthOver(bench: InThread): Promise<number> {
  const early = new Map<number, number>();
  const growths: number[] = [];
  for (let index = 0; index < RENDERS; index++) {
    await performRender(bench, index);
    if (index % 10 !== 9) continue;
    const round = Math.floor(index / ROUND);
    if (round === 4 || round === 5) early.set(index, await bytesHeld());
    const before = early.get(index - 4 * ROUND);
    if (before !== undefined) growths.push((await bytesHeld()) - before);
  }
  growths.sort((a, b) => a - b);
  return growths[growths.length >> 1];
}

t.test("a thousand renders of all kinds leak nothing", async (t) => {
  const bench = await inThread(t, CACHE_BYTES);
  const growth = await growthOver(bench);
  t.ok(growth < TOLERANCE, `${growth} bytes more`);
  t.ok(
    [...bench.bound().values()].reduce((sum, count) => sum + count, 0) <= 24,
    "kernels are bounded",
  );
});

t.test("detects a leak of a few kilobytes a render", async (t) => {
  const before = await bytesHeld();
  for (const make of [
    (size: number) => new Uint8Array(size),
    (size: number) => Array.from({ length: size / 8 }, (_, k) => k / 3),
  ]) {
    const leaked = Array.from({ length: 4 * ROUND }, () => make(8000));
    t.ok((await bytesHeld()) - before > TOLERANCE, `${leaked.length} times`);
  }
});
