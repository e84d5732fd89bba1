/**
 * A pattern of flat inks as curves. They are traced in a fundamental domain and a little beyond; the rest of the
 * picture are copies of it, so that it is as symmetric as numbers are. Copies overlap, because programs that smooth
 * edges leave hairlines between areas that only touch.
 */

import { encodeVectorPdf } from "../encoders/pdf/vector.ts";
import { encodeSvg } from "../encoders/svg.ts";
import type { Path, VectorLayer, VectorPicture } from "../encoders/vector-picture.ts";
import { InvalidRecipe } from "../errors.ts";
import {
  type Affine,
  apply,
  compose,
  type Point,
  scaling,
  translation,
} from "../geometry/affine.ts";
import { domainOf } from "../geometry/domain.ts";
import { isometriesOf } from "../geometry/isometries.ts";
import { cellTile } from "../geometry/repeating-tile.ts";
import { packedFromHex } from "../image/packed.ts";
import type { SampledImage } from "../image/samples.ts";
import { type Ink, LIMITS, type VectorRequest } from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";
import { inksIn, printedColourReader } from "../render/inks.ts";
import { renderTile } from "../render/tile.ts";
import { curvesAround } from "./curves.ts";
import { copiesOf, partInDomain } from "./domain-part.ts";
import { withoutSpecks } from "./specks.ts";
import { traceOutlines } from "./trace.ts";
import { type InkMap, trappedAreas } from "./traps.ts";

/** Smaller regions, in pixels, are the noise of a photograph. */
const SMALLEST_REGION = 12;

/** Pixels by which a copy overlaps its neighbours, and the least share of the cell's edge. */
const OVERLAP = 3;
const OVERLAP_SHARE = 1 / 256;

/** Coordinates are whole multiples of this part of a pixel. */
const UNITS_PER_PIXEL = 20;

/** Outlines between checkpoints. */
const OUTLINES_AT_ONCE = 256;

/**
 * Resolves with a design's repeat as a file of curves; null if it has more than 16 colours. Rejects with
 * `InvalidRecipe` if it has too many curves, and as `Codec.levels` does.
 */
export async function drawVector(
  context: RenderContext,
  { design, source, format, size, cell_mm }: VectorRequest,
): Promise<Uint8Array | null> {
  const isometries = isometriesOf(design.group, design.lattice);
  const { tile } = cellTile(isometries, size);
  const fields = { tile: "cell", size, hex_cells: "7x4" } as const;
  const image = await renderTile(context, design, source, fields);
  const inks = inksIn(image, design.background);
  if (inks === null) return null;
  const domain = domainOf(isometries);
  const overlap = Math.max(OVERLAP * Math.max(tile.toPlane.a, tile.toPlane.d), OVERLAP_SHARE);
  const map = withoutSpecks(inkMapOf(image, inks, design.background), SMALLEST_REGION);
  const { part, origin } = partInDomain(map, tile, domain, overlap);
  await context.checkpoint();
  const scale =
    (UNITS_PER_PIXEL * size) / Math.max(isometries.period.width, isometries.period.height);
  const toUnits = compose(scaling(scale, scale), tile.toPlane, translation(origin.x, origin.y));
  const { width, height } = isometries.period;
  const picture: VectorPicture = {
    title: `${design.group}, ${inks.length} inks`,
    width: width * scale,
    height: height * scale,
    widthMm: width * cell_mm,
    layers: await layersOf(context, part, inks, toUnits),
    copies: copiesOf(domain, overlap).map((copy) => ({
      ...copy,
      e: copy.e * scale,
      f: copy.f * scale,
    })),
  };
  return format === "svg" ? encodeSvg(picture) : encodeVectorPdf(picture);
}

/** Returns each pixel's place in the list of inks, from 1; 0 where nothing is printed. */
function inkMapOf(image: SampledImage, inks: readonly Ink[], background: string | null): InkMap {
  const { width, height } = image;
  const places = new Map(inks.map(({ colour }, n) => [packedFromHex(colour), n + 1]));
  const inkAt = printedColourReader(background);
  const map = new Uint8Array(width * height);
  for (let at = 0; at < map.length; at++) map[at] = places.get(inkAt(image, at) ?? -1) ?? 0;
  return { width, height, inks: map };
}

/** Resolves with a layer for each ink, in coordinates of the file. */
async function layersOf(
  { checkpoint }: RenderContext,
  map: InkMap,
  inks: readonly Ink[],
  toUnits: Affine,
): Promise<VectorLayer[]> {
  const rounded = (point: Point): Point => {
    const { x, y } = apply(toUnits, point);
    return { x: Math.round(x), y: Math.round(y) };
  };
  const layers: VectorLayer[] = [];
  let count = 0;
  for (const area of trappedAreas(map, inks.length)) {
    const { name, colour } = inks[layers.length];
    const paths: Path[] = [];
    for (const outline of traceOutlines(area)) {
      if (paths.length % OUTLINES_AT_ONCE === 0) await checkpoint();
      const { start, curves } = curvesAround(outline);
      paths.push({
        start: rounded(start),
        curves: curves.map(([one, other, end]) => [rounded(one), rounded(other), rounded(end)]),
      });
      count += curves.length;
      if (count > LIMITS.vector.curves) throw tooManyCurves();
    }
    layers.push({ name, colour, paths });
  }
  return layers;
}

const tooManyCurves = () =>
  new InvalidRecipe([
    {
      path: "/size",
      message: `the pattern has more than ${LIMITS.vector.curves} curves at this size: use a smaller one, fewer inks, or a smoother picture`,
    },
  ]);
