/**
 * `npm run coherence -- PHOTOGRAPH…`: renders photographs under the groups whose domains have edges that
 * are no mirrors, with the seams `blend` and `cut`, and prints as Markdown which share of their 9 × 9
 * patches is found nowhere in the photograph, under the group's turns and mirrors (coherence, Simakov et
 * al., "Summarizing Visual Data Using Bidirectional Similarity", 2008).
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { Value } from "typebox/value";
import {
  type Affine,
  apply,
  compose,
  invert,
  scaling,
  translation,
} from "../engine/geometry/affine.ts";
import { domainOf } from "../engine/geometry/domain.ts";
import { isometriesOf } from "../engine/geometry/isometries.ts";
import { boxOf } from "../engine/geometry/window.ts";
import { SRGB8_TO_LINEAR } from "../engine/image/transfer.ts";
import {
  checkDesign,
  checkRender,
  createEngine,
  type Engine,
  type GroupName,
  plainDesign,
  RenderFields,
  type Seam,
} from "../engine/index.ts";
import { GROUP_NAMES } from "../engine/recipe/groups.ts";
import { placeMotif } from "../engine/render/placement.ts";
import { encodedChannel } from "../shaders/lib/colour.ts";
import { saturate } from "../shaders/lib/paint.ts";
import { quarticWeight } from "../shaders/lib/source.ts";

/** All but those whose domains have mirrors for all edges. */
const GROUPS = GROUP_NAMES.filter((name) => !["pmm", "p4m", "p3m1", "p6m"].includes(name));
/**
 * Pixels along an edge of the cell, and along the sheet. An even number, for which the height of a hexagonal cell
 * is whole, too, but for 0.009: then all copies of the picture lie alike between the sheet's pixels.
 */
const CELL = 194;
const SIDE = 300;
const PATCH = 9;
/** Patches of a sheet, drawn by lot. */
const PATCHES = 1000;
/** A patch has a twin within this root mean square of 255, of means of 3 × 3 pixels less the patch's mean. */
const NEAR = 6;

/** Means of the 3 × 3 blocks of a patch, in three channels, less the patch's mean. */
const FEATURES = 27;

interface Picture {
  readonly width: number;
  readonly height: number;
  /** RGB. */
  readonly pixels: Uint8Array;
}

const { positionals } = parseArgs({ allowPositionals: true });
const engine = await createEngine({ backend: "webasm", threads: 1, queueMax: 1 });
try {
  console.log("| photograph | group | blend | cut | ratio |\n|---|---|---|---|---|");
  const all = { blend: 0, cut: 0 };
  for (const path of positionals) {
    for (const group of GROUPS) {
      const shares = await incoherent(engine, await readFile(path), group);
      all.blend += shares.blend;
      all.cut += shares.cut;
      console.log(row(basename(path), group, shares));
    }
  }
  console.log(row("all", "", all, positionals.length * GROUPS.length));
} finally {
  await engine.close(1000);
}

function row(
  name: string,
  group: string,
  { blend, cut }: { readonly blend: number; readonly cut: number },
  count = 1,
): string {
  const percent = (share: number) => `${((100 * share) / count).toFixed(1)} %`;
  return `| ${name} | ${group} | ${percent(blend)} | ${percent(cut)} | ${(cut / blend).toFixed(2)} |`;
}

/** Returns the share of patches without a twin, with each seam. */
async function incoherent(engine: Engine, photograph: Uint8Array, group: GroupName) {
  const isometries = isometriesOf(group, plainDesign(group).lattice);
  const domain = domainOf(isometries);
  const { motif } = plainDesign(group);
  const { width = 1, height = 1 } = await sharp(photograph).metadata();
  // As large as makes a pixel of the photograph a pixel of the sheet.
  const perPixel = placeMotif(domain.corners, motif, { width, height }).a / CELL;
  const source = await sharp(photograph)
    .removeAlpha()
    .resize(Math.round(width / perPixel), Math.round(height / perPixel), { fit: "fill" })
    .png()
    .toBuffer();
  const { data, info } = await sharp(source).raw().toBuffer({ resolveWithObject: true });
  const picture = { width: info.width, height: info.height, pixels: data };
  const fromCentre = translation(-domain.centre.x, -domain.centre.y);
  const toSource = compose(placeMotif(domain.corners, motif, picture), fromCentre);
  const toPlane = compose(scaling(1 / CELL, 1 / CELL), translation(0.5, 0.5));
  const turned = isometries.cosets.map((coset) =>
    featuresOf(copyOf(picture, compose(toSource, coset, toPlane))),
  );
  const shareOf = async (method: Seam["method"]) => {
    const sheet = featuresOf(await sheetOf(engine, source, group, method));
    let without = 0;
    let lot = 1;
    for (let n = 0; n < PATCHES; n++) {
      lot = (lot * 16807) % 2147483647;
      const patch = (lot % sheet.count) * FEATURES;
      if (!turned.some((one) => hasTwin(sheet.values.subarray(patch, patch + FEATURES), one))) {
        without++;
      }
    }
    return without / PATCHES;
  };
  return { blend: await shareOf("blend"), cut: await shareOf("cut") };
}

async function sheetOf(
  engine: Engine,
  bytes: Uint8Array,
  group: GroupName,
  method: Seam["method"],
): Promise<Picture> {
  const plain = plainDesign(group);
  const { bytes: png } = await engine.render({
    design: checkDesign({ ...plain, seam: { ...plain.seam, method } }),
    source: { sha256: createHash("sha256").update(bytes).digest("hex"), bytes },
    render: checkRender({
      ...Value.Create(RenderFields),
      mode: "surface",
      surface_width: SIDE,
      surface_height: SIDE,
      cell: CELL,
    }),
  });
  return { width: SIDE, height: SIDE, pixels: await sharp(png).removeAlpha().raw().toBuffer() };
}

/**
 * Returns a picture on the sheet's pixels, sampled as the sheet is: where it is the sheet's own, nothing differs.
 * @param toPicture map from the sheet's pixels
 */
function copyOf(picture: Picture, toPicture: Affine): Picture {
  const { width, height, pixels } = picture;
  const toSheet = invert(toPicture);
  const { min, max } = boxOf(
    [0, width].flatMap((x) => [0, height].map((y) => apply(toSheet, { x, y }))),
  );
  const [left, upper] = [Math.floor(min.x), Math.floor(min.y)];
  const size = { width: Math.ceil(max.x) - left, height: Math.ceil(max.y) - upper };
  const light = Float64Array.from(pixels, (value) => SRGB8_TO_LINEAR[value]);
  const copy = { ...size, pixels: new Uint8Array(size.width * size.height * 3) };
  for (let y = 0, to = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, to += 3) {
      const from = apply(toPicture, { x: left + x, y: upper + y });
      const [column, row] = [Math.floor(from.x - 0.5) - 1, Math.floor(from.y - 0.5) - 1];
      if (column < 0 || row < 0 || column + 3 >= width || row + 3 >= height) continue;
      const sums = [0, 0, 0];
      for (let tap = 0; tap < 16; tap++) {
        const [u, v] = [column + (tap % 4), row + (tap >> 2)];
        const away = [from.x - 0.5 - u, from.y - 0.5 - v].map((part) =>
          quarticWeight(Math.abs(part)),
        );
        for (let channel = 0; channel < 3; channel++) {
          sums[channel] += away[0] * away[1] * light[(v * width + u) * 3 + channel];
        }
      }
      copy.pixels.set(
        sums.map((sum) => Math.round(255 * encodedChannel(saturate(sum)))),
        to,
      );
    }
  }
  return copy;
}

interface Features {
  readonly count: number;
  readonly values: Float32Array;
}

/** Returns the features of all patches of a picture. */
function featuresOf({ width, height, pixels }: Picture): Features {
  const [across, down] = [width - PATCH + 1, height - PATCH + 1];
  const blocks = blockMeans({ width, height, pixels });
  const values = new Float32Array(across * down * FEATURES);
  for (let y = 0, to = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let block = 0; block < 9; block++) {
          const at = (y + 3 * Math.floor(block / 3)) * width + x + 3 * (block % 3);
          values[to + block] = blocks[at * 3 + channel];
          sum += blocks[at * 3 + channel];
        }
        for (let block = 0; block < 9; block++) values[to + block] -= sum / 9;
        to += 9;
      }
    }
  }
  return { count: across * down, values };
}

/** Returns the means of the 3 × 3 pixels that begin at each pixel. */
function blockMeans({ width, height, pixels }: Picture): Float32Array {
  const means = new Float32Array(width * height * 3);
  for (let y = 0; y < height - 2; y++) {
    for (let x = 0; x < width - 2; x++) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let row = 0; row < 3; row++) {
          const at = ((y + row) * width + x) * 3 + channel;
          sum += pixels[at] + pixels[at + 3] + pixels[at + 6];
        }
        means[(y * width + x) * 3 + channel] = sum / 9;
      }
    }
  }
  return means;
}

/** Whether any patch of a picture is near. */
function hasTwin(patch: Float32Array, { values }: Features): boolean {
  const most = NEAR * NEAR * FEATURES;
  for (let at = 0; at < values.length; at += FEATURES) {
    let sum = 0;
    for (let n = 0; n < FEATURES && sum <= most; n++) sum += (values[at + n] - patch[n]) ** 2;
    if (sum <= most) return true;
  }
  return false;
}
