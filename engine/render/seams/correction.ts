/**
 * The correction that makes colours meet along cuts: the smoothest one whose jumps there are those of the
 * picture (Pérez, Gangnet, Blake, "Poisson Image Editing", 2003). Inside the domain the picture keeps its
 * own gradients; across a cut the gradient is the mean of both pictures'. It fades away from the cuts.
 */
import { type Affine, apply, IDENTITY, type Point } from "../../geometry/affine.ts";
import type { CoarsePicture } from "./coarse-picture.ts";
import { gridOver, Interpolation, type NodeGrid, nodeAt } from "./grid.ts";
import { jumpReader } from "./jumps.ts";
import { isOwn } from "./owners.ts";

/** Most nodes along the longer side. Grids for previews have half of the picture's. */
const MOST_NODES = 96;
/** Halvings of that, from coarse to fine: each begins with the one before. */
const HALVINGS = [8, 4, 2, 1];

/** Gauss–Seidel sweeps at each resolution. */
const SWEEPS = 16;

/** Rings of nodes around the domain whose values continue those inside: pixels on a cut read them. */
const RINGS = 4;

/** Largest correction, and the one from which on it grows more slowly: a large one tints the picture. */
const MOST = 0.3;
const KNEE = 0.2;

/** Which copy of the picture is shown where. */
export interface Shown {
  /** Returns the element whose image of a point is shown there. */
  ownerOf(point: Point): Affine;
  /** Returns about how deep a point of the grid lies inside the domain, in edges of the cell; negative outside. */
  depthAt(x: number, y: number): number;
}

/** To be added to red, to green and to blue at the nodes of a picture's grid, 0…1. */
export type Correction = readonly Float32Array[];

/** A correction at the nodes of a grid of its own. */
interface Refined {
  readonly grid: NodeGrid;
  /** Of red, green and blue, interleaved. */
  readonly values: Float32Array;
}

/**
 * Resolves with the correction of a picture in a domain.
 * @param checkpoint called after each resolution; may throw
 * @param spread distance over which it fades, in edges of the cell: it would tint the whole domain otherwise
 */
export async function correctionOf(
  checkpoint: () => Promise<void>,
  picture: CoarsePicture,
  shown: Shown,
  spread: number,
): Promise<Correction> {
  const { grid } = picture;
  const box = { min: grid.min, max: nodeAt(grid, grid.width - 1, grid.height - 1) };
  let correction: Refined | null = null;
  const nodes = Math.min(MOST_NODES, Math.max(grid.width, grid.height) / 2);
  for (const divisor of HALVINGS) {
    correction = refined(correction, picture, gridOver(box, nodes / divisor), shown, spread);
    await checkpoint();
  }
  const finest = correction as Refined;
  const values = interpolated({ grid: finest.grid, values: finest.values.map(limited) }, grid);
  return [0, 1, 2].map((channel) => {
    const own = new Float32Array(values.length / 3);
    for (let node = 0; node < own.length; node++) own[node] = values[3 * node + channel];
    return own;
  });
}

function limited(value: number): number {
  const size = Math.abs(value);
  if (size <= KNEE) return value;
  const rest = (size - KNEE) / (MOST - KNEE);
  return Math.sign(value) * (KNEE + ((MOST - KNEE) * rest) / (1 + rest));
}

/** A node beside the domain: its value is that at its image in the domain, and the picture's jump. */
interface Outside {
  readonly node: number;
  readonly nodes: readonly number[];
  readonly weights: readonly number[];
  readonly jump: Float64Array;
}

function refined(
  coarser: Refined | null,
  picture: CoarsePicture,
  grid: NodeGrid,
  shown: Shown,
  spread: number,
): Refined {
  const { inside, owners } = nodesOf(grid, shown);
  const neighbours = [-1, 1, -grid.width, grid.width];
  const jumpAt = jumpReader(picture, grid.step / 2);
  const within = new Interpolation(grid);
  const pointOf = (node: number) => nodeAt(grid, node % grid.width, Math.floor(node / grid.width));

  const outside = new Map<number, Outside>();
  /** For the channels of each node inside, interleaved: what the mean of both gradients adds to its own ones. */
  const extras = new Float32Array(3 * inside.length);
  inside.forEach((node, at) => {
    const point = pointOf(node);
    for (const step of neighbours) {
      const owner = owners[node + step];
      if (owner === undefined) continue;
      let beyond = outside.get(node + step);
      if (beyond === undefined) {
        const place = pointOf(node + step);
        const image = apply(owner, place);
        within.locate(image.x, image.y);
        beyond = {
          node: node + step,
          nodes: within.nodes(),
          weights: within.weights(),
          jump: jumpAt(place, owner).slice(),
        };
        outside.set(node + step, beyond);
      }
      const jump = jumpAt(point, owner);
      for (let channel = 0; channel < 3; channel++) {
        extras[3 * at + channel] += (jump[channel] - beyond.jump[channel]) / 2;
      }
    }
  });

  const screen = (grid.step / spread) ** 2;
  const beside = [...outside.values()];
  const rings = ringsAround(inside, grid);
  const values =
    coarser === null ? new Float32Array(3 * grid.width * grid.height) : interpolated(coarser, grid);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const { node, nodes, weights, jump } of beside) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = jump[channel];
        for (let k = 0; k < 4; k++) sum += weights[k] * values[3 * nodes[k] + channel];
        values[3 * node + channel] = sum;
      }
    }
    relax(values, inside, extras, grid.width, screen);
  }
  continueInto(values, rings);
  return { grid, values };
}

/** Nodes within which of a cut or a mirror it has to be looked up who owns a point. */
const CLOSE = 3;

/** Returns the nodes that show their own picture, and the owners of those beside them. */
function nodesOf(grid: NodeGrid, { ownerOf, depthAt }: Shown) {
  const inside: number[] = [];
  const owners: (Affine | undefined)[] = Array(grid.width * grid.height);
  for (let node = 0, row = 0; row < grid.height; row++) {
    for (let column = 0; column < grid.width; column++, node++) {
      const x = grid.min.x + column * grid.step;
      const y = grid.min.y + row * grid.step;
      const depth = depthAt(x, y);
      if (depth < -CLOSE * grid.step) continue;
      const owner = depth > CLOSE * grid.step ? IDENTITY : ownerOf({ x, y });
      // Every node inside has four neighbours.
      const isEdge =
        row === 0 || column === 0 || row === grid.height - 1 || column === grid.width - 1;
      if (isOwn(owner) && !isEdge) inside.push(node);
      else owners[node] = owner;
    }
  }
  return { inside: Int32Array.from(inside), owners };
}

/** Returns a correction at all nodes of another grid. */
function interpolated({ grid: from, values }: Refined, grid: NodeGrid): Float32Array {
  const interpolation = new Interpolation(from);
  const all = new Float32Array(3 * grid.width * grid.height);
  for (let at = 0, row = 0; row < grid.height; row++) {
    for (let column = 0; column < grid.width; column++, at += 3) {
      interpolation.locate(grid.min.x + column * grid.step, grid.min.y + row * grid.step);
      interpolation.readColour(values, all, at);
    }
  }
  return all;
}

/**
 * Moves every node to the mean of its neighbours, and all nodes so that their mean is 0. All channels in one loop,
 * because each node waits for the one before.
 */
function relax(
  values: Float32Array,
  inside: Int32Array,
  extras: Float32Array,
  width: number,
  screen: number,
): void {
  const count = inside.length;
  const share = 1 / (4 + screen);
  const row = 3 * width;
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let at = 0; at < count; at++) {
    const first = 3 * inside[at];
    for (let channel = 0; channel < 3; channel++) {
      const place = first + channel;
      const around =
        values[place - row] + values[place + row] + values[place + 3] + values[place - 3];
      values[place] = share * (around + extras[3 * at + channel]);
    }
    red += values[first];
    green += values[first + 1];
    blue += values[first + 2];
  }
  for (let at = 0; at < count; at++) {
    const first = 3 * inside[at];
    values[first] -= red / count;
    values[first + 1] -= green / count;
    values[first + 2] -= blue / count;
  }
}

/**
 * Returns the nodes around the domain, ring by ring: of each the node, how many pairs of nodes further inside it has, and these,
 * the nearer one first. All are numbers of one array: objects would live long enough for the costlier garbage collection.
 */
function ringsAround(inside: Int32Array, { width, height }: NodeGrid): readonly number[] {
  const ring = new Int8Array(width * height).fill(-1);
  for (const node of inside) ring[node] = 0;
  const steps = [-1, 1, -width, width];
  const rings: number[] = [];
  let last: Iterable<number> = inside;
  for (let number = 1; number <= RINGS; number++) {
    const found = new Set<number>();
    for (const node of last) {
      for (const step of steps) if (ring[node + step] === -1) found.add(node + step);
    }
    for (const node of found) {
      const pairs = rings.push(node, 0) - 1;
      for (const step of steps) {
        if (!(ring[node + step] >= 0)) continue;
        // The first ring goes on as steeply as the values inside; then they stay.
        const goesOn = number === 1 && ring[node + 2 * step] === 0;
        rings.push(node + step, node + (goesOn ? 2 : 1) * step);
        rings[pairs]++;
      }
    }
    for (const node of found) ring[node] = number;
    last = found;
  }
  return rings;
}

function continueInto(values: Float32Array, rings: readonly number[]): void {
  for (let at = 0; at < rings.length; ) {
    const node = rings[at];
    const pairs = rings[at + 1];
    at += 2;
    const end = at + 2 * pairs;
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0;
      for (let pair = at; pair < end; pair += 2) {
        sum += 2 * values[3 * rings[pair] + channel] - values[3 * rings[pair + 1] + channel];
      }
      values[3 * node + channel] = sum / pairs;
    }
    at = end;
  }
}
