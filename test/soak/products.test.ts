/** Properties of every product's scene. */
import t from "tap";
import { MOCKUP_CELL, products } from "../../engine/index.ts";
import { densityOf } from "../../engine/mockups/density.ts";
import { emptyFragment } from "../../scenes/fragment.ts";
import { scenes } from "../../scenes/index.ts";
import { MOCKUP_SIZE, type Scene } from "../../scenes/scene.ts";
import { createRasteriser, plainPrint } from "../helpers/mockups.ts";

/** Pixels of a side: few, because only light and positions are checked. */
const SIZE = 128;

t.test("the list of products is plain data with unique names", async (t) => {
  t.ok(products.length >= 6);
  t.equal(new Set(products.map(({ id }) => id)).size, products.length);
  t.same(JSON.parse(JSON.stringify(products)), products);
  t.same(
    Object.keys(scenes),
    products.map(({ id }) => id),
  );
  for (const { id, title, description, print, cell } of products) {
    t.match(id, /^[a-z]+(-[a-z]+)*$/);
    t.ok(title.length > 0 && description.length > 20, id);
    t.ok(cell >= MOCKUP_CELL.minimum && cell <= MOCKUP_CELL.maximum, id);
    t.ok(print.width > 1.5 * cell, `${id} shows more than one cell`);
  }
});

for (const product of products) {
  t.test(
    `${product.id}: the print stays on its sheet and covers much of the picture`,
    async (t) => {
      const scene = scenes[product.id]();
      const { width, height } = product.print;
      const fragment = emptyFragment();
      let covered = 0;
      let worst = 0;
      let wrong = 0;
      let bright = 0;
      for (let row = 0; row < SIZE; row++) {
        for (let column = 0; column < SIZE; column++) {
          const scale = MOCKUP_SIZE / SIZE;
          scene.sample((column + 0.5) * scale, (row + 0.5) * scale, fragment);
          const numbers = Object.values(fragment);
          if (!numbers.every(Number.isFinite)) wrong++;
          const { red, green, blue, mask, u, v, shading, highlight } = fragment;
          if (Math.min(red, green, blue, mask, highlight) < 0 || mask > 1) wrong++;
          covered += mask;
          if (mask === 0) continue;
          if (shading <= 0) wrong++;
          bright = Math.max(bright, shading);
          worst = Math.max(worst, -u, -v, u - width, v - height);
        }
      }
      const share = covered / SIZE ** 2;
      t.equal(wrong, 0, "every place has a colour that can be");
      t.ok(worst <= 0, `${worst} mm beyond the sheet`);
      t.ok(share > 0.12 && share < 0.9, `print covers ${share} of the picture`);
      t.ok(bright > 0.75 && bright < 1.5, `its brightest place has ${bright} of the light`);
    },
  );

  t.test(`${product.id}: a mockup is deterministic and shows the print's colour`, async (t) => {
    const scene = scenes[product.id]();
    const rasterise = await createRasteriser(t);
    const draw = async (from: Scene, packed: number) => rasterise(from, plainPrint(packed), SIZE);
    const dark = await draw(scene, 0x101010);
    const again = await draw(scenes[product.id](), 0x101010);
    const light = await draw(scene, 0xf0f0f0);
    t.equal(Buffer.compare(dark, again), 0);
    const changed = light.filter((value, i) => value > dark[i] + 60).length / light.length;
    t.ok(changed > 0.1, `${changed} of the picture changes with the print`);
    t.ok(densityOf(scene, MOCKUP_SIZE) * product.cell > 60, "a cell has enough texels");
  });
}
