/** The picture in the colours of a palette. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { linearFromHex, oklabFromLinear } from "../lib/colour.ts";
import { coloursOf } from "../palettes.ts";
import { PaletteChoice, Strength } from "../parameters.ts";
import { definePointwise } from "./effect.ts";
import { gradientOf } from "./lib/gradient.ts";
import { LINEAR } from "./lib/linear-table.ts";

/** Most colours of a palette. */
const MOST = 16;

/**
 * Distances are those of OKLab. With a softness s, every colour less than s farther away than the
 * nearest one has a part, (1 − excess/s)²: borders melt only where two colours are nearly as
 * good, which is where nearest colours alone would break a soft gradient into specks.
 *
 * A colour that takes on the pixel's lightness becomes its own tint or shade: its chroma shrinks
 * along the line to white or black, which stays inside the gamut.
 * @param linear linear light of the bytes 0…255
 * @param palette lightness, a, b of up to 16 colours
 * @param gradient lightness, a, b for the lightness 0…1, 1024 of them
 * @param settings 1 for the gradient, strength, share of the pixel's lightness, softness above 0
 * @param count colours of the palette; for the gradient 1, because none is compared
 */
function mapColour(
  this: KernelThis,
  colour: Float32Array,
  linear: Float32Array,
  palette: Float32Array,
  gradient: Float32Array,
  settings: Float32Array,
  count: number,
): number {
  const packed = colour[this.thread.x];
  const red = Math.floor(packed / 65536);
  const green = Math.floor(packed / 256) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  const r = linear[red];
  const g = linear[green];
  const b = linear[blue];
  const lx = 0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b;
  const mx = 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b;
  const sx = 0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b;
  // Cube roots: x^¼·(A + B·x^⅛) is within 3 % of them, one step of Halley within 0.002 %.
  const l4 = Math.sqrt(Math.sqrt(lx));
  const m4 = Math.sqrt(Math.sqrt(mx));
  const s4 = Math.sqrt(Math.sqrt(sx));
  const l0 = l4 * (0.202 + 0.822 * Math.sqrt(l4));
  const m0 = m4 * (0.202 + 0.822 * Math.sqrt(m4));
  const s0 = s4 * (0.202 + 0.822 * Math.sqrt(s4));
  const l3 = l0 * l0 * l0;
  const m3 = m0 * m0 * m0;
  const s3 = s0 * s0 * s0;
  const l = (l0 * (l3 + 2 * lx)) / (2 * l3 + lx + 1e-30);
  const m = (m0 * (m3 + 2 * mx)) / (2 * m3 + mx + 1e-30);
  const s = (s0 * (s3 + 2 * sx)) / (2 * s3 + sx + 1e-30);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const c = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;

  let least = 1000000;
  for (let n = 0; n < count; n++) {
    const byL = palette[n * 3] - lightness;
    const byA = palette[n * 3 + 1] - a;
    const byC = palette[n * 3 + 2] - c;
    least = Math.min(least, byL * byL + byA * byA + byC * byC);
  }
  const nearest = Math.sqrt(least);
  let total = 0;
  let sumL = 0;
  let sumA = 0;
  let sumC = 0;
  for (let k = 0; k < count; k++) {
    const thatL = palette[k * 3];
    const thatA = palette[k * 3 + 1];
    const thatC = palette[k * 3 + 2];
    const toL = thatL - lightness;
    const toA = thatA - a;
    const toC = thatC - c;
    const distance = Math.sqrt(toL * toL + toA * toA + toC * toC);
    const near = Math.max(1 - (distance - nearest) / settings[3], 0);
    const weight = near * near;
    total += weight;
    sumL += weight * thatL;
    sumA += weight * thatA;
    sumC += weight * thatC;
  }
  const step = Math.min(Math.floor(lightness * 1023 + 0.5), 1023) * 3;
  const chosenL = settings[0] > 0.5 ? gradient[step] : sumL / total;
  const chosenA = settings[0] > 0.5 ? gradient[step + 1] : sumA / total;
  const chosenC = settings[0] > 0.5 ? gradient[step + 2] : sumC / total;

  const keptL = chosenL + (lightness - chosenL) * settings[2];
  const tint = (1 - keptL) / Math.max(1 - chosenL, 0.0001);
  const shade = keptL / Math.max(chosenL, 0.0001);
  const chroma = Math.min(Math.min(tint, shade), 1);
  const share = settings[1];
  const newL = lightness + (keptL - lightness) * share;
  const newA = a + (chosenA * chroma - a) * share;
  const newC = c + (chosenC * chroma - c) * share;
  const l1 = newL + 0.3963377774 * newA + 0.2158037573 * newC;
  const m1 = newL - 0.1055613458 * newA - 0.0638541728 * newC;
  const s1 = newL - 0.0894841775 * newA - 1.291485548 * newC;
  const l2 = l1 * l1 * l1;
  const m2 = m1 * m1 * m1;
  const s2 = s1 * s1 * s1;
  const newR = Math.min(Math.max(4.0767416621 * l2 - 3.3077115913 * m2 + 0.2309699292 * s2, 0), 1);
  const newG = Math.min(Math.max(-1.2684380046 * l2 + 2.6097574011 * m2 - 0.3413193965 * s2, 0), 1);
  const newB = Math.min(Math.max(-0.0041960863 * l2 - 0.7034186147 * m2 + 1.707614701 * s2, 0), 1);
  // The sRGB curve as `encodeChannel` of pack.ts has it.
  const r2 = Math.sqrt(newR);
  const r4 = Math.sqrt(r2);
  const r8 = Math.sqrt(r4);
  const g2 = Math.sqrt(newG);
  const g4 = Math.sqrt(g2);
  const g8 = Math.sqrt(g4);
  const b2 = Math.sqrt(newB);
  const b4 = Math.sqrt(b2);
  const b8 = Math.sqrt(b4);
  const rc =
    newR < 0.0031308
      ? 12.92 * newR
      : 0.64296684 * r2 + 0.71141309 * r4 - 0.3365769 * r8 - 0.01776697 * newR;
  const gc =
    newG < 0.0031308
      ? 12.92 * newG
      : 0.64296684 * g2 + 0.71141309 * g4 - 0.3365769 * g8 - 0.01776697 * newG;
  const bc =
    newB < 0.0031308
      ? 12.92 * newB
      : 0.64296684 * b2 + 0.71141309 * b4 - 0.3365769 * b8 - 0.01776697 * newB;
  return (
    Math.floor(255 * rc + 0.5) * 65536 +
    Math.floor(255 * gc + 0.5) * 256 +
    Math.floor(255 * bc + 0.5)
  );
}

export const paletteMap = definePointwise({
  id: "palette_map",
  title: "Palette",
  description: "Redraws the picture in the colours of a palette, matched in OKLab.",
  params: Type.Object(
    {
      palette: PaletteChoice({
        default: "arts_and_crafts",
        description: "Id of a palette, or a list of 2 to 16 colours as #rrggbb.",
      }),
      mode: Type.Enum(["nearest", "gradient"], {
        default: "nearest",
        description:
          "nearest: each pixel takes the colour most like it; gradient: the colours from dark to light, by lightness alone.",
      }),
      softness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.12,
        description:
          "How far neighbouring colours of the palette melt into one another, in OKLab distance (black to white is 1); 0 is a hard border. For nearest.",
      }),
      keep_lightness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description:
          "Share of the pixel's own lightness: 0 gives only the palette's colours, 1 keeps all light and shade in their tints.",
      }),
      strength: Strength(1, "Share of the palette's colour; 0 changes nothing."),
    },
    { additionalProperties: false },
  ),
  neutral: { strength: 0 },
  kernel: mapColour,
  prepare({ palette, mode, softness, keep_lightness, strength }) {
    const colours = coloursOf(palette).map((hex) => oklabFromLinear(linearFromHex(hex)));
    const places = new Float32Array(MOST * 3);
    places.set(colours.flat());
    const gradient = mode === "gradient";
    return [
      LINEAR,
      places,
      gradientOf(colours),
      Float32Array.of(gradient ? 1 : 0, strength, keep_lightness, Math.max(softness, 1e-9)),
      gradient ? 1 : colours.length,
    ];
  },
});
