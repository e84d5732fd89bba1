/** Paints round dots on the points of a lattice. */
import type { BlockGrid } from "./block-grid.ts";
import type { BlockMeans } from "./block-means.ts";
import type { Layer } from "./composite-over.ts";
import type { Light } from "./light.ts";

/** The dots on the blocks' middles. */
export interface Dots {
  /** Of each block, in edges of the cell. Negative below half a pixel: see `radiusForCoverage`. */
  readonly radius: Float64Array;
  /** Light of each block's dot, or of all of them. */
  readonly colours: Pick<BlockMeans, "red" | "green" | "blue"> | Light;
  readonly paper: Light;
}

/** Shares of the dots around a pixel, in the order 0, a, b, a + b; the rest is paper. */
type Parts = Float64Array;

/**
 * Returns a function that paints the row which the grid has located: colours, not alpha. A dot's edge
 * is a pixel wide. Where dots overlap, a pixel belongs to the one whose edge is farther away.
 */
export function dotPainter(grid: BlockGrid, dots: Dots): (layer: Layer) => void {
  const { colours, radius } = dots;
  const [red, green, blue] =
    "red" in colours
      ? [colours.red, colours.green, colours.blue]
      : colours.map((light) => new Float64Array(grid.count).fill(light));
  const { number, corner, row } = grid;
  const [paperRed, paperGreen, paperBlue] = dots.paper;
  const parts = new Float64Array(4);
  const divide = partsOf(grid, radius, parts);
  return (layer) => {
    for (let x = 0; x < row.at.length; x++) {
      divide(x);
      let bare = 1;
      let r = 0;
      let g = 0;
      let b = 0;
      for (let k = 0; k < 4; k++) {
        const part = parts[k];
        if (part === 0) continue;
        const block = number[row.at[x] + corner[k]];
        r += part * red[block];
        g += part * green[block];
        b += part * blue[block];
        bare -= part;
      }
      layer.red[x] = r + bare * paperRed;
      layer.green[x] = g + bare * paperGreen;
      layer.blue[x] = b + bare * paperBlue;
    }
  };
}

function partsOf(
  { basis: [a, b], number, corner, row, pixel }: BlockGrid,
  radius: Float64Array,
  parts: Parts,
): (x: number) => void {
  const aa = a.x * a.x + a.y * a.y;
  const bb = b.x * b.x + b.y * b.y;
  const ab2 = 2 * (a.x * b.x + a.y * b.y);
  const [, toA, toB, toSum] = corner;
  const limited = (value: number) => Math.min(Math.max(value, 0), 1);
  return (x) => {
    const { at, u, v } = row;
    const here = at[x];
    const s = u[x];
    const t = v[x];
    const s1 = s - 1;
    const t1 = t - 1;
    // How far inside each dot, in pixels. The squares are sums of squares, but for rounding.
    const in0 =
      (radius[number[here]] - Math.sqrt(Math.max(s * s * aa + s * t * ab2 + t * t * bb, 0))) /
      pixel;
    const in1 =
      (radius[number[here + toA]] -
        Math.sqrt(Math.max(s1 * s1 * aa + s1 * t * ab2 + t * t * bb, 0))) /
      pixel;
    const in2 =
      (radius[number[here + toB]] -
        Math.sqrt(Math.max(s * s * aa + s * t1 * ab2 + t1 * t1 * bb, 0))) /
      pixel;
    const in3 =
      (radius[number[here + toSum]] -
        Math.sqrt(Math.max(s1 * s1 * aa + s1 * t1 * ab2 + t1 * t1 * bb, 0))) /
      pixel;
    const cover = limited(Math.max(in0, in1, in2, in3) + 0.5);
    if (cover === 0) {
      parts.fill(0);
      return;
    }
    const share0 = limited(0.5 + in0 - Math.max(in1, in2, in3));
    const share1 = limited(0.5 + in1 - Math.max(in0, in2, in3));
    const share2 = limited(0.5 + in2 - Math.max(in0, in1, in3));
    const share3 = limited(0.5 + in3 - Math.max(in0, in1, in2));
    const scale = cover / (share0 + share1 + share2 + share3);
    parts[0] = share0 * scale;
    parts[1] = share1 * scale;
    parts[2] = share2 * scale;
    parts[3] = share3 * scale;
  };
}
