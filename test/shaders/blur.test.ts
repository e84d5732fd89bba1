import t from "tap";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { squareTile } from "../../engine/geometry/repeating-tile.ts";
import { blur } from "../../shaders/effects/blur.ts";
import type { Torus } from "../../shaders/effects/effect.ts";
import { decodeChannel } from "../../shaders/lib/colour.ts";
import { sampleCubic } from "../helpers/symmetry.ts";
import { channels, pack } from "./pixels.ts";
import { applied } from "./run-torus.ts";
import { symmetricTile } from "./symmetric-torus.ts";

const SIZE = 96;
const { torus } = symmetricTile("p1", SIZE);

/** Linear light of one channel. */
const linearChannel = (colour: Float32Array, channel: number) =>
  Float64Array.from(colour, (packed) => decodeChannel(channels(packed)[channel] / 255));

/** The Gaussian added up pixel by pixel, first along rows and then along columns. */
function convolved(light: Float64Array, across: number, down: number): Float64Array {
  const along = (from: Float64Array, sigma: number, step: number) => {
    const reach = Math.ceil(5 * sigma);
    const weights = Array.from({ length: 2 * reach + 1 }, (_, k) =>
      Math.exp(-((k - reach) ** 2) / (2 * sigma * sigma)),
    );
    const all = weights.reduce((sum, weight) => sum + weight);
    return from.map((_, at) => {
      const place = Math.floor(at / step) % SIZE;
      const line = at - place * step;
      return weights.reduce((sum, weight, k) => {
        const there = (((place + k - reach) % SIZE) + SIZE) % SIZE;
        return sum + (weight / all) * from[line + there * step];
      }, 0);
    });
  };
  return along(along(light, across, 1), down, SIZE);
}

for (const radius of [0.004, 0.01, 0.03, 0.1]) {
  t.test(`a radius of ${radius} is a Gaussian of that deviation`, async (t) => {
    // Half as high on the plane: a pixel is half as long in y, and the blur twice as many.
    for (const stretch of [1, 0.5]) {
      const { a, d } = torus.toPlane;
      const plane: Torus = { ...torus, toPlane: { ...torus.toPlane, d: d * stretch } };
      const { colour } = await applied(blur, plane, { radius });
      let squares = 0;
      for (const channel of [0, 1, 2]) {
        const expected = convolved(
          linearChannel(torus.colour, channel),
          radius / a,
          radius / (d * stretch),
        );
        const light = linearChannel(colour, channel);
        light.forEach((value, at) => {
          squares += (value - expected[at]) ** 2;
        });
      }
      const decibels = -10 * Math.log10(squares / (3 * SIZE * SIZE));
      t.ok(decibels > 46, `${decibels} dB`);
    }
  });

  t.test(`a radius of ${radius} keeps the mean light`, async (t) => {
    const { colour } = await applied(blur, torus, { radius });
    for (const channel of [0, 1, 2]) {
      const mean = (plane: Float32Array) =>
        linearChannel(plane, channel).reduce((sum, value) => sum + value) / plane.length;
      t.ok(Math.abs(mean(colour) - mean(torus.colour)) < 4e-4);
    }
  });
}

t.test("spreads evenly over three and six directions of a hexagonal pattern", async (t) => {
  const isometries = isometriesOf("p6", { ratio: 1, repeat: "straight" });
  const { tile } = squareTile(isometries, 256, "2x1");
  // Waves along six directions of the plane, so that sixth turns map the picture on itself.
  const wave = (x: number, y: number) =>
    [0, 1, 2].reduce((sum, k) => {
      const angle = (k * Math.PI) / 3 + Math.PI / 2;
      const along = (x * Math.cos(angle) + y * Math.sin(angle)) / (Math.sqrt(3) / 2);
      return sum + Math.cos(2 * Math.PI * along) + 0.6 * Math.cos(6 * Math.PI * along);
    }, 0);
  const { a, d } = tile.toPlane;
  const colour = Float32Array.from({ length: 256 * 256 }, (_, at) => {
    const value = wave(((at % 256) + 0.5) * a, (Math.floor(at / 256) + 0.5) * d);
    const level = Math.round(Math.min(90 + 40 * value, 255));
    return pack(level, level, level);
  });
  const out = await applied(
    blur,
    {
      width: 256,
      height: 256,
      colour,
      alpha: null,
      toPlane: tile.toPlane,
      lattice: isometries.basis,
      discs: [],
    },
    { radius: 0.06 },
  );
  const raster = {
    width: 256,
    height: 256,
    channels: 1,
    pixels: Uint8Array.from(out.colour, (packed) => packed & 255),
  } as const;
  let worst = 0;
  for (let row = 0; row < 256; row += 3) {
    for (let column = 0; column < 256; column += 3) {
      const x = (column + 0.5) * a;
      const y = (row + 0.5) * d;
      const turnedX = x / 2 - (y * Math.sqrt(3)) / 2;
      const turnedY = (x * Math.sqrt(3)) / 2 + y / 2;
      const there = sampleCubic(raster, turnedX / a, turnedY / d, 0);
      worst = Math.max(worst, Math.abs(there - raster.pixels[row * 256 + column]));
    }
  }
  t.ok(worst < 2, `${worst} levels`);
});
