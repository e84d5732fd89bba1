/** Paints Truchet tiles: bands, rings and discs, each over those before it. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `side`: cells of the board before it repeats; `cells`: cells along the picture's edge;
 * `diagonal`: 1 where the board stands on a corner, else 0; `pieces`: 25 numbers each (order in
 * pieces.ts), those of a cell from the lowest up; `starts`: where each cell's begin; `look`:
 * unevenness of the print (0…1); `table`: 4096-entry permutation.
 */
function paintPieces(
  this: KernelThis,
  width: number,
  height: number,
  side: number,
  cells: number,
  diagonal: number,
  pieces: Float32Array,
  starts: Float32Array,
  look: Float32Array,
  table: Float32Array,
): number {
  const row = Math.floor((this.thread.x + 0.5) / width);
  const column = this.thread.x - row * width;
  const s = ((column + 0.5) / width) * cells;
  const t = ((row + 0.5) / height) * cells;
  // Lengths below are in cells; `pixel` is one pixel in the same unit.
  const pixel = (cells / width) * (diagonal > 0 ? Math.SQRT2 : 1);
  const u = s + diagonal * t;
  const back = t - diagonal * s;
  const v = back - Math.floor(back / side) * side;
  const cellX = Math.floor(u);
  const cellY = Math.floor(v);
  const cell =
    (cellY - Math.floor((cellY + 0.5) / side) * side) * side +
    cellX -
    Math.floor((cellX + 0.5) / side) * side;
  const end = starts[cell + 1];
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let at = starts[cell]; at < end; at += 25) {
    let dx = u - pieces[at + 1];
    dx = dx - Math.floor(dx / side + 0.5) * side;
    let dy = v - pieces[at + 2];
    dy = dy - Math.floor(dy / side + 0.5) * side;
    // Distance from the piece's middle line, then from its rim; positive inside.
    const away =
      pieces[at] > 0
        ? Math.abs(dx * pieces[at + 3] + dy * pieces[at + 4])
        : Math.abs(Math.sqrt(dx * dx + dy * dy) - pieces[at + 3]);
    const depth = Math.min(
      pieces[at + 5] - away,
      Math.min(
        Math.min(dx - pieces[at + 6], pieces[at + 8] - dx),
        Math.min(dy - pieces[at + 7], pieces[at + 9] - dy),
      ),
    );
    if (depth > -pieces[at + 23] - pixel) {
      const near = Math.max(0, 1 + Math.min(depth, 0) / pieces[at + 23]);
      const shade = 1 - pieces[at + 22] * near * near;
      const cover = Math.min(Math.max(depth / pixel + 0.5, 0), 1);
      const body = Math.min(Math.max((depth - pieces[at + 16]) / pixel + 0.5, 0), 1);
      const gap = pieces[at + 21] - Math.abs(away - pieces[at + 20]);
      // A stripe thinner than a pixel is drawn fainter instead.
      const stripe =
        Math.min(Math.max(gap / pixel + 0.5, 0), 1) * Math.min((2 * pieces[at + 21]) / pixel, 1);
      const bulge = away / pieces[at + 5];
      const light = 1 - pieces[at + 24] * bulge * bulge;
      const bodyRed = pieces[at + 10] + (pieces[at + 17] - pieces[at + 10]) * stripe;
      const bodyGreen = pieces[at + 11] + (pieces[at + 18] - pieces[at + 11]) * stripe;
      const bodyBlue = pieces[at + 12] + (pieces[at + 19] - pieces[at + 12]) * stripe;
      const paintRed = pieces[at + 13] + (bodyRed * light - pieces[at + 13]) * body;
      const paintGreen = pieces[at + 14] + (bodyGreen * light - pieces[at + 14]) * body;
      const paintBlue = pieces[at + 15] + (bodyBlue * light - pieces[at + 15]) * body;
      red = red * shade + (paintRed - red * shade) * cover;
      green = green * shade + (paintGreen - green * shade) * cover;
      blue = blue * shade + (paintBlue - blue * shade) * cover;
    }
  }

  // Ink lies a little unevenly on paper.
  const seat = table[column - Math.floor(column / 4096) * 4096] + row;
  const speck = table[seat - Math.floor(seat / 4096) * 4096] / 4096 - 0.5;
  const print = 1 + look[0] * speck;
  return packLinear(red * print, green * print, blue * print);
}

export const pieceKernel: Kernel = { run: paintPieces, helpers: [packLinear, encodeChannel] };
