/** What catches the eye in a picture. */
import { CHROMA_WEIGHT } from "../../shaders/effects/effect.ts";
import type { Size } from "../size.ts";
import { packedOklab } from "./packed.ts";
import { principalColours } from "./principal-colours.ts";
import type { SampledImage } from "./samples.ts";

/** Number of clusters that pixels are sorted into. */
const COLOURS = 12;

/** A small picture in OKLab. */
export interface LabImage extends Size {
  readonly lightness: Float64Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** 0…1. */
  readonly opacity: Float64Array;
}

/** Converts samples to OKLab, as they look on white paper. */
export function labOf({ colour, alpha, width, height }: SampledImage): LabImage {
  const channel = () => new Float64Array(colour.length);
  const image = {
    width,
    height,
    lightness: channel(),
    a: channel(),
    b: channel(),
    opacity: channel(),
  };
  colour.forEach((packed, n) => {
    const opacity = alpha === null ? 1 : alpha[n] / 255;
    const [lightness, a, b] = packedOklab(packed);
    image.lightness[n] = 1 + (lightness - 1) * opacity;
    image.a[n] = a * opacity;
    image.b[n] = b * opacity;
    image.opacity[n] = opacity;
  });
  return image;
}

/**
 * Returns how much each pixel of a small picture catches the eye; the sum is 1. Colours do that are far
 * from the picture's others (M.-M. Cheng et al., "Global contrast based salient region detection",
 * 2011) and that seldom touch its borders, and so do edges; all the more near the middle.
 */
export function saliencyOf(samples: SampledImage, image: LabImage): Float64Array {
  const { width, height, lightness, a, b, opacity } = image;
  const count = width * height;
  const colours = principalColours(samples, COLOURS).map(({ colour, share }) => ({
    colour,
    share,
    all: 0,
    atBorder: 0,
    contrast: 0,
  }));
  for (const one of colours) {
    one.contrast = colours.reduce((sum, { colour, share }) => {
      const [dl, da, db] = colour.map((value, part) => value - one.colour[part]);
      return sum + share * Math.hypot(dl, CHROMA_WEIGHT * da, CHROMA_WEIGHT * db);
    }, 0);
  }
  const nearest = new Uint8Array(count);
  const reach = Math.max(1, Math.round(Math.min(width, height) / 16));
  for (let n = 0; n < count; n++) {
    let least = Number.POSITIVE_INFINITY;
    colours.forEach(({ colour: [l, x, y] }, k) => {
      const chroma = CHROMA_WEIGHT ** 2 * ((x - a[n]) ** 2 + (y - b[n]) ** 2);
      const distance = (l - lightness[n]) ** 2 + chroma;
      if (distance >= least) return;
      least = distance;
      nearest[n] = k;
    });
    const [x, y] = [n % width, Math.floor(n / width)];
    const own = colours[nearest[n]];
    if (own === undefined) continue;
    own.all += opacity[n];
    const inset = Math.min(x, y, width - 1 - x, height - 1 - y);
    if (inset < reach) own.atBorder += opacity[n];
  }
  // The border's share of the picture.
  const inner = Math.max(width - 2 * reach, 0) * Math.max(height - 2 * reach, 0);
  const border = 1 - inner / count;
  const values = new Float64Array(count);
  for (let n = 0; n < count; n++) {
    const own = colours[nearest[n]];
    if (own === undefined || own.all === 0) continue;
    const ofBorder = Math.min(own.atBorder / own.all / Math.max(border, 1e-6), 2) / 2;
    values[n] = opacity[n] * (own.contrast * (1 - ofBorder) + edgeAt(image, n));
  }
  const soft = blurred(
    values,
    width,
    height,
    Math.max(1, Math.round(Math.min(width, height) / 24)),
  );
  let sum = 0;
  for (let n = 0; n < count; n++) {
    const x = ((n % width) + 0.5) / width - 0.5;
    const y = (Math.floor(n / width) + 0.5) / height - 0.5;
    soft[n] *= Math.exp(-2 * (x * x + y * y));
    sum += soft[n];
  }
  return sum === 0 ? soft.fill(1 / count) : soft.map((value) => value / sum);
}

/** Returns the difference between a pixel and its neighbours to the right and below. */
function edgeAt({ width, height, lightness, a, b }: LabImage, n: number): number {
  const right = n % width === width - 1 ? n : n + 1;
  const below = n + width >= width * height ? n : n + width;
  const differenceTo = (other: number) =>
    Math.hypot(
      lightness[n] - lightness[other],
      CHROMA_WEIGHT * (a[n] - a[other]),
      CHROMA_WEIGHT * (b[n] - b[other]),
    );
  return differenceTo(right) + differenceTo(below);
}

/** Returns means over squares, along rows and then along columns. */
function blurred(
  values: Float64Array,
  width: number,
  height: number,
  radius: number,
): Float64Array {
  const along = (
    from: Float64Array,
    length: number,
    step: number,
    start: number,
    to: Float64Array,
  ) => {
    for (let i = 0; i < length; i++) {
      let [sum, count] = [0, 0];
      for (let k = Math.max(0, i - radius); k <= Math.min(length - 1, i + radius); k++) {
        sum += from[start + k * step];
        count++;
      }
      to[start + i * step] = sum / count;
    }
  };
  const rows = new Float64Array(values.length);
  for (let y = 0; y < height; y++) along(values, width, 1, y * width, rows);
  const columns = new Float64Array(values.length);
  for (let x = 0; x < width; x++) along(rows, height, width, x, columns);
  return columns;
}
