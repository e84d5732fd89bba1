/** Hue and chroma of OKLab turned and stretched; the lightness stays. */
import type { KernelThis } from "../../kernel.ts";
import { gamutTable } from "./gamut.ts";
import { LINEAR } from "./linear-table.ts";

/**
 * Chroma is measured against the room that the gamut leaves at the pixel's lightness, before and
 * after. Where the new chroma would fit even for the most colourful pixel, it is just that.
 * Elsewhere x → k·x / (1 + (k − 1)·x), the room taken as 1, brings muted colours all of the gain
 * and the most colourful ones to the boundary: no hue is skewed and no texture flattened.
 * @param linear linear light of the bytes 0…255
 * @param gamut what `gamutTable` gives
 * @param settings cosine and sine of the turn, gain of the chroma
 */
export function turnColour(
  this: KernelThis,
  colour: Float32Array,
  linear: Float32Array,
  gamut: Float32Array,
  settings: Float32Array,
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
  const turnedA = settings[0] * a - settings[1] * c;
  const turnedC = settings[1] * a + settings[0] * c;

  const place = c / (Math.abs(a) + Math.abs(c) + 1e-9);
  const turnedPlace = turnedC / (Math.abs(turnedA) + Math.abs(turnedC) + 1e-9);
  const from = Math.min(Math.floor((a < 0 ? 3 - place : 1 + place) * 2048), 8191) * 5;
  const to =
    Math.min(Math.floor((turnedA < 0 ? 3 - turnedPlace : 1 + turnedPlace) * 2048), 8191) * 5;
  const u = (1 - lightness) / (1 - gamut[from]);
  const v = (1 - lightness) / (1 - gamut[to]);
  const above = u * (1 + (1 - u) * (gamut[from + 2] + u * (gamut[from + 3] + u * gamut[from + 4])));
  const turnedAbove = v * (1 + (1 - v) * (gamut[to + 2] + v * (gamut[to + 3] + v * gamut[to + 4])));
  const room = gamut[from + 1] * Math.max(u > 1 ? lightness / gamut[from] : above, 0) + 0.00001;
  const turnedRoom =
    gamut[to + 1] * Math.max(v > 1 ? lightness / gamut[to] : turnedAbove, 0) + 0.00001;

  const gain = settings[2];
  const vividness = Math.min(Math.sqrt(a * a + c * c) / room, 1);
  const excess = Math.max((gain * room) / turnedRoom - 1, 0);
  const scale = gain / (1 + excess * vividness);
  const newA = turnedA * scale;
  const newC = turnedC * scale;

  const l1 = lightness + 0.3963377774 * newA + 0.2158037573 * newC;
  const m1 = lightness - 0.1055613458 * newA - 0.0638541728 * newC;
  const s1 = lightness - 0.0894841775 * newA - 1.291485548 * newC;
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

/**
 * The arguments of `turnColour`.
 * @param angle degrees of hue
 * @param gain factor of the chroma
 */
export function turnArguments(angle: number, gain: number): readonly Float32Array[] {
  const radians = (angle * Math.PI) / 180;
  return [LINEAR, gamutTable(), Float32Array.of(Math.cos(radians), Math.sin(radians), gain)];
}
