/** Which blocks of a part are copied for lines that are sampled. */
import t from "tap";
import { PartBlocks } from "../../engine/image/continued-part.ts";
import type { Region } from "../../engine/image/picture.ts";
import { seed } from "../helpers/random-subset.ts";
import { sequence } from "../helpers/sequence.ts";

/** A line in pixels of a part. */
type Line = readonly [fromX: number, fromY: number, toX: number, toY: number];

/** Marks what rectangles cover, in rows of the region, and counts what more than one of them covers. */
function cover({ x, y, width, height }: Region, rectangles: Iterable<Region>, covered: Uint8Array) {
  let twice = 0;
  for (const one of rectangles) {
    for (let row = one.y - y; row < one.y - y + one.height; row++) {
      for (let column = one.x - x; column < one.x - x + one.width; column++) {
        if (row < 0 || row >= height || column < 0 || column >= width) throw new Error("outside");
        twice += covered[row * width + column];
        covered[row * width + column] = 1;
      }
    }
  }
  return twice;
}

/** Returns how many pixels that interpolation reads along a line are not covered. */
function uncovered({ width, height }: Region, [fromX, fromY, toX, toY]: Line, covered: Uint8Array) {
  let count = 0;
  const clamp = (at: number, size: number) => Math.min(Math.max(at, 0), size - 1);
  for (let k = 0; k <= 400; k++) {
    const column = Math.floor(fromX + ((toX - fromX) * k) / 400);
    const row = Math.floor(fromY + ((toY - fromY) * k) / 400);
    for (let dy = -1; dy <= 2; dy++) {
      for (let dx = -1; dx <= 2; dx++) {
        count += 1 - covered[clamp(row + dy, height) * width + clamp(column + dx, width)];
      }
    }
  }
  return count;
}

t.test("blocks have all that interpolation reads along lines, each once", async (t) => {
  const random = sequence(seed);
  const between = (least: number, most: number) => least + (most - least) * random();
  for (let n = 0; n < 60; n++) {
    const region = {
      x: Math.floor(between(-500, 500)),
      y: Math.floor(between(-500, 500)),
      width: Math.floor(between(1, 400)),
      height: Math.floor(between(1, 400)),
    };
    const [right, bottom] = [region.width + 50, region.height + 50];
    const end = (): [number, number] => [between(-50, right), between(-50, bottom)];
    const blocks = new PartBlocks(region);
    const copied = new Uint8Array(blocks.length);
    const covered = new Uint8Array(region.width * region.height);
    let known = 0;
    for (let k = 0; k < 4; k++) {
      const [x, y] = end();
      // Level, upright, a single point, and at any angle.
      const line = [
        [x, y, end()[0], y],
        [x, y, x, end()[1]],
        [x, y, x, y],
        [x, y, ...end()],
      ][k] as [number, number, number, number];
      blocks.addLine(...line);
      t.equal(cover(region, blocks.missing(copied, known), covered), 0, "none is copied twice");
      known = blocks.count;
      t.equal(uncovered(region, line, covered), 0, `${line} of ${JSON.stringify(region)}`);
    }
    t.strictSame([...blocks.missing(copied)], [], "all are copied");
    const several = new Uint8Array(covered.length);
    cover(region, blocks.missing(new Uint8Array(blocks.length), 0, 4), several);
    t.ok(
      covered.every((one, at) => one <= several[at]),
      "several rows of blocks cover all of them",
    );
  }
});

t.test("a short line needs few blocks", async (t) => {
  const blocks = new PartBlocks({ x: 0, y: 0, width: 1000, height: 1000 });
  t.equal(blocks.length, 16 * 32);
  blocks.addLine(460, 490, 470, 495);
  t.equal(blocks.count, 1);
  blocks.addLine(10, 10, 990, 10);
  t.equal(blocks.count, 17);
});
