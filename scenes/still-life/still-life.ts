/** Solids on a table in the studio, as a scene. */
import { type Colour, clear } from "../paint.ts";
import { length2, smoothstep } from "../scalars.ts";
import type { Fragment, Scene } from "../scene.ts";
import type { Camera, Direction } from "./camera.ts";
import { rayStartDistancesOf } from "./ray-start-distances.ts";
import { type ShadowMap, shadowMapOf } from "./shadow-map.ts";
import { lightVisibility, march, normalAt, type Solids, skyVisibility } from "./solids.ts";
import { irradiance, KEY, KEY_SPREAD } from "./studio.ts";

/** A visible point on a solid. */
export interface Place {
  x: number;
  y: number;
  z: number;
  readonly normal: Direction;
  /** From the camera to it. */
  readonly view: Direction;
  /** Cosine between the normal and the direction to the camera. */
  facing: number;
  /** Incident light, about 1 where it faces the softbox. */
  light: number;
  /** Share of the softbox visible from there. */
  open: number;
}

export interface StillLife {
  readonly camera: Camera;
  readonly solids: Solids;
  /**
   * Shades a point of the solids. Pieces are above 0; the given fragment has
   * nothing printed.
   */
  show(place: Place, fragment: Fragment): void;
  /** Colour of the table and of the wall behind it. */
  readonly table: Colour;
  readonly wall: Colour;
  /** Distances from the origin at which the table starts and ends to bend into the wall; millimetres. */
  readonly sweep: readonly [from: number, to: number];
}

/** Sets up a still life; its shadows on the table are traced at once. */
export function stillLife({ camera, solids, show, table, wall, sweep }: StillLife): Scene {
  const shadows: ShadowMap = shadowMapOf(solids);
  const starts = rayStartDistancesOf(solids, camera);
  const view = { x: 0, y: 0, z: 0 };
  const normal = { x: 0, y: 0, z: 0 };
  const place: Place = { x: 0, y: 0, z: 0, normal, view, facing: 0, light: 0, open: 0 };
  const sight = { open: 1, sky: 1 };
  const [ex, ey, ez] = camera.eye;

  const lookAtTable = (x: number, y: number, fragment: Fragment) => {
    let share = 1;
    let light = irradiance(0, 1, 0, 1, 1);
    if (view.y < 0) {
      const t = -ey / view.y;
      const px = ex + t * view.x;
      const pz = ez + t * view.z;
      shadows.read(px, pz, sight);
      share = smoothstep(sweep[0], sweep[1], -pz);
      light = irradiance(0, 1, 0, sight.open, sight.sky);
    }
    // The softbox stands on the left: the table is lightest there.
    const pool = 1.06 - 0.2 * smoothstep(0, 1700, length2(x - 560, 0.8 * (y - 900)));
    fragment.red = (table[0] + (wall[0] - table[0]) * share) * light * pool;
    fragment.green = (table[1] + (wall[1] - table[1]) * share) * light * pool;
    fragment.blue = (table[2] + (wall[2] - table[2]) * share) * light * pool;
  };

  return {
    sample(x, y, fragment) {
      clear(fragment);
      camera.aim(x, y, view);
      const start = starts.at(x, y);
      const t = start === Number.POSITIVE_INFINITY ? -1 : march(solids, camera.eye, view, start);
      if (t < 0) {
        lookAtTable(x, y, fragment);
        return;
      }
      place.x = ex + t * view.x;
      place.y = ey + t * view.y;
      place.z = ez + t * view.z;
      normalAt(solids, place.x, place.y, place.z, normal);
      place.facing = Math.max(0, -(normal.x * view.x + normal.y * view.y + normal.z * view.z));
      const towards = normal.x * KEY[0] + normal.y * KEY[1] + normal.z * KEY[2];
      place.open =
        towards > 0 ? lightVisibility(solids, place.x, place.y, place.z, KEY, KEY_SPREAD) : 0;
      const sky = skyVisibility(solids, place.x, place.y, place.z, normal);
      place.light = irradiance(normal.x, normal.y, normal.z, place.open, sky);
      show(place, fragment);
    },
  };
}
