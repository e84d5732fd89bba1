/** The correction that makes colours meet at cut seams. */
import t from "tap";
import { domainOf } from "../../engine/geometry/domain.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { prepareLevels } from "../../engine/image/source-levels.ts";
import { GROUP_NAMES, type Lattice } from "../../engine/index.ts";
import { placeMotif } from "../../engine/render/placement.ts";
import { coarsePicture } from "../../engine/render/seams/coarse-picture.ts";
import { correctionOf } from "../../engine/render/seams/correction.ts";
import { DEPTH_NODES, findCutSeam } from "../../engine/render/seams/cut-seam.ts";
import { ownersOf } from "../../engine/render/seams/owners.ts";
import { pixelsOf, testEngine } from "../helpers/engine.ts";
import { photograph, pngOf, type Raster } from "../helpers/pictures.ts";
import { sequence } from "../helpers/sequence.ts";

const PLAIN: Lattice = { ratio: 1, repeat: "straight" };

const checkpoint = async () => undefined;

const engine = await testEngine(t);

const { width, height, pixels } = photograph(240, 180);

t.test("owners are looked up wherever they matter to the correction", async (t) => {
  const levels = prepareLevels({ width, height, channels: 3, pixels });
  for (const group of GROUP_NAMES) {
    const domain = domainOf(isometriesOf(group, PLAIN));
    if (domain.joined.length === 0) continue;
    const toSource = placeMotif(
      domain.corners,
      { x: 0.5, y: 0.5, scale: 1.3, rotation: 0 },
      levels,
    );
    const seam = await findCutSeam(checkpoint, domain, 0.12, DEPTH_NODES, toSource, levels);
    const picture = await coarsePicture(checkpoint, seam.grid, toSource, levels);
    const ownerOf = ownersOf(domain, seam);
    const everywhere = { ownerOf, depthAt: () => 0 };
    const spread = 0.2 * domain.joined[0].distance;
    t.same(await correctionOf(checkpoint, picture, everywhere, spread), seam.correction, group);
  }
});

t.test("one copy's texture does not show in the other", async (t) => {
  const side = 400;
  const random = sequence(37);
  const noise = Uint8Array.from({ length: side * side * 3 }, () => Math.floor(random() * 256));
  const levels = prepareLevels({ width: side, height: side, channels: 3, pixels: noise });
  for (const group of ["p1", "p2", "p4", "p3"] as const) {
    const domain = domainOf(isometriesOf(group, PLAIN));
    const toSource = placeMotif(
      domain.corners,
      { x: 0.5, y: 0.5, scale: 1.3, rotation: 0 },
      levels,
    );
    const seam = await findCutSeam(checkpoint, domain, 0.12, DEPTH_NODES, toSource, levels);
    const values = (seam.correction ?? []).flatMap((channel) => [...channel]);
    const squares = values.reduce((sum, value) => sum + value ** 2, 0);
    const mean = Math.sqrt(squares / values.length);
    t.ok(mean > 0 && mean < 0.06, `${group}: ${mean} of 1`);
  }
});

/** Returns the largest second difference between neighbours, across and down, with joined edges. */
function roughness({ width, height, pixels }: Raster): number {
  let most = 0;
  const at = (x: number, y: number, c: number) =>
    pixels[(((y + height) % height) * width + ((x + width) % width)) * 3 + c];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) {
        const here = 2 * at(x, y, c);
        most = Math.max(
          most,
          Math.abs(at(x - 1, y, c) + at(x + 1, y, c) - here),
          Math.abs(at(x, y - 1, c) + at(x, y + 1, c) - here),
        );
      }
    }
  }
  return most;
}

t.test("a smooth picture stays smooth where its copies meet", async (t) => {
  const [side, channels] = [200, 3] as const;
  const gradient = new Uint8Array(side * side * channels);
  for (let at = 0; at < side * side; at++) {
    const [x, y] = [at % side, Math.floor(at / side)];
    gradient.set([90 + 40 * (x / side), 100 + 30 * (y / side), 120 + 0.1 * x], at * channels);
  }
  const source = pngOf({ width: side, height: side, channels, pixels: gradient });
  for (const group of ["p1", "p2", "pg", "pgg", "p4", "cmm", "p4g"] as const) {
    const of = async (method: "cut" | "fold") =>
      roughness(await pixelsOf(engine, { source, group, seam: { method }, render: { size: 192 } }));
    const [cut, fold] = [await of("cut"), await of("fold")];
    t.ok(fold > 25, `${group}: without it the edges show, by ${fold} levels`);
    // Four domains meet at corners of p2 and pg, and show it a little.
    t.ok(cut <= (group === "p2" || group === "pg" ? 10 : 4), `${group}: ${cut} levels`);
  }
});
