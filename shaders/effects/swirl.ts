/** Rotates the pattern within discs, most at their centres. */
import Type from "typebox";
import {
  defineTorusEffect,
  type EffectContext,
  type Pixels,
  type Torus,
  type Vector,
} from "./effect.ts";
import { pixelSize } from "./torus/bands.ts";
import { FULL, packLight } from "./torus/light.ts";
import { cubicReader, type LightTorus, lightTorus, linearReader } from "./torus/sample-light.ts";

/** Pixels between two checkpoints: some milliseconds of work. */
const STRETCH = 1 << 15;

/** Maximum number of samples of a pixel that is stretched over many. */
const MAX_READINGS = 16;

/** Number of samples from which linear interpolation is sharp enough. */
const LINEAR_READINGS = 3;

/** A disc and its swirl. */
interface Whirl {
  /** Pixels. */
  readonly middle: Vector;
  /** Edges of the cell. */
  readonly radius: number;
  /** Radians at the centre, clockwise. */
  readonly angle: number;
}

/**
 * Within each disc a pixel at distance r from the centre is rotated by angle · (1 − r/R)²,
 * which is smooth at the rim. The rotation stretches pixels; one that covers
 * several of the source's is sampled as often along its own radius.
 */
async function swirlTorus(
  torus: Torus,
  angle: number,
  share: number,
  context: EffectContext,
): Promise<Pixels> {
  const pixel = pixelSize(torus);
  const light = await lightTorus(torus, context);
  const paintRow = rowPainter(light, pixel, torus);
  let done = 0;
  for (const { x, y, radius, mirrored } of torus.discs) {
    const onPlane = radius * share * Math.max(pixel.x, pixel.y);
    const whirl = { middle: { x, y }, radius: onPlane, angle: mirrored ? -angle : angle };
    const rows = onPlane / pixel.y;
    for (let row = Math.ceil(y - rows - 0.5); row + 0.5 <= y + rows; row++) {
      done += paintRow(whirl, row);
      if (done < STRETCH) continue;
      done = 0;
      await context.checkpoint();
    }
  }
  return torus;
}

/** Returns a function that paints the part of a disc in a row, and returns its number of pixels. */
function rowPainter(light: LightTorus, pixel: Vector, out: Pixels) {
  const { width, height } = light;
  const readCubic = cubicReader(light);
  const readLinear = linearReader(light);
  const sum = new Float64Array(4);
  const step = Math.sqrt(pixel.x * pixel.y);
  return ({ middle, radius, angle }: Whirl, row: number): number => {
    const dy = (row + 0.5 - middle.y) * pixel.y;
    const half = Math.sqrt(Math.max(radius * radius - dy * dy, 0)) / pixel.x;
    const start = modulo(row, height) * width;
    const first = Math.ceil(middle.x - half - 0.5);
    const end = Math.floor(middle.x + half + 0.5);
    for (let column = first; column < end; column++) {
      const dx = (column + 0.5 - middle.x) * pixel.x;
      const distance = Math.sqrt(dx * dx + dy * dy);
      const inwards = 1 - distance / radius;
      // The length of the curve that one pixel of radius becomes.
      const shear = (2 * angle * inwards * distance) / radius;
      const length = Math.sqrt(1 + shear * shear);
      const readings = Math.min(Math.ceil(length - 0.5), MAX_READINGS);
      sum.fill(0);
      for (let k = 0; k < readings; k++) {
        const outwards = distance > 0 ? (step * ((k + 0.5) / readings - 0.5)) / distance : 0;
        const factor = 1 + outwards;
        const rest = 1 - (Math.abs(factor) * distance) / radius;
        const turn = angle * Math.max(rest, 0) ** 2;
        const cos = Math.cos(turn) * factor;
        const sin = Math.sin(turn) * factor;
        const x = middle.x + (cos * dx + sin * dy) / pixel.x;
        const y = middle.y + (cos * dy - sin * dx) / pixel.y;
        if (readings < LINEAR_READINGS) readCubic(x, y, 1 / readings, sum);
        else readLinear(x, y, 1 / readings, sum);
      }
      put(sum, out, start + modulo(column, width));
    }
    return Math.max(end - first, 0);
  };
}

/** Writes a premultiplied sum, clamped because the cubic may overshoot. */
function put(sum: Float64Array, { colour, alpha }: Pixels, at: number): void {
  const opaque = Math.min(Math.max(sum[3], 0), FULL);
  const scale = opaque > 0 ? FULL / opaque : 0;
  const light = (value: number) => Math.min(Math.max(value * scale, 0), FULL);
  colour[at] = packLight(light(sum[0]), light(sum[1]), light(sum[2]));
  if (alpha !== null) alpha[at] = Math.round(opaque / 257);
}

const modulo = (value: number, size: number) => ((value % size) + size) % size;

export const swirl = defineTorusEffect({
  id: "swirl",
  title: "Swirl",
  description:
    "Rotates the pattern in the largest disc of each fundamental domain; mirrored ones rotate the other way.",
  params: Type.Object(
    {
      angle: Type.Number({
        minimum: -1080,
        maximum: 1080,
        default: 180,
        description:
          "Clockwise rotation of a disc's centre in degrees, decreasing towards its rim; 0 changes nothing.",
      }),
      radius: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        description: "Size of the discs, as a share of the largest that do not overlap.",
      }),
    },
    { additionalProperties: false },
  ),
  neutral: { angle: 0 },
  apply: async (torus, { angle, radius }, context) =>
    angle === 0 || radius === 0
      ? torus
      : swirlTorus(torus, (angle * Math.PI) / 180, radius, context),
});
