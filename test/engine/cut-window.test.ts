/** Which copies of the picture kernels compare at cut seams. */
import t from "tap";
import { type Affine, apply, type Point } from "../../engine/geometry/affine.ts";
import { domainOf } from "../../engine/geometry/domain.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { prepareLevels } from "../../engine/image/source-levels.ts";
import { GROUP_NAMES, type Lattice } from "../../engine/index.ts";
import { placeMotif } from "../../engine/render/placement.ts";
import { findCutSeam, seamNodes } from "../../engine/render/seams/cut-seam.ts";
import { cutWindow } from "../../engine/render/seams/cut-window.ts";
import { Interpolation } from "../../engine/render/seams/grid.ts";
import { photograph } from "../helpers/pictures.ts";
import { sequence } from "../helpers/sequence.ts";
import { visitPixels } from "../helpers/visit-pixels.ts";

const PIXELS = [1 / 4, 1 / 20, 1 / 100, 1 / 500, 1 / 3000];
const WIDTHS = [0, 0.03, 0.12, 0.5];
const LATTICES: Lattice[] = [
  { ratio: 1, repeat: "straight" },
  { ratio: 0.1, repeat: "straight" },
  { ratio: 1.7, repeat: "half_drop" },
  { ratio: 10, repeat: "brick" },
];

/** Designs of each group. */
const DESIGNS = 16;

t.test("every pixel has the elements that kernels may show there, and mostly one", async (t) => {
  const levels = prepareLevels({ ...photograph(240, 180), channels: 3 });
  const random = sequence(37);
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  const checkpoint = async () => undefined;
  for (const group of GROUP_NAMES) {
    let [seen, single, wrong, missing] = [0, 0, 0, 0];
    for (let design = 0; design < DESIGNS; design++) {
      const domain = domainOf(isometriesOf(group, oneOf(LATTICES)));
      // Reflections generate the group: nothing is cut.
      if (domain.joined.length === 0) continue;
      const toSource = placeMotif(
        domain.corners,
        { x: random(), y: random(), scale: 0.4 + 2 * random(), rotation: 360 * random() },
        levels,
      );
      const [pixel, reach] = [oneOf(PIXELS), oneOf(WIDTHS)];
      const isUsual = pixel < 1 / 50 && reach < 0.2;
      const nodes = seamNodes(domain, reach, pixel);
      const seam = await findCutSeam(checkpoint, domain, reach, nodes, toSource, levels);
      const window = cutWindow(domain, seam, pixel);
      const interpolation = new Interpolation(seam.grid);
      const { min, step, width: columns, height: rows } = seam.grid;
      const depthOf = (element: Affine, point: Point) => {
        const { x, y } = apply(element, point);
        const [u, v] = [(x - min.x) / step, (y - min.y) / step];
        if (u < 0 || v < 0 || u > columns - 1 || v > rows - 1) return Number.NEGATIVE_INFINITY;
        interpolation.locate(x, y);
        return interpolation.read(seam.depths);
      };
      for (let n = 0; n < 20; n++) {
        const angle = 2 * Math.PI * random();
        const line = {
          start: { x: random() * 4 - 2, y: random() * 4 - 2 },
          step: { x: pixel * Math.cos(angle), y: n < 5 ? 0 : pixel * Math.sin(angle) },
          count: 100,
        };
        wrong += visitPixels(domain, window, line, (point, indices) => {
          if (isUsual) seen++;
          if (isUsual && indices.length === 1) single++;
          const depths = window.elements.map(({ element }) => depthOf(element, point));
          // Kernels show those that are less than half a pixel less deep.
          const shown = Math.max(...depths) - pixel / 2;
          missing += depths.filter((d, at) => d > shown && !indices.includes(at)).length;
        });
      }
    }
    if (seen === 0) continue;
    t.equal(wrong, 0, `${group}: pieces are split in order`);
    t.equal(missing, 0, `${group}: elements that a kernel would have to show`);
    t.ok(single > 0.5 * seen, `${group}: ${single} of ${seen} pixels have one element`);
  }
});
