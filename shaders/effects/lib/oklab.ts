/**
 * Stages of kernels: linear light and OKLab (B. Ottosson, "A perceptual color space for image
 * processing", 2020). `lib/colour.ts` has the same for JavaScript.
 */
import type { Rgb } from "../../lib/layout.ts";

export interface Oklab {
  readonly lightness: number;
  readonly a: number;
  readonly b: number;
}

/** Returns the linear light of a colour's bytes from a table of all 256. */
export function decoded(bytes: Rgb, linear: Float32Array): Rgb {
  return { red: linear[bytes.red], green: linear[bytes.green], blue: linear[bytes.blue] };
}

/** Returns the cube root of x within 3 %, from its fourth root: x^¼·(A + B·x^⅛). */
const nearCubeRoot = (fourth: number) => fourth * (0.202 + 0.822 * Math.sqrt(fourth));

const cubed = (x: number) => x * x * x;

/** Refines a cube root by one step of Halley's method to 0.002 %, given its cube. */
const cubeRootNear = (near: number, cube: number, x: number) =>
  (near * (cube + 2 * x)) / (2 * cube + x + 1e-30);

/** Computes three cube roots at once, which is faster than one after the other. */
function cubeRootsOf(x: Rgb): Rgb {
  const red4 = Math.sqrt(Math.sqrt(x.red));
  const green4 = Math.sqrt(Math.sqrt(x.green));
  const blue4 = Math.sqrt(Math.sqrt(x.blue));
  const red = nearCubeRoot(red4);
  const green = nearCubeRoot(green4);
  const blue = nearCubeRoot(blue4);
  const cubes = { red: cubed(red), green: cubed(green), blue: cubed(blue) };
  return {
    red: cubeRootNear(red, cubes.red, x.red),
    green: cubeRootNear(green, cubes.green, x.green),
    blue: cubeRootNear(blue, cubes.blue, x.blue),
  };
}

export function oklabOf(light: Rgb): Oklab {
  const { red, green, blue } = light;
  const {
    red: l,
    green: m,
    blue: s,
  } = cubeRootsOf({
    red: 0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue,
    green: 0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue,
    blue: 0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue,
  });
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

/** Outside the gamut channels are below 0 or above 1. */
export function lightOfOklab(colour: Oklab): Rgb {
  const { lightness, a, b } = colour;
  const l1 = lightness + 0.3963377774 * a + 0.2158037573 * b;
  const m1 = lightness - 0.1055613458 * a - 0.0638541728 * b;
  const s1 = lightness - 0.0894841775 * a - 1.291485548 * b;
  const l = cubed(l1);
  const m = cubed(m1);
  const s = cubed(s1);
  return {
    red: 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    green: -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    blue: -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  };
}

/** All of these, for a kernel's `helpers`. */
export const oklabStages = [
  oklabOf,
  cubeRootsOf,
  nearCubeRoot,
  cubeRootNear,
  lightOfOklab,
  cubed,
  decoded,
];
