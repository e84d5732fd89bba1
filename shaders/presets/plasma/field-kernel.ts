/** Paints the levels of a warped field: silk, cut paper, contour lines, grain. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `terms`: 8 numbers each (order in field-terms.ts), `count` of them; `bands` and `buckets`: the
 * colours from level to level as lib/band-table.ts makes them; `look`: order in looks.ts;
 * `table`: 4096-entry permutation.
 *
 * Each noise is read where those before it have moved the pixel to; their slopes are carried
 * along by the chain rule, so that the field's slope on the sheet is exact. A colour is the mean
 * of the bands over the levels that the pixel covers. The noise is Perlin's on a lattice that
 * wraps; webasm takes no arrays in helpers, so it stands here in full.
 */
function paintField(
  this: KernelThis,
  width: number,
  height: number,
  terms: Float32Array,
  count: number,
  bands: Float32Array,
  buckets: Float32Array,
  look: Float32Array,
  table: Float32Array,
): number {
  const row = Math.floor((this.thread.x + 0.5) / width);
  const column = this.thread.x - row * width;
  const pixel = 1 / width;
  let u = (column + 0.5) / width;
  let v = (row + 0.5) / height;

  // Where the pixel has been moved to, by how far it was moved on the sheet.
  let uAcross = 1;
  let uDown = 0;
  let vAcross = 0;
  let vDown = 1;
  let level = 0;
  let levelAcross = 0;
  let levelDown = 0;
  let tint = 0;
  let ray = 0;
  for (let term = 0; term < count; term++) {
    const at = term * 8;
    const across = terms[at];
    const down = terms[at + 1];
    const x = across * u;
    const y = down * v;
    const cellX = Math.floor(x);
    const cellY = Math.floor(y);
    const tx = x - cellX;
    const ty = y - cellY;
    const x0 = cellX - Math.floor((cellX + 0.5) / across) * across;
    const y0 = cellY - Math.floor((cellY + 0.5) / down) * down;
    const x1 = x0 + 1 < across ? x0 + 1 : 0;
    const y1 = y0 + 1 < down ? y0 + 1 : 0;
    const left = table[x0 + terms[at + 2]];
    const right = table[x1 + terms[at + 2]];
    const i00 = left + y0;
    const i10 = right + y0;
    const i01 = left + y1;
    const i11 = right + y1;
    const h00 = table[i00 < 4096 ? i00 : i00 - 4096];
    const h10 = table[i10 < 4096 ? i10 : i10 - 4096];
    const h01 = table[i01 < 4096 ? i01 : i01 - 4096];
    const h11 = table[i11 < 4096 ? i11 : i11 - 4096];
    // Six bits of a hash are the gradient's x, six its y.
    const g00 = Math.floor(h00 / 64);
    const g10 = Math.floor(h10 / 64);
    const g01 = Math.floor(h01 / 64);
    const g11 = Math.floor(h11 / 64);
    const k00 = h00 - g00 * 64;
    const k10 = h10 - g10 * 64;
    const k01 = h01 - g01 * 64;
    const k11 = h11 - g11 * 64;
    const n00 = (g00 - 31.5) * tx + (k00 - 31.5) * ty;
    const n10 = (g10 - 31.5) * (tx - 1) + (k10 - 31.5) * ty;
    const n01 = (g01 - 31.5) * tx + (k01 - 31.5) * (ty - 1);
    const n11 = (g11 - 31.5) * (tx - 1) + (k11 - 31.5) * (ty - 1);
    const fx = tx * tx * tx * (tx * (tx * 6 - 15) + 10);
    const fy = ty * ty * ty * (ty * (ty * 6 - 15) + 10);
    const upper = n00 + (n10 - n00) * fx;
    const lower = n01 + (n11 - n01) * fx;
    const noise = (upper + (lower - upper) * fy) / 31.5;
    const upperX = (g10 - g00) * fx + g00 - 31.5;
    const lowerX = (g11 - g01) * fx + g01 - 31.5;
    const riseX = n10 - n00 + (n11 - n01 - n10 + n00) * fy;
    const slopeX =
      (across * (upperX + (lowerX - upperX) * fy + 30 * tx * tx * (tx * (tx - 2) + 1) * riseX)) /
      31.5;
    const upperY = (k10 - k00) * fx + k00 - 31.5;
    const lowerY = (k11 - k01) * fx + k01 - 31.5;
    const slopeY =
      (down *
        (upperY + (lowerY - upperY) * fy + 30 * ty * ty * (ty * (ty - 2) + 1) * (lower - upper))) /
      31.5;
    const noiseAcross = slopeX * uAcross + slopeY * vAcross;
    const noiseDown = slopeX * uDown + slopeY * vDown;
    u += terms[at + 3] * noise;
    uAcross += terms[at + 3] * noiseAcross;
    uDown += terms[at + 3] * noiseDown;
    v += terms[at + 4] * noise;
    vAcross += terms[at + 4] * noiseAcross;
    vDown += terms[at + 4] * noiseDown;
    level += terms[at + 5] * noise;
    levelAcross += terms[at + 5] * noiseAcross;
    levelDown += terms[at + 5] * noiseDown;
    tint += terms[at + 6] * noise;
    ray += terms[at + 7] * noise;
  }

  // Levels also rise steadily, in whole steps over the picture, so that they close.
  const place = look[0] * level + look[1] * u + look[2] * v + look[3];
  const rise = look[0] * levelAcross + look[1] * uAcross + look[2] * vAcross;
  const fall = look[0] * levelDown + look[1] * uDown + look[2] * vDown;
  const steep = Math.sqrt(rise * rise + fall * fall) + 0.0001;

  // Grain: value noise that scatters the levels, as sprayed or printed colour does.
  const gx = (column + 0.5) * pixel * 420;
  const gy = ((row + 0.5) / height) * 420;
  const gx0 = Math.floor(gx);
  const gy0 = Math.floor(gy);
  const gtx = gx - gx0;
  const gty = gy - gy0;
  const gLeft = table[gx0] + gy0;
  const gRight = table[gx0 + 1 < 420 ? gx0 + 1 : 0] + gy0;
  const gNext = gy0 + 1 < 420 ? 1 : -419;
  const gl0 = gLeft < 4096 ? gLeft : gLeft - 4096;
  const gr0 = gRight < 4096 ? gRight : gRight - 4096;
  const gl1 = gLeft + gNext < 4096 ? gLeft + gNext : gLeft + gNext - 4096;
  const gr1 = gRight + gNext < 4096 ? gRight + gNext : gRight + gNext - 4096;
  // Divided by the root of the weights' squares, it varies as much between its points as on them.
  const norm =
    1 / Math.sqrt(((1 - gtx) * (1 - gtx) + gtx * gtx) * ((1 - gty) * (1 - gty) + gty * gty));
  const gUpper = table[gl0] + (table[gr0] - table[gl0]) * gtx - 2047.5;
  const gLower = table[gl1] + (table[gr1] - table[gl1]) * gtx - 2047.5;
  const seen = Math.min(Math.max(width / 420 - 0.6, 0), 1);
  const grain = ((gUpper + (gLower - gUpper) * gty) / 4096) * norm * seen;
  // Finer than a pixel, the grain is the mean over all that it scatters.
  const foot = Math.max(steep * pixel + look[5] * 0.5 * (1 - seen), 0.00002);
  let scattered = place + look[5] * grain;
  if (look[4] > 0.5) {
    const half = Math.min(foot * 0.5, 0.5);
    scattered = Math.min(Math.max(scattered, half), 1 - half);
  }

  let red = 0;
  let green = 0;
  let blue = 0;
  let below = 0;
  let above = 0;
  for (let end = 0; end < 3; end++) {
    const x = end < 2 ? scattered + (end - 0.5) * foot : scattered;
    const whole = Math.floor(x);
    const part = x - whole;
    let at = buckets[Math.min(Math.floor(part * 512), 511)];
    for (let step = 0; step < 40; step++) {
      if (bands[at] + bands[at + 1] > part || bands[at + 2] < 0.5) break;
      at = bands[at + 2];
    }
    const run = part - bands[at];
    const bent = (0.5 * run * run) / bands[at + 1];
    const sign = end < 1 ? -1 : 1;
    if (end < 2) {
      red +=
        sign *
        (whole * look[16] +
          bands[at + 3] +
          run * bands[at + 6] +
          bent * (bands[at + 9] - bands[at + 6]));
      green +=
        sign *
        (whole * look[17] +
          bands[at + 4] +
          run * bands[at + 7] +
          bent * (bands[at + 10] - bands[at + 7]));
      blue +=
        sign *
        (whole * look[18] +
          bands[at + 5] +
          run * bands[at + 8] +
          bent * (bands[at + 11] - bands[at + 8]));
    }
    below = run / steep;
    above = (bands[at + 1] - run) / steep;
  }
  red = red / foot;
  green = green / foot;
  blue = blue / foot;

  // Where levels are held no band comes before the first and none after the last.
  if (look[4] > 0.5 && scattered < bands[1]) below = 1;
  if (look[4] > 0.5 && scattered > 1 - bands[1]) above = 1;

  // The band above lies on top and throws its shadow, longer away from the light at the upper
  // left; then lines where two bands meet.
  const away = 0.62 - (0.27 * (rise + fall)) / steep;
  const near = Math.max(0, 1 - above / (look[7] * away));
  // Where the edge runs through the pixel, the part of it that lies below is in shade.
  const under = Math.max(
    Math.min(above / pixel + 0.5, 1) * near * near,
    Math.max(0.5 - below / pixel, 0),
  );
  const shade = 1 - look[6] * under;
  red = red * shade;
  green = green * shade;
  blue = blue * shade;
  const drawn = Math.max(look[9], 0.6 * pixel);
  const line =
    look[8] *
    Math.min(Math.max((drawn - Math.min(below, above)) / pixel + 0.5, 0), 1) *
    Math.min((look[9] / drawn) * Math.min((below + above) / (4 * drawn), 1), 1);
  red += (look[19] - red) * line;
  green += (look[20] - green) * line;
  blue += (look[21] - blue) * line;

  // A second field lays one colour over its heights and another over its depths.
  const warm = Math.min(Math.max((tint + look[11] * grain) * 2.6 - 0.15, 0), 1);
  const cool = Math.min(Math.max((0 - tint + look[11] * grain) * 2.6 - 0.15, 0), 1);
  const first = warm * warm * (3 - 2 * warm) * look[10];
  const second = cool * cool * (3 - 2 * cool) * look[10];
  red += (look[22] - red) * first + (look[25] - red) * second;
  green += (look[23] - green) * first + (look[26] - green) * second;
  blue += (look[24] - blue) * first + (look[27] - blue) * second;

  // Light falls from the upper left; folds catch it and shine where they face it.
  const lean = (0 - rise - fall) * 0.7 * look[13];
  const face = lean / Math.sqrt(1 + steep * steep * look[13] * look[13]);
  const light = (1 + look[12] * face) * (1 + look[15] * ray) * (1 + 0.06 * grain);
  const shine = Math.max(face - 0.35, 0);
  const gloss = look[14] * shine * shine;
  red = red * light + (1 - red) * gloss;
  green = green * light + (1 - green) * gloss;
  blue = blue * light + (1 - blue) * gloss;
  return packLinear(red, green, blue);
}

export const fieldKernel: Kernel = { run: paintField, helpers: [packLinear, encodeChannel] };
