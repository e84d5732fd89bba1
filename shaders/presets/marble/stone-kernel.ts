/** Paints stone: a list of noise terms, each warped by those before it, then colours and veins. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { layout, type RecordOf, RGB, type Rgb, XY } from "../../lib/layout.ts";
import { slopedNoise, smooth } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { lit, mix, nearest, pixelAt, saturate } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { TERM, type TermRecord } from "./noise-terms.ts";

/** A stone's colours as the kernel reads them: five stops of the ground, dark and pale vein, gold. */
export const STONE = layout({ stops: [RGB, 5], dark: RGB, pale: RGB, gold: RGB });
type StoneRecord = RecordOf<typeof STONE>;

/** A stone's look as the kernel reads it; `along` and `aslant` are periods of the veins' phases. */
export const LOOK = layout({
  clouds: 1,
  crystals: 1,
  fineBands: 1,
  hair: 1,
  thinWidth: 1,
  thin: 1,
  broadWidth: 1,
  broad: 1,
  gold: 1,
  stain: 1,
  along: XY,
  aslant: XY,
});
type Look = RecordOf<typeof LOOK>;

/** What the noises add up to, with the slopes of the two vein fields. */
interface Sums {
  readonly u: number;
  readonly v: number;
  readonly cloud: number;
  readonly broad: number;
  readonly broadX: number;
  readonly broadY: number;
  readonly thin: number;
  readonly thinX: number;
  readonly thinY: number;
  readonly hair: number;
  readonly mask: number;
  readonly speck: number;
}

/** Adds up the noises, each at the place to which those before it have moved the pixel. */
function sumsAt(
  left: number,
  top: number,
  terms: readonly TermRecord[],
  count: number,
  table: Float32Array,
): Sums {
  let u = left;
  let v = top;
  let cloud = 0;
  let broad = 0;
  let broadX = 0;
  let broadY = 0;
  let thin = 0;
  let thinX = 0;
  let thinY = 0;
  let hair = 0;
  let mask = 0;
  let speck = 0;
  for (let index = 0; index < count; index++) {
    const term = terms[index];
    const across = term.across;
    const down = term.down;
    const x = across * (u + term.shear.x * v);
    const y = down * (v + term.shear.y * u);
    const noise = slopedNoise(table, x, y, across, down, term.offset);
    broadX += (term.broad * across * noise.slopeX) / 31.5;
    broadY += (term.broad * down * noise.slopeY) / 31.5;
    thinX += (term.thin * across * noise.slopeX) / 31.5;
    thinY += (term.thin * down * noise.slopeY) / 31.5;
    u += term.warp.x * noise.value;
    v += term.warp.y * noise.value;
    cloud += term.cloud * noise.value;
    broad += term.broad * noise.value;
    thin += term.thin * noise.value;
    hair += term.hair * noise.value;
    mask += term.mask * noise.value;
    speck += term.speck * noise.value;
  }
  return { u, v, cloud, broad, broadX, broadY, thin, thinX, thinY, hair, mask, speck };
}

/**
 * The ground: clouds, folded to and fro over the stops when the stone is banded, with finer bands
 * inside.
 */
function groundAt(stone: StoneRecord, look: Look, cloud: number, speck: number): Rgb {
  let level = 0.5 + cloud * look.clouds;
  let fine = level * 6.5;
  fine = fine - 2 * Math.floor(fine * 0.5);
  fine = fine < 1 ? fine : 2 - fine;
  level = level - 2 * Math.floor(level * 0.5);
  level = (level < 1 ? level : 2 - level) * 4;
  const stop = Math.min(Math.floor(level), 3);
  const share = smooth(level - stop);
  const grain = 1 + speck * look.crystals + (smooth(fine) - 0.5) * look.fineBands;
  return lit(mix(stone.stops[stop], stone.stops[stop + 1], share), grain);
}

/** Distance to a vein: its phase over the phase's slope, which is `least` at the least. */
const awayFrom = (phase: number, slopeX: number, slopeY: number, least: number) =>
  Math.abs(phase) / (Math.sqrt(slopeX * slopeX + slopeY * slopeY) + least);

/** `terms`: `count` noises; `table`: 4096-entry permutation. */
function paintStone(
  this: KernelThis,
  width: number,
  height: number,
  terms: readonly TermRecord[],
  count: number,
  stone: StoneRecord,
  look: Look,
  table: Float32Array,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  const at = sumsAt((column + 0.5) / width, (row + 0.5) / height, terms, count, table);
  let colour = groundAt(stone, look, at.cloud, at.speck);

  // Hairline cracks and thin veins first, broad veins with their stain over them. Where the
  // broad ones swell the thin ones fade, so that no line closes to a loop.
  const swell = saturate(0.45 + at.mask * 1.7);
  const ebb = 1 - swell;
  const crack = Math.max(0, 1 - Math.abs(at.hair) / 0.013) * look.hair * (0.15 + ebb * 0.85);
  colour = mix(colour, stone.pale, crack);

  // Veins lie where a warped linear phase is whole: they cross the stone instead of closing.
  const { along, aslant } = look;
  const thin = nearest(at.thin + (aslant.x * at.u + aslant.y * at.v));
  const offThin = awayFrom(thin, at.thinX + aslant.x, at.thinY + aslant.y, 2);
  const thinLine = Math.max(0, 1 - offThin / (look.thinWidth * (0.3 + ebb)));
  const thinStain = 1 / (1 + (offThin * offThin) / (look.thinWidth * look.thinWidth * 60));
  const thinCover = Math.min(thinLine * 0.85 + thinStain * thinStain * 0.2, 1);
  colour = mix(colour, stone.dark, thinCover * Math.min(ebb * 1.6, 1) * look.thin);

  const broad = nearest(at.broad + (along.x * at.u + along.y * at.v));
  const off = awayFrom(broad, at.broadX + along.x, at.broadY + along.y, 1);
  const reach = look.broadWidth * (0.12 + swell * swell * 1.4);
  const line = Math.max(0, 1 - off / reach);
  const stain = 1 / (1 + (off * off) / (reach * reach * 12));
  const stained = stain * stain * look.stain * (0.4 + swell);
  const cover = Math.min(line * (2 - line) * 0.9 + stained, 1) * look.broad;
  colour = mix(colour, stone.dark, cover);

  // Gold runs inside some of the broad veins; it glitters with the fine noise.
  const gold = Math.max(0, 1 - (off + at.hair * 0.004) / (reach * 0.5));
  const gilded = Math.min(gold * 3.5, 1) * saturate((at.mask - 0.02) * 12) * look.gold;
  const glitter = 0.62 + 0.6 * gold + at.speck * 0.7 + at.cloud * 0.2;
  return packRgb(mix(colour, lit(stone.gold, glitter), gilded));
}

export const stoneKernel: Kernel = {
  run: paintStone,
  helpers: [sumsAt, groundAt, awayFrom, ...stages],
  records: { terms: TERM, stone: STONE, look: LOOK },
};
