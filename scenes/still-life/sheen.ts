/** The wide, soft highlight of satin, paper and other slightly rough surfaces. */
import { length3 } from "../scalars.ts";
import type { Place } from "./still-life.ts";
import { KEY } from "./studio.ts";

/** Returns the reflected light of the softbox, 0…1; a larger `power` is a smaller highlight. */
export function sheenAt({ normal, view, open }: Place, power: number): number {
  const x = KEY[0] - view.x;
  const y = KEY[1] - view.y;
  const z = KEY[2] - view.z;
  const towards = normal.x * x + normal.y * y + normal.z * z;
  return towards <= 0 ? 0 : (towards / length3(x, y, z)) ** power * open;
}
