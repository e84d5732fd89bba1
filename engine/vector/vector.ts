/**
 * A pattern of flat inks as curves. They are traced in a fundamental domain and a little beyond; the rest of the
 * picture are copies of it, so that it is as symmetric as the numbers of a file can be. Copies overlap, because programs that smooth
 * edges leave hairlines between areas that only touch.
 */

import { encodeVectorPdf } from "../encoders/pdf/vector.ts";
import { encodeSvg } from "../encoders/svg.ts";
import type { Curve, Path, VectorLayer, VectorPicture } from "../encoders/vector-picture.ts";
import { InvalidRecipe } from "../errors.ts";
import {
  type Affine,
  apply,
  compose,
  type Point,
  scaling,
  translation,
} from "../geometry/affine.ts";
import { isometriesOfDesign, keptIsometries } from "../geometry/counterchange.ts";
import { domainOf } from "../geometry/domain.ts";
import { cellTile } from "../geometry/repeating-tile.ts";
import { packedFromHex } from "../image/packed.ts";
import type { SampledImage } from "../image/samples.ts";
import { type Ink, LIMITS, type VectorRequest } from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";
import { inksIn, printedColourReader } from "../render/inks.ts";
import { renderTile } from "../render/tile.ts";
import type { Size } from "../size.ts";
import { curvesAround } from "./curves.ts";
import { copiesOf, partInDomain } from "./domain-part.ts";
import { withoutSpecks } from "./specks.ts";
import { outlineLength, traceOutlines } from "./trace.ts";
import { areasWithUnderlap, type InkMap } from "./underlap.ts";

/** Smaller regions, in pixels, are the noise of a photograph. */
const SMALLEST_REGION = 12;

/** Square pixels that an outline encloses at least; less remains of corners of what lies below other inks. */
const SMALLEST_AREA = 2;

/** Pixels by which a copy overlaps its neighbours, but at least this share of the cell's edge. */
const OVERLAP = 3;
const OVERLAP_SHARE = 1 / 256;

/** Coordinates are whole numbers of units. */
const UNITS_PER_PIXEL = 20;

/** Most pixel edges of all outlines: a curve takes about ten. */
const MOST_EDGES = 1_500_000;

/** Curves between checkpoints. */
const CURVES_AT_ONCE = 1000;

/**
 * Resolves with a design's repeat as a file of curves; null if it has more than 16 colours. Rejects with
 * `InvalidRecipe` if it has too many curves, and as `Codec.levels` does.
 */
export async function drawVector(
  context: RenderContext,
  { design, source, format, size, cell_mm }: VectorRequest,
): Promise<Uint8Array | null> {
  const isometries = keptIsometries(isometriesOfDesign(design));
  checkPage(isometries.period, cell_mm);
  const { tile } = cellTile(isometries, size);
  const fields = { tile: "cell", size, hex_cells: "7x4" } as const;
  const image = await renderTile(context, design, source, fields, { isFlat: true });
  const inks = inksIn(image, design);
  if (inks === null) return null;
  const domain = domainOf(isometries);
  const overlap = Math.max(OVERLAP * Math.max(tile.toPlane.a, tile.toPlane.d), OVERLAP_SHARE);
  await context.checkpoint();
  const map = withoutSpecks(inkMapOf(image, inks, design.background), SMALLEST_REGION);
  await context.checkpoint();
  const { part, origin } = partInDomain(map, tile, domain, overlap);
  await context.checkpoint();
  const scale =
    (UNITS_PER_PIXEL * size) / Math.max(isometries.period.width, isometries.period.height);
  const toUnits = compose(scaling(scale, scale), tile.toPlane, translation(origin.x, origin.y));
  const { width, height } = isometries.period;
  const layers = await layersOf(context, part, inks, toUnits);
  const picture: VectorPicture = {
    title: `${design.group}, ${layers.length} ${layers.length === 1 ? "ink" : "inks"}`,
    width: width * scale,
    height: height * scale,
    widthMm: width * cell_mm,
    layers,
    copies: copiesOf(domain, overlap).map((copy) => ({
      ...copy,
      e: copy.e * scale,
      f: copy.f * scale,
    })),
  };
  return format === "svg" ? encodeSvg(picture) : encodeVectorPdf(picture);
}

/** Throws `InvalidRecipe` if a page of one repeat would be larger or smaller than a PDF's can be. */
function checkPage({ width, height }: Size, cell_mm: number): void {
  const { minimum, maximum } = LIMITS.vector.side;
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter * cell_mm >= minimum && longer * cell_mm <= maximum) return;
  const shown = (value: number) => String(Math.round(value * 100) / 100);
  throw new InvalidRecipe([
    {
      path: "/cell_mm",
      message: `one repeat would have ${shown(width * cell_mm)} × ${shown(height * cell_mm)} mm; a page has sides of ${minimum} to ${maximum} mm`,
      expected: `${Math.ceil((100 * minimum) / shorter) / 100} to ${Math.floor((100 * maximum) / longer) / 100}`,
      received: String(cell_mm),
    },
  ]);
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

/**
 * Resolves with a layer for each ink that has areas, in coordinates of the file. Rejects with `InvalidRecipe` if they
 * have too many curves.
 */
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
  let length = 0;
  let place = 0;
  for (const area of areasWithUnderlap(map, inks.length)) {
    const ink = inks[place++];
    length += outlineLength(area);
    if (length > MOST_EDGES) throw tooManyCurves();
    const paths: Path[] = [];
    for (const outline of traceOutlines(area)) {
      if (areaWithin(outline) < SMALLEST_AREA) continue;
      const curves: Curve[] = [];
      for (const [one, other, end] of curvesAround(outline)) {
        curves.push([rounded(one), rounded(other), rounded(end)]);
        count++;
        if (count > LIMITS.vector.curves) throw tooManyCurves();
        if (count % CURVES_AT_ONCE === 0) await checkpoint();
      }
      paths.push({ start: curves[curves.length - 1][2], curves });
    }
    await checkpoint();
    if (paths.length > 0) layers.push({ ...ink, paths });
  }
  return layers;
}

/** Returns the area that an outline encloses. */
function areaWithin(outline: readonly Point[]): number {
  let twice = 0;
  outline.forEach(({ x, y }, n) => {
    const next = outline[(n + 1) % outline.length];
    twice += x * next.y - next.x * y;
  });
  return Math.abs(twice) / 2;
}

const tooManyCurves = () =>
  new InvalidRecipe([
    {
      path: "/size",
      message: `the pattern has more than ${LIMITS.vector.curves} curves at this size: use a smaller one, fewer inks, or a smoother picture`,
    },
  ]);
