import t from "tap";
import { ContinuedPicture } from "../../engine/image/continuation.ts";
import { bandsWithin, createPartCopy } from "../../engine/image/continued-part.ts";
import { LIGHT_WORDS, packLightRow } from "../../engine/image/light.ts";
import type { PackedImage, Region } from "../../engine/image/picture.ts";
import { photograph } from "../helpers/pictures.ts";
import { seed } from "../helpers/random-subset.ts";
import { sequence } from "../helpers/sequence.ts";
import { bytesOfColour, lightOf, packed, paint } from "./paint.ts";

const photo = packed(photograph(96, 64));
const worst = (values: readonly number[], expected: (at: number) => number): number =>
  values.reduce((most, value, at) => Math.max(most, Math.abs(value - expected(at))), 0);

/** A part of a picture and of what continues it. */
function part(picture: PackedImage, region: Region): PackedImage {
  const { width, height } = region;
  const count = width * height;
  const alpha = picture.alpha === null ? null : new Float32Array(count);
  const into = { colour: new Float32Array(count), alpha, length: width };
  createPartCopy(picture, region)(into, [region]);
  return { width, height, colour: into.colour, alpha: alpha && Uint8Array.from(alpha) };
}

/** The same, a row at a time. */
function rows(picture: PackedImage, region: Region): PackedImage {
  const { width, height } = region;
  const count = width * height;
  const light = new Int32Array(LIGHT_WORDS * count);
  for (let row = 0; row < height; row++) {
    const one = { ...region, y: region.y + row, height: 1 };
    new ContinuedPicture(picture, one).copy(one, light, row * width, width);
  }
  const alpha = picture.alpha === null ? null : new Uint8Array(count);
  const packed = { width, height, colour: new Float32Array(count), alpha };
  packLightRow(light, 0, packed, 0, count);
  return packed;
}

/** The mean red light of squares of pixels. */
function means(image: PackedImage, side: number) {
  const [width, height] = [image.width / side, image.height / side];
  const light = lightOf(image);
  const values = Array<number>(width * height).fill(0);
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      const at = Math.floor(y / side) * width + Math.floor(x / side);
      values[at] = (values[at] ?? 0) + (light[3 * (y * image.width + x)] ?? 0) / side ** 2;
    }
  }
  return { width, height, values };
}

t.test("continues beyond the edges without a break, with copies of itself", async (t) => {
  const [margin, width] = [80, photo.width + 160];
  const { colour } = part(photo, { x: -margin, y: 40, width, height: 1 });
  const at = (x: number) => bytesOfColour(colour[x + margin] ?? Number.NaN);
  const apart = (x: number, y: number) => worst([...at(x)], (c) => at(y)[c] ?? Number.NaN);
  const steps = Array.from({ length: photo.width - 1 }, (_, x) => apart(x, x + 1));
  for (const edge of [-1, photo.width - 1]) {
    t.ok(
      apart(edge, edge + 1) <= Math.max(...steps),
      "the step at the edge is one of those inside",
    );
  }
  // A copy begins a tenth inside the picture; it has faded in after a fifth of the shorter side.
  const leftOut = Math.floor(photo.width / 10);
  const faded = Math.ceil(Math.min(photo.width, photo.height) / 5);
  for (let x = faded; x < margin; x++) {
    t.equal(apart(photo.width + x, leftOut + x), 0, `${x} behind`);
    t.equal(apart(-1 - x, photo.width - 1 - leftOut - x), 0, `${x} before`);
  }
});

t.test("continues without symmetries of its own", async (t) => {
  const sides = { x: -3 * photo.width, y: 0, width: 7 * photo.width, height: photo.height };
  const { width, height, values } = means(part(photo, sides), 4);
  const difference = (image: (x: number) => number) => {
    let [sum, count] = [0, 0];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const to = image(x);
        if (to < 0 || to >= width) continue;
        sum += Math.abs((values[y * width + x] ?? 0) - (values[y * width + to] ?? 0));
        count++;
      }
    }
    return sum / count;
  };
  const unlike = difference((x) => x + Math.round(photo.width / 8 / 2));
  for (let shift = width / 14; shift < width / 2; shift++) {
    t.ok(difference((x) => x + shift) > unlike / 3, `moved by ${shift}`);
    t.ok(difference((x) => 2 * shift - x) > unlike / 3, `mirrored at ${shift}`);
  }
});

t.test("continues a picture of one pixel, and of one row", async (t) => {
  for (const [width, height] of [
    [1, 1],
    [1, 40],
    [40, 1],
  ] as const) {
    const small = packed(photograph(width, height));
    const { colour } = part(small, { x: -9, y: -9, width: 60, height: 60 });
    t.ok(colour.every((value) => value >= 0 && value <= 0xffffff));
  }
});

t.test("parts equal the picture's rows, one by one", async (t) => {
  const veiled = packed(
    paint(40, 30, (x, y) => [5 * x, 8 * y, (x * y) % 256, (x * 7 + y * 3) % 256]),
  );
  for (const image of [photo, veiled]) {
    for (const region of [
      { x: 0, y: 0, width: image.width, height: image.height },
      { x: 3, y: 7, width: 20, height: 11 },
      { x: -9, y: -4, width: image.width + 31, height: image.height + 5 },
      { x: image.width + 3, y: 2, width: 9, height: 8 },
      { x: -100, y: -50, width: 30, height: 300 },
    ]) {
      const copied = part(image, region);
      const expected = rows(image, region);
      t.strictSame(copied.alpha, expected.alpha);
      const visible = (at: number) => (copied.alpha?.[at] ?? 255) > 0;
      const off = [...copied.colour].filter(
        (value, at) => visible(at) && value !== expected.colour[at],
      );
      t.equal(off.length, 0, JSON.stringify(region));
    }
  }
});

t.test("a part is the same in whatever order its rectangles are copied", async (t) => {
  const region = { x: -60, y: -60, width: 216, height: 184 };
  const all = part(photo, region);
  const random = sequence(seed);
  // Of the same columns, in the rows below the picture that reflect it: what is kept of one is used for the next.
  const rectangles = Array.from({ length: 400 }, () => ({
    ...{ x: 90, y: 62 + Math.floor(random() * 14), width: 60 },
    height: 1 + Math.floor(random() * 2),
  }));
  const into = { colour: new Float32Array(216 * 184).fill(-1), alpha: null, length: 216 };
  const copy = createPartCopy(photo, region);
  const different = new Set<number>();
  for (const rectangle of rectangles) {
    copy(into, [rectangle]);
    const top = rectangle.y - region.y;
    for (let y = top; y < top + rectangle.height; y++) {
      const from = y * 216 + rectangle.x - region.x;
      for (let at = from; at < from + rectangle.width; at++) {
        if (into.colour[at] !== all.colour[at]) different.add(y);
      }
    }
  }
  t.same([...different], []);
});

t.test("copies what lies next to an outline, and less than the rectangle around it", async (t) => {
  const region = { x: -40, y: -40, width: 180, height: 180 };
  const all = part(photo, region);
  for (const turn of [0, 20, 45, 300]) {
    const angles = [0, 90, 180, 270].map((angle) => ((angle + turn) * Math.PI) / 180);
    const outline = angles.map((angle) => ({
      x: 50 + 80 * Math.cos(angle),
      y: 50 + 80 * Math.sin(angle),
    }));
    const into = { colour: new Float32Array(180 * 180).fill(-1), alpha: null, length: 180 };
    createPartCopy(photo, region)(into, bandsWithin(region, outline));
    let left = 0;
    for (let y = -40; y < 140; y++) {
      for (let x = -40; x < 140; x++) {
        const at = (y + 40) * 180 + x + 40;
        if (into.colour[at] === -1) left++;
        else if (into.colour[at] !== all.colour[at]) t.fail(`differs at ${x}, ${y}`);
        const angle = (-turn * Math.PI) / 180;
        const [dx, dy] = [x + 0.5 - 50, y + 0.5 - 50];
        const u = dx * Math.cos(angle) - dy * Math.sin(angle);
        const v = dx * Math.sin(angle) + dy * Math.cos(angle);
        // The outline is a square on its corner, of half diagonal 80.
        if (Math.abs(u) + Math.abs(v) < 82 && into.colour[at] === -1) t.fail(`misses ${x}, ${y}`);
      }
    }
    t.ok(left > 5000, `turned by ${turn}, ${left} pixels are left out`);
  }
});
