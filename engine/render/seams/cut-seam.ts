/**
 * A seam along the picture's own lines: where copies of it meet, the domain's edges become paths along
 * which they differ least (Efros, Freeman, "Image Quilting", 2001), and a smooth correction makes their
 * colours meet. Found once for a source and its place; renders only look it up.
 */
import type { Affine } from "../../geometry/affine.ts";
import { clip, type Domain, valueAt } from "../../geometry/domain.ts";
import { boxOf } from "../../geometry/window.ts";
import type { SourceLevels } from "../../image/source-levels.ts";
import { coarsePicture } from "./coarse-picture.ts";
import { type Correction, correctionOf } from "./correction.ts";
import { depthsOf } from "./depth.ts";
import { edgePaths } from "./edge-paths.ts";
import { freeEdgesOf } from "./free-edges.ts";
import { gridOver, Interpolation, type NodeGrid } from "./grid.ts";
import { type CutDomain, ownersOf, within } from "./owners.ts";

export interface CutSeam extends CutDomain {
  /** Null for a source with alpha. */
  readonly correction: Correction | null;
}

/** Nodes along the longer side of the grid of depths. */
export const DEPTH_NODES = 256;

/** The same for pictures with at most `COARSE_PIXELS` between coarse nodes, so that previews come sooner. */
const COARSE_NODES = 128;
const COARSE_PIXELS = 3;

/** Largest such distance, as a share of that to the nearest copy: more would leave little of the domain. */
const MOST = 0.3;

/** Distance over which the correction fades, as a share of that to the nearest copy. */
const SPREAD = 0.2;

/** No path is found in a strip narrower than this. */
const LEAST = 1e-3;

/** A grid over a domain and all that a path of this reach may take from its neighbours. */
function gridAround({ corners }: Domain, reach: number, nodes: number): NodeGrid {
  return gridOver(boxOf(corners, reach), nodes);
}

function reachOf({ joined: [nearest] }: Domain, width: number): number {
  return Math.max(Math.min(width, MOST * nearest.distance), LEAST);
}

/**
 * Returns how many nodes a seam needs along its longer side.
 * @param edgesPerPixel edges from one output pixel to the next
 */
export function seamNodes(domain: Domain, width: number, edgesPerPixel: number): number {
  const { step } = gridAround(domain, reachOf(domain, width), COARSE_NODES);
  return step <= COARSE_PIXELS * edgesPerPixel ? COARSE_NODES : DEPTH_NODES;
}

/**
 * Finds the seam of a source in a domain. Fine paths keep near the coarse ones, so that a picture is cut where its
 * preview is. Rejects with `LevelMissing`.
 * @param checkpoint called every few milliseconds of work; may throw
 * @param width most that a path may leave its edge, in edges of the cell
 * @param nodes of its longer side, from `seamNodes`
 * @param toSource map from the domain to source pixels
 */
export async function findCutSeam(
  checkpoint: () => Promise<void>,
  domain: Domain,
  width: number,
  nodes: number,
  toSource: Affine,
  levels: SourceLevels,
): Promise<CutSeam> {
  const [nearest] = domain.joined;
  const reach = reachOf(domain, width);
  const neighbours = domain.joined.filter(
    (neighbour) => clip(domain.corners, within(neighbour, reach)).length > 0,
  );
  const edges = freeEdgesOf(domain);
  const pictureOf = (nodes: number) =>
    coarsePicture(checkpoint, gridAround(domain, reach, nodes), toSource, levels);
  let picture = await pictureOf(COARSE_NODES);
  let paths = edgePaths(edges, picture, reach);
  if (nodes > COARSE_NODES) {
    await checkpoint();
    picture = await pictureOf(nodes);
    paths = edgePaths(edges, picture, reach, paths);
  }
  const { grid } = picture;
  const depths = depthsOf(grid, edges, paths);
  await checkpoint();
  const shown = {
    ownerOf: ownersOf(domain, { reach, neighbours, grid, depths }),
    depthAt: depthReader(domain, grid, depths),
  };
  const correction = levels.hasAlpha
    ? null
    : await correctionOf(checkpoint, picture, shown, SPREAD * nearest.distance);
  return { reach, neighbours, grid, depths, correction };
}

/** Returns the function that measures how deep a point lies inside a domain's cuts and mirrors. */
function depthReader({ edges }: Domain, grid: NodeGrid, depths: Float32Array) {
  const interpolation = new Interpolation(grid);
  const mirrors = edges.filter(({ mirror }) => mirror);
  return (x: number, y: number) => {
    interpolation.locate(x, y);
    let depth = interpolation.read(depths);
    for (const { excess, distance } of mirrors) {
      depth = Math.min(depth, valueAt(excess, { x, y }) / (2 * distance));
    }
    return depth;
  };
}
