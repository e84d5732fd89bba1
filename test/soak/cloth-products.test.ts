/** Products of cloth: continuous print, plausible light, consistent edges. */
import t from "tap";
import { products } from "../../scenes/catalogue.ts";
import { emptyFragment } from "../../scenes/fragment.ts";
import { scenes } from "../../scenes/index.ts";
import { hash } from "../../scenes/noise.ts";
import { tShirt } from "../../scenes/products/t-shirt.ts";
import { type Fragment, MOCKUP_SIZE } from "../../scenes/scene.ts";

/** Share of the picture that print covers. */
const SHARES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  cushion: [0.45, 0.65],
  "dress-fabric": [0.8, 0.9],
  "t-shirt": [0.4, 0.6],
  "tote-bag": [0.25, 0.4],
};

/** Pixels between samples of a grid over the picture. */
const STEP = 8;

/** Every point of a grid, from the top or, if `forth` is false, from the bottom. */
function* places(forth = true): Generator<readonly [number, number]> {
  const count = (MOCKUP_SIZE / STEP) ** 2;
  for (let k = 0; k < count; k++) {
    const at = (forth ? k : count - 1 - k) * STEP;
    yield [(at % MOCKUP_SIZE) + 0.5, Math.floor(at / MOCKUP_SIZE) * STEP + 0.5];
  }
}

const numbersOf = (fragment: Fragment): number[] => Object.values(fragment);

for (const product of products.filter(({ id }) => id in SHARES)) {
  const [least, most] = SHARES[product.id];
  const scene = scenes[product.id]();

  t.test(`${product.id}: the print lies on its sheet and covers the expected share`, async (t) => {
    const fragment = emptyFragment();
    const { width, height } = product.print;
    let covered = 0;
    let beyond = 0;
    let looks = 0;
    const reach = { left: width, right: 0, top: height, bottom: 0 };
    for (const [x, y] of places()) {
      scene.sample(x, y, fragment);
      looks++;
      const { mask, u, v, piece } = fragment;
      if (mask < 0 || mask > 1) t.fail(`a mask of ${mask} at ${x}, ${y}`);
      if (piece === 0 && mask > 0) t.fail(`print on the backdrop at ${x}, ${y}`);
      if (mask === 0) continue;
      covered += mask;
      beyond = Math.max(beyond, -u, -v, u - width, v - height);
      reach.left = Math.min(reach.left, u);
      reach.right = Math.max(reach.right, u);
      reach.top = Math.min(reach.top, v);
      reach.bottom = Math.max(reach.bottom, v);
    }
    t.ok(beyond <= 0, `${beyond} mm beyond the sheet`);
    const share = covered / looks;
    t.ok(share > least && share < most, `print covers ${share}`);
    t.ok(reach.right - reach.left > 0.8 * width, `from ${reach.left} to ${reach.right} mm`);
    t.ok(reach.bottom - reach.top > 0.6 * height, `from ${reach.top} to ${reach.bottom} mm`);
  });

  t.test(`${product.id}: folds are visible, without holes or overexposure`, async (t) => {
    const fragment = emptyFragment();
    const shades: number[] = [];
    for (const [x, y] of places()) {
      scene.sample(x, y, fragment);
      if (!numbersOf(fragment).every(Number.isFinite)) t.fail(`no light at ${x}, ${y}`);
      if (Math.min(fragment.red, fragment.green, fragment.blue) < 0) t.fail("less than no light");
      if (Math.max(fragment.red, fragment.green, fragment.blue) > 1) t.fail("burnt out");
      if (fragment.mask === 0) continue;
      // Visible where the print is transparent.
      if (fragment.red <= 0) t.fail("the cloth under the print is black");
      shades.push(fragment.shading);
      if (fragment.highlight < 0 || fragment.highlight > 0.15) t.fail(`${fragment.highlight}`);
    }
    shades.sort((a, b) => a - b);
    const at = (share: number) => shades[Math.floor(share * (shades.length - 1))];
    t.ok(at(0) > 0.02, `the darkest place has ${at(0)}`);
    t.ok(at(1) < 1.45, `the brightest has ${at(1)}`);
    t.ok(at(0.5) > 0.7 && at(0.5) < 1.1, `half of them have ${at(0.5)} or less`);
    t.ok(at(0.95) - at(0.05) > 0.25, `light from ${at(0.05)} to ${at(0.95)}`);
  });

  t.test(`${product.id}: the print is continuous within a piece`, async (t) => {
    const here = emptyFragment();
    const there = emptyFragment();
    let worst = 0;
    let compared = 0;
    for (let k = 0; k < 100_000; k++) {
      const x = hash(k, 1) * (MOCKUP_SIZE - 1);
      const y = hash(k, 2) * (MOCKUP_SIZE - 1);
      scene.sample(x, y, here);
      const angle = hash(k, 3) * 2 * Math.PI;
      scene.sample(x + 0.4 * Math.cos(angle), y + 0.4 * Math.sin(angle), there);
      if (here.mask === 0 || there.mask === 0 || here.piece !== there.piece) continue;
      compared++;
      worst = Math.max(worst, Math.hypot(here.u - there.u, here.v - there.v) / 0.4);
    }
    t.ok(compared > 10_000);
    // Flat cloth has half a millimetre a pixel; steep flanks many times that.
    t.ok(worst < 10, `${worst} mm a pixel`);
  });

  t.test(
    `${product.id}: samples do not depend on their order or the scene's instance`,
    async (t) => {
      const again = scenes[product.id]();
      const first = new Map<number, number[]>();
      const fragment = emptyFragment();
      for (const [x, y] of places()) {
        scene.sample(x, y, fragment);
        first.set(y * MOCKUP_SIZE + x, numbersOf(fragment));
      }
      let differing = 0;
      for (const [x, y] of places(false)) {
        again.sample(x, y, fragment);
        const before = first.get(y * MOCKUP_SIZE + x) as number[];
        if (numbersOf(fragment).some((value, k) => value !== before[k])) differing++;
      }
      t.equal(differing, 0);
    },
  );
}

t.test("the grain of the T-shirt's sleeves differs from its front's", async (t) => {
  const scene = tShirt();
  /** Direction in which the print's columns run down the picture, in radians. */
  const grainAt = (x: number, y: number): number => {
    const [here, right, below] = [emptyFragment(), emptyFragment(), emptyFragment()];
    scene.sample(x, y, here);
    scene.sample(x + 4, y, right);
    scene.sample(x, y + 4, below);
    t.equal(here.mask, 1);
    return Math.atan2(right.v - here.v, below.v - here.v);
  };
  t.ok(Math.abs(grainAt(800, 700)) < 0.15, "the front's runs straight down");
  t.ok(Math.abs(grainAt(1360, 500)) > 0.3, "the right sleeve's along the arm");
  t.ok(Math.abs(grainAt(240, 500)) > 0.3, "and the left one's");
  t.ok(grainAt(1360, 500) * grainAt(240, 500) < 0, "each its own");
});
