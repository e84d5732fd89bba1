/** Paints blocks: each is a ground with up to three flat shapes laid over it. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { layout, type RecordOf, RGB, type Rgb, recordAt } from "../../lib/layout.ts";
import { unevenness } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { coverage, lit, mix, pixelAt } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { BLOCK, type BlockRecord } from "./blocks.ts";
import {
  angles,
  arch,
  chequerboard,
  cornerDiscs,
  discInDiamond,
  fourLeaves,
  halfDiscs,
  halvedDisc,
  leafWithMidrib,
  nineDots,
  type Place,
  quarterRings,
  rings,
  SHAPES,
  type Shapes,
  scallops,
  stripesBehindDisc,
  triangle,
} from "./shapes.ts";

/** How a print looks; `gap` between blocks in unit cells, `shadow` and `grain` 0…1. */
export const LOOK = layout({ gap: 1, shadow: 1, grain: 1, joint: RGB });
type Look = RecordOf<typeof LOOK>;

/** A place in a block after quarter turns about its middle. */
function turned(x: number, y: number, turns: number): Place {
  let p = x;
  let q = y;
  if (turns === 1) {
    p = y;
    q = 1 - x;
  }
  if (turns === 2) {
    p = 1 - x;
    q = 1 - y;
  }
  if (turns === 3) {
    p = 1 - y;
    q = x;
  }
  const a = p - 0.5;
  const b = q - 0.5;
  return { p, q, a, b, radius: Math.sqrt(a * a + b * b) };
}

/** The shapes of a kind of block. */
function shapesAt(at: Place, kind: number): Shapes {
  let shapes: Shapes = { first: -1, second: -1, third: -1 };
  if (kind === 0) shapes = quarterRings(at);
  if (kind === 1) shapes = halfDiscs(at);
  if (kind === 2) shapes = triangle(at);
  if (kind === 3) shapes = stripesBehindDisc(at);
  if (kind === 4) shapes = rings(at);
  if (kind === 5) shapes = leafWithMidrib(at);
  if (kind === 6) shapes = fourLeaves(at);
  if (kind === 7) shapes = nineDots(at);
  if (kind === 8) shapes = arch(at);
  if (kind === 9) shapes = discInDiamond(at);
  if (kind === 10) shapes = chequerboard(at);
  if (kind === 11) shapes = scallops(at);
  if (kind === 12) shapes = angles(at);
  if (kind === 13) shapes = halvedDisc(at);
  if (kind === 14) shapes = cornerDiscs(at);
  return { first: shapes.first, second: shapes.second, third: shapes.third };
}

/** A flat shape over what lies beneath it, on which it throws a soft shadow. */
function layered(under: Rgb, colour: Rgb, depth: number, pixel: number, shadow: number): Rgb {
  const gap = Math.max(0, 1 + Math.min(depth, 0) / REACH);
  return mix(lit(under, 1 - shadow * gap * gap), colour, coverage(depth, pixel));
}

/** How far a shadow reaches, in edges of the block. */
const REACH = 0.09;

/**
 * `board`: for each of `side`² unit cells where its block begins in `blocks`; `table`: 4096-entry
 * permutation.
 */
function paintBlocks(
  this: KernelThis,
  width: number,
  height: number,
  side: number,
  board: Float32Array,
  blocks: readonly BlockRecord[],
  look: Look,
  table: Float32Array,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  const u = ((column + 0.5) / width) * side;
  const v = ((row + 0.5) / height) * side;
  const block = recordAt(blocks, board[Math.floor(v) * side + Math.floor(u)]);
  // Distances below are in edges of the block; `pixel` is one pixel in the same unit.
  const scale = block.size - look.gap;
  const pixel = side / (width * scale);
  const x = (within(u - block.x, side) - look.gap * 0.5) / scale;
  const y = (within(v - block.y, side) - look.gap * 0.5) / scale;

  const { first, second, third } = shapesAt(turned(x, y, block.turns), block.kind);
  let colour: Rgb = layered(block.ground, block.first, first, pixel, look.shadow);
  colour = layered(colour, block.second, second, pixel, look.shadow);
  colour = layered(colour, block.third, third, pixel, look.shadow);

  // The joint between blocks, where there is one.
  const rim = Math.min(Math.min(x, 1 - x), Math.min(y, 1 - y));
  const cover = look.gap > 0 ? coverage(rim, pixel) : 1;
  colour = mix(look.joint, colour, cover);
  return packRgb(lit(colour, 1 + look.grain * unevenness(table, column, row)));
}

/** `place` wrapped into 0 ≤ x < `side`. */
const within = (place: number, side: number) => place - Math.floor(place / side) * side;

export const blockKernel: Kernel = {
  run: paintBlocks,
  helpers: [turned, shapesAt, layered, within, ...SHAPES, ...stages],
  records: { blocks: BLOCK, look: LOOK },
  literals: { REACH },
};
