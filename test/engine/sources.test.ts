/** What is copied of a source into kernels, and what becomes of it where something is missing or fails. */
import t, { type Test } from "tap";
import { bytesOf } from "../../engine/image/samples.ts";
import {
  LevelMissing,
  levelSize,
  levelsFromOctave,
  prepareLevels,
  type SourceLevels,
} from "../../engine/image/source-levels.ts";
import { render } from "../../engine/render/render.ts";
import { bufferSizeFor } from "../../engine/render/sources.ts";
import { type RequestParts, request } from "../helpers/engine.ts";
import { inThread } from "../helpers/in-thread.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";

const picture = photograph(800, 600);
const source = pngOf(picture);

/** Renders designs in turn in one thread, each of the levels of a source that `levelsOf` returns. */
async function thread(t: Test) {
  const { context } = await inThread(t);
  return async (parts: RequestParts, levels: SourceLevels): Promise<Buffer> => {
    const pieces: Uint8Array[] = [];
    const send = async (bytes: Uint8Array) => void pieces.push(Uint8Array.from(bytes));
    const codec = { ...context.codec, levels: async () => levels };
    const sink = { head: () => undefined, send };
    await render({ ...context, codec }, request({ source, ...parts }), sink, () => 0);
    return Buffer.concat(pieces);
  };
}

const tile = { mode: "tile", size: 400 } as const;
const designs = [
  { group: "p1", motif: { scale: 2, rotation: 20 }, render: tile },
  { group: "p4m", motif: { scale: 2 }, render: tile },
  { group: "p31m", seam: { method: "average" }, render: tile },
] as const;

t.test("a render of levels that are too coarse names the one that is missing", async (t) => {
  const draw = await thread(t);
  const whole = prepareLevels(picture);
  const finest = 10;
  const pixels = bytesOf(whole.level(finest));
  const coarse = { ...levelSize(picture, finest), channels: 3, pixels } as const;
  for (const parts of designs) {
    const drawn = draw(parts, levelsFromOctave(picture, finest, coarse));
    await t.rejects(drawn, LevelMissing, parts.group);
  }
});

/** Levels of which one copy breaks off after some rectangles. */
function withFailingCopy(levels: SourceLevels, failing: number): SourceLevels {
  let copies = 0;
  return Object.create(levels, {
    copyOf: {
      value: (part: Parameters<SourceLevels["copyOf"]>[0]): ReturnType<SourceLevels["copyOf"]> => {
        const copy = levels.copyOf(part);
        return (into, rectangles) => {
          copies++;
          if (copies !== failing) return copy(into, rectangles);
          copy(into, [...rectangles].slice(0, -1));
          throw new RangeError("no memory");
        };
      },
    },
  });
}

t.test("a copy that fails is made again", async (t) => {
  for (const parts of designs) {
    const [fresh, used] = [await thread(t), await thread(t)];
    const expected = await fresh(parts, prepareLevels(picture));
    for (const name of ["in a new kernel", "in one that has run"]) {
      // Later copies are made for a kernel that has some of the part.
      for (const failing of parts.group === "p31m" ? [1] : [1, 2]) {
        const levels = withFailingCopy(prepareLevels(picture), failing);
        await t.rejects(used(parts, levels), RangeError);
        t.ok((await used(parts, levels)).equals(expected), `${parts.group}, ${name}, ${failing}`);
        await used({ ...parts, motif: { x: 0.1 } }, levels);
      }
    }
  }
});

t.test("what other sources have left in a kernel does not show", async (t) => {
  const draw = await thread(t);
  const white = { ...picture, pixels: picture.pixels.map(() => 255) };
  for (const parts of designs) {
    const expected = await (await thread(t))(parts, prepareLevels(picture));
    await draw({ ...parts, source: pngOf(white) }, prepareLevels(white));
    t.ok((await draw(parts, prepareLevels(picture))).equals(expected), parts.group);
  }
});

t.test("parts share a few sizes of buffers in which they fit", async (t) => {
  for (const backend of ["webgpu", "webasm", "cpu"] as const) {
    const sizes = new Set<string>();
    for (let width = 1; width <= 8192; width += 97) {
      for (let height = 1; height <= 1024; height += 93) {
        const buffer = bufferSizeFor({ width, height }, backend);
        if (buffer.width < width || buffer.height < height) t.fail(`${width} × ${height}`);
        sizes.add(`${buffer.width} × ${buffer.height}`);
      }
    }
    t.ok(sizes.size <= 4, `${backend}: ${[...sizes].join(", ")}`);
  }
  const large = { width: 5000, height: 3000 };
  t.same(bufferSizeFor(large, "webasm"), large);
});
