/**
 * Blurs a plane of 16-bit numbers by a Gaussian, at a cost that does not depend on its width:
 * repeated box filters whose ends have fractional weights (Gwosdek, Grewenig, Bruhn, Weickert,
 * "Theoretical foundations of Gaussian convolution by extended box filtering", SSVM 2011).
 *
 * Each box is applied to rows and columns at once, as sums of integers below 2⁵³, and rounded
 * once at the end. So rows and columns are interchangeable, start and direction do not matter, and
 * the blur commutes bit for bit with everything that maps pixels to pixels.
 */
import type { EffectContext, Torus, Vector } from "../effect.ts";
import { inBands } from "./bands.ts";

/** Boxes in a row: with three, the result is within 3 % of a Gaussian's peak everywhere. */
const PASSES = 3;

/** Weight of a whole pixel of a box. 16 bits · (128 · 1641)² stay below 2⁵³. */
const WHOLE = 128;

/** Weight 128 for `reach` pixels to both sides and the middle one, `end` for one more at each end. */
interface Box {
  readonly reach: number;
  readonly end: number;
}

/** Returns the box that, applied three times, blurs with standard deviation `sigma`, in pixels. */
function boxFor(sigma: number): Box {
  const variance = (sigma * sigma) / PASSES;
  const reach = Math.floor((Math.sqrt(12 * variance + 1) - 1) / 2);
  const end =
    ((2 * reach + 1) * (reach * (reach + 1) - 3 * variance)) /
    (6 * (variance - (reach + 1) * (reach + 1)));
  return { reach, end: Math.round(end * WHOLE) };
}

/** Standard deviations in pixels for one in edges of the cell. */
type Deviations = Vector;

/**
 * Blurs `plane` and returns both planes: first the result, then the one that is
 * free again. It writes to both; edges wrap.
 */
export async function blurPlane(
  plane: Uint16Array,
  spare: Uint16Array,
  size: Pick<Torus, "width" | "height">,
  sigma: Deviations,
  context: EffectContext,
): Promise<readonly [result: Uint16Array, free: Uint16Array]> {
  const across = boxFor(sigma.x);
  const down = boxFor(sigma.y);
  let [from, into] = [plane, spare];
  for (let pass = 0; pass < PASSES; pass++) {
    await inBands(size, context, startPass(from, into, size, across, down));
    [from, into] = [into, from];
  }
  return [from, into];
}

/**
 * Applies one box to all rows, in order. `columns` holds the sums of each
 * column around the row, continued to both sides; a running sum goes along it.
 */
function startPass(
  from: Uint16Array,
  into: Uint16Array,
  { width, height }: Pick<Torus, "width" | "height">,
  across: Box,
  down: Box,
): (first: number, end: number) => void {
  const margin = across.reach + 1;
  const columns = new Float64Array(width + 2 * margin);
  const weight = (box: Box) => (2 * box.reach + 1) * WHOLE + 2 * box.end;
  const share = 1 / (weight(across) * weight(down));
  const rowStart = (y: number) => (((y % height) + height) % height) * width;

  const addRow = (y: number, factor: number) => {
    const row = rowStart(y);
    for (let x = 0; x < width; x++) columns[margin + x] += factor * from[row + x];
  };
  for (let y = -down.reach; y <= down.reach; y++) addRow(y, WHOLE);
  addRow(-down.reach - 1, down.end);
  addRow(down.reach + 1, down.end);

  const wrapColumns = () => {
    for (let k = margin - 1; k >= 0; k--) columns[k] = columns[k + width];
    for (let k = margin + width; k < columns.length; k++) columns[k] = columns[k - width];
  };
  const glide = (row: number) => {
    const { reach, end } = across;
    let sum = 0;
    for (let k = margin - reach; k <= margin + reach; k++) sum += columns[k];
    let beyond = columns[margin - reach - 1];
    for (let x = 0; x < width; x++) {
      const entering = columns[margin + x + reach + 1];
      const leaving = columns[margin + x - reach];
      into[row + x] = (WHOLE * sum + end * (beyond + entering)) * share + 0.5;
      sum += entering - leaving;
      beyond = leaving;
    }
  };
  const stepDown = (y: number) => {
    const { reach, end } = down;
    const rest = WHOLE - end;
    const entering = rowStart(y + reach + 1);
    const next = rowStart(y + reach + 2);
    const leaving = rowStart(y - reach);
    const last = rowStart(y - reach - 1);
    for (let x = 0; x < width; x++) {
      columns[margin + x] +=
        end * (from[next + x] - from[last + x]) + rest * (from[entering + x] - from[leaving + x]);
    }
  };
  return (first, end) => {
    for (let y = first; y < end; y++) {
      wrapColumns();
      glide(y * width);
      stepDown(y);
    }
  };
}
