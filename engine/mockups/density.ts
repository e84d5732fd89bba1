/** How finely a scene shows its print. */
import { emptyFragment } from "../../scenes/fragment.ts";
import { MOCKUP_SIZE, type Scene } from "../../scenes/scene.ts";

/** Looks across the picture; enough to meet every piece of some size. */
const LOOKS = 100;

/** Distance of two looks at one place, in units of the picture. */
const STEP = 0.5;

/** Share of the places that may be seen larger than the print's texels. */
const LARGER = 0.08;

/** Texels to a pixel: looking a print up between its texels then costs no sharpness. */
const FINER = 1.4;

/** Texels a millimetre that a print needs in a picture of `size` pixels. */
export function densityOf(scene: Scene, size: number): number {
  const here = emptyFragment();
  const right = emptyFragment();
  const below = emptyFragment();
  const found: number[] = [];
  for (let row = 0; row < LOOKS; row++) {
    for (let column = 0; column < LOOKS; column++) {
      const x = ((column + 0.5) / LOOKS) * MOCKUP_SIZE;
      const y = ((row + 0.5) / LOOKS) * MOCKUP_SIZE;
      scene.sample(x, y, here);
      if (here.mask === 0) continue;
      scene.sample(x + STEP, y, right);
      scene.sample(x, y + STEP, below);
      if (right.piece !== here.piece || below.piece !== here.piece) continue;
      const [ux, uy] = [right.u - here.u, below.u - here.u];
      const [vx, vy] = [right.v - here.v, below.v - here.v];
      const [a, b, c] = [ux * ux + uy * uy, ux * vx + uy * vy, vx * vx + vy * vy];
      const short = 0.5 * (a + c) - Math.sqrt(0.25 * (a - c) ** 2 + b * b);
      if (short > 0) found.push(STEP / Math.sqrt(short));
    }
  }
  const unitsPerMm = found.sort((one, other) => one - other)[
    Math.floor((1 - LARGER) * found.length)
  ];
  return FINER * (unitsPerMm ?? 1) * (size / MOCKUP_SIZE);
}
