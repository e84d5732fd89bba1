import t from "tap";
import { bandsWithin, createPartCopy } from "../../engine/image/continued-part.ts";
import { LANCZOS_CUBIC } from "../../engine/image/filter-weights.ts";
import type { PackedImage, Region } from "../../engine/image/picture.ts";
import { hash, photograph } from "../helpers/pictures.ts";
import { seed } from "../helpers/random-subset.ts";
import { sequence } from "../helpers/sequence.ts";
import { bytesOfColour, lightOf, packed, paint, resample } from "./paint.ts";

const KERNELS = { LANCZOS_CUBIC };

function worst(values: readonly number[], expected: (at: number) => number): number {
  return values.reduce((most, value, at) => Math.max(most, Math.abs(value - expected(at))), 0);
}

const meanOf = (image: PackedImage) => {
  const light = lightOf(image);
  const channel = (c: number) => light.filter((_, at) => at % 3 === c);
  return [0, 1, 2].map((c) => channel(c).reduce((a, b) => a + b) / image.colour.length);
};

const decoded = photograph(96, 64);
const photo = packed(decoded);
const whole = { x: 0, y: 0, width: 96, height: 64 };

for (const [name, kernel] of Object.entries(KERNELS)) {
  const resampled = (image: PackedImage, region: Region, width: number, height: number) =>
    resample(image, region, { width, height }, kernel);

  t.test(`a constant picture stays constant at every scale and place: ${name}`, async (t) => {
    const picture = packed(paint(40, 30, () => [120, 3, 255]));
    const regions = [
      { x: 0, y: 0, width: 40, height: 30 },
      { x: 3.7, y: 1.2, width: 31.3, height: 7.9 },
      { x: -70.3, y: 12.5, width: 300, height: 21 },
      { x: 10, y: 10, width: 0.5, height: 0.5 },
    ];
    for (const region of regions) {
      for (const [width, height] of [
        [64, 48],
        [13, 7],
        [1, 1],
      ] as const) {
        const { colour } = resampled(picture, region, width, height);
        t.ok(
          colour.every((value) => value === picture.colour[0]),
          `${JSON.stringify(region)} to ${width}`,
        );
      }
    }
  });

  t.test(`copies whole pixels exactly, up to the edges: ${name}`, async (t) => {
    const { colour } = resampled(photo, { x: 0, y: 24, width: 20, height: 40 }, 20, 40);
    t.ok(
      colour.every(
        (value, at) => value === photo.colour[(Math.floor(at / 20) + 24) * 96 + (at % 20)],
      ),
    );
  });

  t.test(`keeps the mean when it shrinks: ${name}`, async (t) => {
    const before = meanOf(photo);
    for (const [width, height] of [
      [48, 32],
      [32, 16],
      [6, 4],
    ] as const) {
      const off = worst(
        meanOf(resampled(photo, whole, width, height)),
        (channel) => before[channel] ?? 0,
      );
      t.ok(off < 0.003, `${width} × ${height} is off by ${off}`);
    }
  });

  t.test(`removes frequencies beyond its pixels: ${name}`, async (t) => {
    // Regions stay inside: beyond an edge a stripe may be twice as wide.
    const grey = (value: number) => [value, value, value];
    const board = packed(paint(320, 320, (x, y) => grey((x + y) % 2 === 0 ? 255 : 0)));
    for (const place of [32, 32.5, 35.3]) {
      for (const size of [32, 37]) {
        const region = { x: place, y: place, width: 256, height: 256 };
        const off = worst(lightOf(resampled(board, region, size, size)), () => 0.5);
        t.ok(off < 0.008, `a chessboard at ${place} to ${size} pixels is off by ${off}`);
      }
    }
    const stripes = packed(paint(320, 8, (x) => grey(x % 3 === 0 ? 255 : 0)));
    const flat = resampled(stripes, { x: 30, y: 0, width: 255, height: 8 }, 51, 2);
    t.ok(worst(lightOf(flat), () => 1 / 3) < 0.01, "stripes of 3 pixels, 5 times smaller");
  });

  t.test(`keeps low frequencies: ${name}`, async (t) => {
    const wave = (x: number, y: number) =>
      128 + 50 * Math.sin(x / 9) + 50 * Math.cos(y / 13 + x / 31);
    const sea = packed(
      paint(120, 120, (x, y) => Array(3).fill(Math.round(wave(x + 0.5, y + 0.5)))),
    );
    for (const [length, size] of [
      [80, 40],
      [80, 33],
      [80, 80],
      [40, 100],
    ] as const) {
      const region = { x: 20.3, y: 17.9, width: length, height: length };
      const { colour } = resampled(sea, region, size, size);
      const step = length / size;
      const off = worst(
        [...colour].map((value) => bytesOfColour(value)[0]),
        (at) =>
          wave(20.3 + ((at % size) + 0.5) * step, 17.9 + (Math.floor(at / size) + 0.5) * step),
      );
      t.ok(off < 1.8, `${length} to ${size} pixels is off by ${off} steps`);
    }
  });

  t.test(`weights colours by alpha, without dark fringes: ${name}`, async (t) => {
    // Red on the left; on the right fully transparent black, which must not darken the red.
    const half = packed(paint(64, 16, (x) => (x < 32 ? [255, 0, 0, 255] : [0, 0, 0, 0])));
    for (const [width, height] of [
      [21, 5],
      [64, 16],
      [130, 33],
    ] as const) {
      const { colour, alpha } = resampled(
        half,
        { x: 0.4, y: 0, width: 63, height: 16 },
        width,
        height,
      );
      const values = [...(alpha ?? [])];
      t.ok(values.every((value, at) => value === 0 || colour[at] === 0xff0000));
      t.ok(
        values.some((value) => value > 12 && value < 242),
        "there are soft pixels to look at",
      );
    }
  });

  t.test(`stays between black and white beside sharp edges: ${name}`, async (t) => {
    const noise = packed(paint(64, 64, (x, y) => Array(3).fill(hash(x, y) < 0.5 ? 0 : 255)));
    for (const size of [200, 60, 20]) {
      const { colour } = resampled(noise, { x: 0, y: 0, width: 64, height: 64 }, size, size);
      t.ok(colour.every((value) => value >= 0 && value <= 0xffffff && value % 0x010101 === 0));
    }
  });
}

/** A part of a picture and of what continues it. */
function part(picture: PackedImage, region: Region): PackedImage {
  const { width, height } = region;
  const count = width * height;
  const alpha = picture.alpha === null ? null : new Float32Array(count);
  const into = { colour: new Float32Array(count), alpha, length: width };
  createPartCopy(picture, region)(into, [region]);
  return { width, height, colour: into.colour, alpha: alpha && Uint8Array.from(alpha) };
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
  const size = { width: sides.width / 4, height: sides.height / 4 };
  const image = resample(photo, sides, size, LANCZOS_CUBIC);
  const { width, height } = image;
  const values = lightOf(image);
  const difference = (image: (x: number) => number) => {
    let [sum, count] = [0, 0];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const to = image(x);
        if (to < 0 || to >= width) continue;
        sum += Math.abs((values[(y * width + x) * 3] ?? 0) - (values[(y * width + to) * 3] ?? 0));
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

t.test("parts agree with resampling at the same scale", async (t) => {
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
      const expected = resample(image, region, region, LANCZOS_CUBIC);
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
