/** What renders take from a thread's picture memory shows nothing of others, and is given back once. */
import t from "tap";
import type { WorkerContext } from "../../engine/render/context.ts";
import type { PictureMemory } from "../../engine/reused-array.ts";
import type { RequestParts } from "../helpers/engine.ts";
import { inThread } from "../helpers/in-thread.ts";
import { faded, photograph, pngOf } from "../helpers/pictures.ts";

/** A colour that no picture here has. */
const POISON = 0x123456;

/** Fills all that a memory lends and gets back, and counts what it has lent. */
function poison(memory: PictureMemory) {
  const lent = new Set<ArrayBufferLike>();
  let taken = 0;
  const { take, giveBack } = memory;
  const fill = ({ buffer }: Pick<ArrayBufferView, "buffer">) =>
    new Float32Array(buffer).fill(POISON);
  Object.assign(memory, {
    take(length: number) {
      const numbers = take(length);
      if (lent.has(numbers.buffer)) throw new Error("memory was lent twice");
      lent.add(numbers.buffer);
      taken++;
      fill(numbers);
      return numbers;
    },
    giveBack(array: Pick<ArrayBufferView, "buffer">) {
      if (!lent.delete(array.buffer)) throw new Error("memory was given back twice");
      fill(array);
      giveBack(array);
    },
  });
  return { lent, taken: () => taken };
}

/** Has other periods take the place of those that are kept. */
async function evictPeriods({ periods }: Pick<WorkerContext, "periods">) {
  for (let n = 0; n < 4; n++) {
    const period = { colour: new Float32Array(1), alpha: null, giveBack: () => undefined };
    await periods.of(["another", Math.random()], () => period);
  }
}

const sheet = { mode: "surface", surface_width: 300, surface_height: 700, size: 96 } as const;
const aperiodic = { mode: "aperiodic", surface_width: 300, surface_height: 210, cell: 30 } as const;
const source = pngOf(photograph(90, 60));
const transparent = pngOf(faded(photograph(90, 60)));

const REQUESTS: Readonly<Record<string, RequestParts>> = {
  "a tile": { source, group: "p4m", render: { size: 128 } },
  "a tile that is its asymmetric unit": { source, group: "p1", render: { size: 128 } },
  "a transparent tile": { source: transparent, group: "p3", render: { size: 96 } },
  "a periodic sheet as WebP": { source, group: "p2", render: { ...sheet, format: "webp" } },
  "a transparent sheet as WebP": { source: transparent, render: { ...sheet, format: "webp" } },
  "a turned sheet": { source, group: "p4", render: { ...sheet, rotation: 20 } },
  "a sheet with effects": {
    source,
    render: { ...sheet, rotation: 20, surface_effects: [{ id: "emboss" }, { id: "grain" }] },
  },
  "an aperiodic sheet": { source, render: aperiodic },
  "a transparent aperiodic sheet": { source: transparent, render: aperiodic },
  "an aperiodic sheet with lines as JPEG": {
    source,
    render: {
      ...aperiodic,
      format: "jpeg",
      aperiodic: { kind: "hat", fill: "flat", outline_width: 0.1 },
    },
  },
};

for (const [name, parts] of Object.entries(REQUESTS)) {
  t.test(name, async (t) => {
    const expected = await (await inThread(t)).render(parts);
    const { context, render } = await inThread(t);
    const { lent, taken } = poison(context.pictureMemory);
    for (const again of [1, 2]) {
      t.ok(Buffer.compare(await render(parts), expected) === 0, `the same file, ${again}`);
      await evictPeriods(context);
      t.equal(lent.size, 0, "all is given back");
    }
    t.ok(taken() > 0);
  });
}
