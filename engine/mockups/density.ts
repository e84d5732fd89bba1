/** Computes the resolution that a scene needs of its print. */
import { emptyFragment } from "../../scenes/fragment.ts";
import { MOCKUP_SIZE, type Scene } from "../../scenes/scene.ts";

/** Sample points across the picture; enough to meet every large piece. */
const POINTS = 100;

/** Distance of the two samples of a difference, in units of the picture. */
const STEP = 0.5;

/** Share of the points that may magnify the print's texels. */
const LARGER = 0.08;

/**
 * Texels per pixel: so many that interpolation costs little sharpness, so few that the kernel reads the
 * largest size of the print alone.
 */
const FINER = 1.18;

/** Returns the texels a millimetre that a print needs in a picture of `size` pixels. */
export function densityOf(scene: Scene, size: number): number {
  const here = emptyFragment();
  const right = emptyFragment();
  const below = emptyFragment();
  const found: number[] = [];
  for (let row = 0; row < POINTS; row++) {
    for (let column = 0; column < POINTS; column++) {
      const x = ((column + 0.5) / POINTS) * MOCKUP_SIZE;
      const y = ((row + 0.5) / POINTS) * MOCKUP_SIZE;
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
