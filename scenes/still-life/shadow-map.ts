/** Light and shadow of solids on the table, traced once into a small picture. */
import { hash } from "../noise.ts";
import { clamp, length3 } from "../scalars.ts";
import type { Vector } from "./camera.ts";
import { march, type Solids } from "./solids.ts";
import { KEY, KEY_SPREAD } from "./studio.ts";

/** Rays from each point to the softbox, and to the sky. */
const RAYS = 24;

/** Points along a side of the map. */
const PLACES = 150;

/** Unoccluded light at a point of the table. */
export interface Visibility {
  /** Share of the softbox. */
  open: number;
  /** Share of the sky, cosine-weighted. */
  sky: number;
}

export interface ShadowMap {
  read(x: number, z: number, into: Visibility): void;
}

/** Traces the table around solids within the reach of their shadows. */
export function shadowMapOf(solids: Solids): ShadowMap {
  const { low, high } = solids;
  const reach = 1.1 * high[1];
  const left = low[0] - 0.6 * reach;
  const back = low[2] - 1.2 * reach;
  const perX = (PLACES - 1) / (high[0] + 1.5 * reach - left);
  const perZ = (PLACES - 1) / (high[2] + 0.7 * reach - back);
  const open = new Float32Array(PLACES * PLACES);
  const sky = new Float32Array(PLACES * PLACES);
  for (let row = 0; row < PLACES; row++) {
    for (let column = 0; column < PLACES; column++) {
      const at: Vector = [left + column / perX, 0.05, back + row / perZ];
      const turn = hash(column, row);
      open[row * PLACES + column] = shareOf(solids, at, turn, towardsKey);
      sky[row * PLACES + column] = shareOf(solids, at, turn, towardsSky);
    }
  }
  const smoothOpen = smooth(open);
  const smoothSky = smooth(sky);
  return {
    read(x, z, into) {
      const column = (x - left) * perX;
      const row = (z - back) * perZ;
      const edge = Math.min(column, row, PLACES - 1 - column, PLACES - 1 - row);
      if (edge <= 0) {
        into.open = into.sky = 1;
        return;
      }
      const fade = clamp(edge / 12, 0, 1);
      into.open = 1 - fade * (1 - between(smoothOpen, column, row));
      into.sky = 1 - fade * (1 - between(smoothSky, column, row));
    },
  };
}

/** Returns the share of rays that hit no solid. */
function shareOf(
  solids: Solids,
  at: Vector,
  turn: number,
  direction: (u: number, angle: number) => Vector,
): number {
  let free = 0;
  for (let k = 0; k < RAYS; k++) {
    const u = (k + turn) / RAYS;
    const [x, y, z] = direction(u, 2 * Math.PI * (k * 0.618034 + turn));
    if (march(solids, at, { x, y, z }) < 0) free++;
  }
  return free / RAYS;
}

/** Returns a point of the softbox as a disc, uniform in area for uniform u and angle. */
function towardsKey(u: number, angle: number): Vector {
  const radius = KEY_SPREAD * Math.sqrt(u);
  const x = KEY[0] + radius * Math.cos(angle) * KEY[1];
  const y = KEY[1] - radius * Math.cos(angle) * KEY[0];
  const z = KEY[2] + radius * Math.sin(angle);
  const length = length3(x, y, z);
  return [x / length, y / length, z / length];
}

/** Returns a cosine-weighted direction of the sky. */
function towardsSky(u: number, angle: number): Vector {
  const radius = Math.sqrt(u);
  return [radius * Math.cos(angle), Math.sqrt(1 - u) + 1e-6, radius * Math.sin(angle)];
}

/** Removes the noise of few rays: applies the mean of 3 × 3 twice. */
function smooth(values: Float32Array): Float32Array {
  let from = values;
  for (let pass = 0; pass < 2; pass++) {
    const to = from.slice();
    for (let row = 1; row < PLACES - 1; row++) {
      for (let column = 1; column < PLACES - 1; column++) {
        let sum = 0;
        for (let k = -1; k <= 1; k++) {
          const i = (row + k) * PLACES + column;
          sum += from[i - 1] + 2 * from[i] + from[i + 1];
        }
        to[row * PLACES + column] = sum / 12;
      }
    }
    from = to;
  }
  return from;
}

function between(values: Float32Array, column: number, row: number): number {
  const i = Math.floor(row) * PLACES + Math.floor(column);
  const s = column - Math.floor(column);
  const t = row - Math.floor(row);
  const top = values[i] + (values[i + 1] - values[i]) * s;
  const bottom = values[i + PLACES] + (values[i + PLACES + 1] - values[i + PLACES]) * s;
  return top + (bottom - top) * t;
}
