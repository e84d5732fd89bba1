/** Paints blocks: each is a ground with up to three flat shapes laid over it. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `board`: for each of `side`² unit cells the offset of its block in `blocks`; `blocks`: 17
 * numbers each (order in blocks.ts); `look`: gap (in unit cells), shadow (0…1), paper grain (0…1),
 * then the gap's colour; `table`: 4096-entry permutation.
 */
function paintBlocks(
  this: KernelThis,
  width: number,
  height: number,
  side: number,
  board: Float32Array,
  blocks: Float32Array,
  look: Float32Array,
  table: Float32Array,
): number {
  const row = Math.floor((this.thread.x + 0.5) / width);
  const column = this.thread.x - row * width;
  const u = ((column + 0.5) / width) * side;
  const v = ((row + 0.5) / height) * side;
  const at = board[Math.floor(v) * side + Math.floor(u)];
  const size = blocks[at + 2];
  let x = u - blocks[at];
  x = x - Math.floor(x / side) * side;
  let y = v - blocks[at + 1];
  y = y - Math.floor(y / side) * side;
  // Distances below are in edges of the block; `pixel` is one pixel in the same unit.
  const scale = size - look[0];
  const pixel = side / (width * scale);
  x = (x - look[0] * 0.5) / scale;
  y = (y - look[0] * 0.5) / scale;
  const rim = Math.min(Math.min(x, 1 - x), Math.min(y, 1 - y));

  // Quarter turns about the block's middle.
  const turn = blocks[at + 3];
  let p = x;
  let q = y;
  if (turn === 1) {
    p = y;
    q = 1 - x;
  }
  if (turn === 2) {
    p = 1 - x;
    q = 1 - y;
  }
  if (turn === 3) {
    p = 1 - y;
    q = x;
  }
  const a = p - 0.5;
  const b = q - 0.5;
  const radius = Math.sqrt(a * a + b * b);

  // Signed distances of the three shapes, positive inside.
  const kind = blocks[at + 4];
  let first = -1;
  let second = -1;
  let third = -1;
  if (kind === 0) {
    // Quarter rings around a corner.
    const corner = Math.sqrt(p * p + q * q);
    first = 1 - corner;
    second = 0.72 - corner;
    third = 0.4 - corner;
  }
  if (kind === 1) {
    // Two half discs, one over the other, and a dot.
    first = 0.5 - Math.sqrt(a * a + q * q);
    second = Math.min(0.5 - radius, b);
    third = 0.11 - Math.sqrt(a * a + (q - 0.2) * (q - 0.2));
  }
  if (kind === 2) {
    // A triangle, a band along its long side, the tip opposite.
    const slant = (q - p) * Math.SQRT1_2;
    first = slant;
    second = Math.min(slant - 0.14, 0.28 - slant);
    third = -slant - 0.42;
  }
  if (kind === 3) {
    // Stripes behind a disc.
    const stripe = p * 4 - Math.floor(p * 4);
    first = (0.25 - Math.abs(stripe - 0.5)) * 0.25;
    second = 0.34 - radius;
    third = Math.min(0.34 - radius, b);
  }
  if (kind === 4) {
    // Rings.
    first = 0.46 - radius;
    second = 0.32 - radius;
    third = 0.15 - radius;
  }
  if (kind === 5) {
    // A leaf from corner to corner with its midrib.
    const leaf = Math.min(
      1 - Math.sqrt(p * p + (1 - q) * (1 - q)),
      1 - Math.sqrt((1 - p) * (1 - p) + q * q),
    );
    first = leaf;
    second = leaf - 0.13;
    third = Math.min(0.012 - Math.abs(p - q) * Math.SQRT1_2, leaf - 0.03);
  }
  if (kind === 6) {
    // Four leaves around a dot.
    const s = Math.abs(a) * 2;
    const t = Math.abs(b) * 2;
    const leaf = Math.min(
      1 - Math.sqrt(s * s + (1 - t) * (1 - t)),
      1 - Math.sqrt((1 - s) * (1 - s) + t * t),
    );
    first = leaf * 0.5;
    second = leaf * 0.5 - 0.06;
    third = 0.1 - radius;
  }
  if (kind === 7) {
    // Three by three dots, the middle one in another colour.
    const s = p * 3 - Math.floor(p * 3) - 0.5;
    const t = q * 3 - Math.floor(q * 3) - 0.5;
    first = (0.3 - Math.sqrt(s * s + t * t)) / 3;
    second = Math.min(first, 0.17 - radius);
  }
  if (kind === 8) {
    // An arch.
    const arch = Math.sqrt(a * a + (1 - q) * (1 - q));
    first = 0.5 - arch;
    second = 0.36 - arch;
    third = 0.19 - arch;
  }
  if (kind === 9) {
    // A disc in a diamond.
    first = (0.5 - Math.abs(a) - Math.abs(b)) * Math.SQRT1_2;
    second = 0.23 - radius;
    third = 0.09 - radius;
  }
  if (kind === 10) {
    // A chequerboard.
    const s = p * 2 - Math.floor(p * 2) - 0.5;
    const t = q * 2 - Math.floor(q * 2) - 0.5;
    const edge =
      0.5 *
      Math.min(Math.min(Math.abs(s), 0.5 - Math.abs(s)), Math.min(Math.abs(t), 0.5 - Math.abs(t)));
    first = s * t > 0 ? edge : -edge;
  }
  if (kind === 11) {
    // Two rows of scallops.
    const s = p * 2 - Math.floor(p * 2) - 0.5;
    const t = q * 2 - Math.floor(q * 2);
    const scallop = Math.sqrt(s * s + t * t);
    first = (0.5 - scallop) * 0.5;
    second = (0.31 - scallop) * 0.5;
    third = (0.12 - scallop) * 0.5;
  }
  if (kind === 12) {
    // Angles inside each other.
    const far = Math.max(p, q);
    first = 0.8 - far;
    second = 0.6 - far;
    third = Math.min(0.4 - far, far - 0.2);
  }
  if (kind === 13) {
    // A disc, half of it in another colour.
    first = 0.43 - radius;
    second = Math.min(0.43 - radius, (a + b) * Math.SQRT1_2);
    third = 0.13 - radius;
  }
  if (kind === 14) {
    // Two quarter discs in opposite corners.
    const near = Math.sqrt(p * p + q * q);
    const far = Math.sqrt((1 - p) * (1 - p) + (1 - q) * (1 - q));
    first = 0.62 - Math.min(near, far);
    second = Math.max(0.42 - near, 0.42 - far);
    third = Math.max(0.2 - near, 0.2 - far);
  }

  // Paint upwards; each shape throws a soft shadow on what lies beneath it.
  const reach = 0.09;
  let red = blocks[at + 5];
  let green = blocks[at + 6];
  let blue = blocks[at + 7];
  let cover = Math.min(Math.max(first / pixel + 0.5, 0), 1);
  let gap = Math.max(0, 1 + Math.min(first, 0) / reach);
  let shade = 1 - look[1] * gap * gap;
  red = red * shade + (blocks[at + 8] - red * shade) * cover;
  green = green * shade + (blocks[at + 9] - green * shade) * cover;
  blue = blue * shade + (blocks[at + 10] - blue * shade) * cover;
  cover = Math.min(Math.max(second / pixel + 0.5, 0), 1);
  gap = Math.max(0, 1 + Math.min(second, 0) / reach);
  shade = 1 - look[1] * gap * gap;
  red = red * shade + (blocks[at + 11] - red * shade) * cover;
  green = green * shade + (blocks[at + 12] - green * shade) * cover;
  blue = blue * shade + (blocks[at + 13] - blue * shade) * cover;
  cover = Math.min(Math.max(third / pixel + 0.5, 0), 1);
  gap = Math.max(0, 1 + Math.min(third, 0) / reach);
  shade = 1 - look[1] * gap * gap;
  red = red * shade + (blocks[at + 14] - red * shade) * cover;
  green = green * shade + (blocks[at + 15] - green * shade) * cover;
  blue = blue * shade + (blocks[at + 16] - blue * shade) * cover;

  // The joint between blocks, where there is one.
  cover = look[0] > 0 ? Math.min(Math.max(rim / pixel + 0.5, 0), 1) : 1;
  red = look[3] + (red - look[3]) * cover;
  green = look[4] + (green - look[4]) * cover;
  blue = look[5] + (blue - look[5]) * cover;

  // Ink lies a little unevenly on paper.
  const seat = table[column - Math.floor(column / 4096) * 4096] + row;
  const speck = table[seat - Math.floor(seat / 4096) * 4096] / 4096 - 0.5;
  const print = 1 + look[2] * speck;
  return packLinear(red * print, green * print, blue * print);
}

export const blockKernel: Kernel = { run: paintBlocks, helpers: [packLinear, encodeChannel] };

/** How many kinds of block the kernel draws. */
export const BLOCK_KINDS = 15;
