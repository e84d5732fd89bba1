/**
 * A seam along the picture's own lines: where copies of it meet, the domain's edges become paths along
 * which they differ least (Efros, Freeman, "Image Quilting", 2001), and a smooth correction makes their
 * colours meet. Found once for a source and its place; renders only look it up.
 */
import type { Affine } from "../../geometry/affine.ts";
import { type AffineFunction, clip, type Domain, type Neighbour } from "../../geometry/domain.ts";
import { boxOf } from "../../geometry/window.ts";
import type { SourceLevels } from "../../image/source-levels.ts";
import { coarsePicture } from "./coarse-picture.ts";
import { type Correction, correctionOf } from "./correction.ts";
import { depthsOf } from "./depth.ts";
import { edgePaths } from "./edge-paths.ts";
import { freeEdgesOf } from "./free-edges.ts";
import { gridOver, type NodeGrid } from "./grid.ts";
import { ownersOf } from "./owners.ts";

export interface CutSeam {
  /** Largest distance of a path from its edge, in edges of the cell. */
  readonly reach: number;
  /** Elements whose picture may be shown in the domain, but for the identity. */
  readonly neighbours: readonly Neighbour[];
  readonly grid: NodeGrid;
  /** How deep the grid's nodes lie inside the domain, in edges of the cell; negative outside. */
  readonly depths: Float32Array;
  /** Null for a source with alpha. */
  readonly correction: Correction | null;
}

/** Nodes along the longer side of the grid of depths. */
export const DEPTH_NODES = 256;

/** Largest such distance, as a share of that to the nearest copy: more would leave little of the domain. */
const MOST = 0.3;

/** Distance over which the correction fades, as a share of that to the nearest copy. */
const SPREAD = 0.2;

/** No path is found in a strip narrower than this. */
const LEAST = 1e-3;

/**
 * Finds the seam of a source in a domain. Rejects with `LevelMissing`.
 * @param checkpoint called while what is missing of the level is made; may throw
 * @param width most that a path may leave its edge, in edges of the cell
 * @param toSource map from the domain to source pixels
 */
export async function findCutSeam(
  checkpoint: () => Promise<void>,
  domain: Domain,
  width: number,
  toSource: Affine,
  levels: SourceLevels,
): Promise<CutSeam> {
  const nearest = domain.joined[0];
  const reach = Math.max(Math.min(width, MOST * nearest.distance), LEAST);
  const neighbours = domain.joined.filter(
    (neighbour) => clip(domain.corners, within(neighbour, reach)).length > 0,
  );
  const edges = freeEdgesOf(domain);
  const box = boxOf(domain.corners, reach);
  const grid = gridOver(box, DEPTH_NODES);
  const picture = await coarsePicture(checkpoint, grid, toSource, levels);
  const depths = depthsOf(grid, edges, edgePaths(edges, picture, reach));
  const correction = levels.hasAlpha
    ? null
    : correctionOf(picture, ownersOf(domain, neighbours, grid, depths), SPREAD * nearest.distance);
  return { reach, neighbours, grid, depths, correction };
}

/** Returns the function that is > 0 where a neighbour's picture may be shown. */
export function within({ excess, distance }: Neighbour, reach: number): AffineFunction {
  // The excess grows by twice the distance in an edge of the cell.
  return { x: -excess.x, y: -excess.y, k: 2 * distance * reach - excess.k };
}
