/** Plain weave, over one and under one: the kernel that canvas and linen are drawn by. */
import type { KernelThis } from "../kernel.ts";

/** A cloth in numbers. */
export interface Cloth {
  readonly strength: number;
  /** Distance between neighbouring threads in pixels. */
  readonly size: number;
  /** How unequal in thickness threads are, 0…1. */
  readonly irregularity: number;
  /** Distance over which a thread stays as thick as it is, in threads. */
  readonly evenness: number;
  /** How dark or light a thread can be beside the others, as a share of the light. */
  readonly tones: number;
  /** Amount of slubs, places where a thread is thick and light: 0…1. */
  readonly slubs: number;
  /** How steeply the threads rise and sink. */
  readonly relief: number;
  /** How dark the holes between the threads are, as a share of the light. */
  readonly holes: number;
  /** How much the twist of the yarn shows. */
  readonly twist: number;
  /** Share of their colour that highlights lose. */
  readonly bleached: number;
}

/** A cloth as the kernel reads it. */
export function clothNumbers(cloth: Cloth): Float32Array {
  // Of threads as thin as two pixels no shape is left, only their tone.
  const shown = Math.min(Math.max((cloth.size - 1.2) / 3, 0), 1);
  const twisted = Math.min(Math.max((cloth.size - 5) / 6, 0), 1);
  return Float32Array.from([
    cloth.strength,
    cloth.size,
    0.75 * cloth.irregularity,
    cloth.evenness,
    cloth.tones,
    cloth.slubs,
    cloth.relief * shown,
    cloth.holes * shown,
    cloth.twist * twisted,
    cloth.bleached,
  ]);
}

/**
 * `params`: a cloth, see above. The first round of the loop is the warp, whose threads run down
 * the sheet, the second the weft. Across the threads (`u`, counted in threads) the sheet is
 * stretched and squeezed by noise that changes slowly along them (`v`), which makes them thick
 * and thin without gaps. A thread is a rounded ridge that rises where it lies on top; of the two
 * at a pixel the higher one is seen, and where neither is high there is a hole. Edges of threads
 * are in holes, so nothing jumps there.
 *
 * Light is taken as the square of the encoded value.
 */
export function weave(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  height: number,
  params: Float32Array,
  table: Float32Array,
): number {
  const local = Math.floor((this.thread.x + 0.5) / width);
  const x = this.thread.x - local * width;
  const y = local + firstRow;
  const strength = params[0];
  const size = params[1];

  let warp = 0;
  let warpAcross = 0;
  let warpTone = 0;
  let weft = 0;
  let weftAcross = 0;
  let weftTone = 0;
  for (let system = 0; system < 2; system++) {
    const u = (system < 1 ? x : y) / size + 0.31;
    const v = (system < 1 ? y : x) / (size * params[3]);
    const i = Math.floor(u);
    const j = Math.floor(v);
    const tu = u - i;
    const t = v - j;
    const tv = t * t * (3 - 2 * t);
    const salt = j + system * 1733;
    const left = table[i - Math.floor(i / 4096) * 4096] + salt;
    const right = table[i + 1 - Math.floor((i + 1) / 4096) * 4096] + salt;
    const a0 = table[left - Math.floor(left / 4096) * 4096];
    const a1 = table[left + 1 - Math.floor((left + 1) / 4096) * 4096];
    const b0 = table[right - Math.floor(right / 4096) * 4096];
    const b1 = table[right + 1 - Math.floor((right + 1) / 4096) * 4096];
    const before = (a0 + (a1 - a0) * tv) / 4096 - 0.5;
    const after = (b0 + (b1 - b0) * tv) / 4096 - 0.5;
    const drawn = u + params[2] * (before + (after - before) * tu);

    const thread = Math.floor(drawn);
    const across = drawn - thread - 0.5;
    // Tone and slubs of this very thread, on a longer scale.
    const far = v * 0.37 + thread * 0.61;
    const k = Math.floor(far);
    const s = far - k;
    const ts = s * s * (3 - 2 * s);
    const own = table[thread - Math.floor(thread / 4096) * 4096] + k + 911 + system * 1733;
    const c0 = table[own - Math.floor(own / 4096) * 4096] / 4096;
    const c1 = table[own + 1 - Math.floor((own + 1) / 4096) * 4096] / 4096;
    const tone = c0 + (c1 - c0) * ts;
    const p0 = c0 * c0 * c0 * c0;
    const p1 = c1 * c1 * c1 * c1;
    const slub = p0 * p0 + (p1 * p1 - p0 * p0) * ts;
    const shown = params[4] * (tone - 0.5) + params[5] * (slub - 0.11) * 0.4;
    if (system < 1) {
      warp = thread;
      warpAcross = across;
      warpTone = shown;
    } else {
      weft = thread;
      weftAcross = across;
      weftTone = shown;
    }
  }

  const half = Math.floor((warp + weft) / 2);
  const over = warp + weft - 2 * half < 0.5 ? 1 : -1;
  // Round across: (1 − 4d²)², whose slope is 0 at the edge; up and down along: ±(1 − 4d²).
  const a = 1 - 4 * warpAcross * warpAcross;
  const b = 1 - 4 * weftAcross * weftAcross;
  const warpRise = 1 + 0.75 * over * b;
  const weftRise = 1 - 0.75 * over * a;
  const warpHeight = a * a * warpRise;
  const weftHeight = b * b * weftRise;
  const lead = Math.min(Math.max(0.5 + 1.6 * (warpHeight - weftHeight), 0), 1);
  const top = lead * lead * (3 - 2 * lead);
  // Slopes to the right and down, of the warp and of the weft; light from the upper left.
  const warpSlope =
    0.64 * (-16 * warpAcross * a * warpRise) * 0.35 - 0.77 * (6 * over * weftAcross) * a * a;
  const weftSlope =
    0.77 * (-16 * weftAcross * b * weftRise) * 0.35 + 0.64 * (6 * over * warpAcross) * b * b;
  const slope = 0.25 * (weftSlope + (warpSlope - weftSlope) * top);
  const high = weftHeight + (warpHeight - weftHeight) * top;
  const tone = weftTone * b + (warpTone * a - weftTone * b) * top;
  // Yarn is twisted: fine stripes aslant on each thread.
  const warpTurn = (y / size) * 2.6 + warpAcross * 2.2;
  const weftTurn = (x / size) * 2.6 + weftAcross * 2.2;
  const warpStripe = Math.abs(warpTurn - Math.floor(warpTurn) - 0.5) * 4 - 1;
  const weftStripe = Math.abs(weftTurn - Math.floor(weftTurn) - 0.5) * 4 - 1;
  const stripe = weftStripe * b + (warpStripe * a - weftStripe * b) * top;

  const seat = table[x - Math.floor(x / 4096) * 4096] + y;
  const random = (table[seat - Math.floor(seat / 4096) * 4096] + 0.5) / 4096;
  const fuzz = 0.05 * (random - 0.5);
  const lit = (params[6] * slope) / Math.sqrt(1 + slope * slope);
  const shut = Math.min(high, 1) - 0.72;
  const shade = lit + params[7] * shut + tone + params[8] * stripe + fuzz;
  const light = Math.max(1 + strength * (shade - 0.08), 0.02);
  const lift = 65025 * 0.01 * strength * Math.max(1 + 2.5 * shade, 0);
  const bleached = strength * params[9] * Math.min(Math.max(0.4 + shade * 2, 0), 1);

  const packed = colour[this.thread.x];
  const red = Math.floor(packed / 65536);
  const green = Math.floor(packed / 256) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const r = red + (luma - red) * bleached;
  const g = green + (luma - green) * bleached;
  const c = blue + (luma - blue) * bleached;
  return (
    Math.floor(Math.min(Math.sqrt(r * r * light + lift) + random, 255)) * 65536 +
    Math.floor(Math.min(Math.sqrt(g * g * light + lift) + random, 255)) * 256 +
    Math.floor(Math.min(Math.sqrt(c * c * light + lift) + random, 255))
  );
}
