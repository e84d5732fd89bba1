/** Seams along the picture's own lines. */
import t from "tap";
import { apply, compose, type Point, translation } from "../../engine/geometry/affine.ts";
import { domainOf } from "../../engine/geometry/domain.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { boxOf } from "../../engine/geometry/window.ts";
import { prepareLevels } from "../../engine/image/source-levels.ts";
import { GROUP_NAMES, type GroupName, type Lattice, type Seam } from "../../engine/index.ts";
import { placeMotif } from "../../engine/render/placement.ts";
import { DEPTH_NODES, findCutSeam, seamNodes } from "../../engine/render/seams/cut-seam.ts";
import { cutWindow } from "../../engine/render/seams/cut-window.ts";
import { freeEdgesOf } from "../../engine/render/seams/free-edges.ts";
import {
  type CostGrid,
  leastPath,
  leastSymmetricPath,
} from "../../engine/render/seams/least-path.ts";
import { isOwn, ownersOf } from "../../engine/render/seams/owners.ts";
import { pixelsOf, testEngine } from "../helpers/engine.ts";
import { inThread } from "../helpers/in-thread.ts";
import { photograph, pngOf, type Raster } from "../helpers/pictures.ts";
import { sequence } from "../helpers/sequence.ts";

const PLAIN: Lattice = { ratio: 1, repeat: "straight" };
const LATTICES: Lattice[] = [PLAIN, { ratio: 1.7, repeat: "half_drop" }];

/** The groups that reflections generate. */
const KALEIDOSCOPES = ["pmm", "p4m", "p3m1", "p6m"];

const engine = await testEngine(t);

for (const lattice of LATTICES) {
  t.test(`ratio ${lattice.ratio}: the group glues each free edge to its partner`, async (t) => {
    for (const group of GROUP_NAMES) {
      const edges = freeEdgesOf(domainOf(isometriesOf(group, lattice)));
      t.equal(edges.length === 0, KALEIDOSCOPES.includes(group), group);
      edges.forEach(({ start, along, length, element, partner, slopes }, at) => {
        const end = { x: start.x + along.x * length, y: start.y + along.y * length };
        const other = edges[partner];
        t.equal(other.partner, at, `${group} ${at}`);
        const [from, to] = [apply(element, start), apply(element, end)];
        const otherEnd = {
          x: other.start.x + other.along.x * other.length,
          y: other.start.y + other.along.y * other.length,
        };
        const isAt = (p: Point, q: Point) => Math.hypot(p.x - q.x, p.y - q.y) < 1e-6;
        t.ok(
          (isAt(from, other.start) && isAt(to, otherEnd)) ||
            (isAt(from, otherEnd) && isAt(to, other.start)),
          `${group} ${at} lies on ${partner}`,
        );
        for (const slope of [...slopes.inwards, ...slopes.outwards]) t.ok(slope > 0.2, group);
      });
    }
  });
}

/** Returns the least sum of costs of all paths that begin and end in the middle. */
function leastSum(
  { rows, reach, costs }: CostGrid,
  isAllowed: (path: number[]) => boolean,
): number {
  let least = Number.POSITIVE_INFINITY;
  const go = (path: number[], sum: number) => {
    const last = path[path.length - 1];
    if (path.length === rows) {
      if (last === 0 && isAllowed(path)) least = Math.min(least, sum);
      return;
    }
    for (const column of [last - 1, last, last + 1]) {
      if (Math.abs(column) > reach) continue;
      go([...path, column], sum + costs[path.length * (2 * reach + 1) + column + reach]);
    }
  };
  go([0], costs[reach]);
  return least;
}

t.test("each path has the least sum of all paths", async (t) => {
  const random = sequence(5);
  for (let n = 0; n < 30; n++) {
    const [rows, reach] = [3 + (n % 5), 1 + (n % 3)];
    const columns = 2 * reach + 1;
    const costs = Float64Array.from({ length: rows * columns }, () => random());
    const strip = { rows, reach, costs };
    const sumOf = (path: Int32Array) =>
      path.reduce((sum, column, row) => sum + costs[row * columns + column + reach], 0);
    const close = (path: Int32Array, least: number) => sumOf(path) < least + 1e-4 * rows;
    t.ok(
      close(
        leastPath(strip),
        leastSum(strip, () => true),
      ),
      `${rows} × ${columns}`,
    );
    const isSymmetric = (path: number[]) =>
      path.every((column, row) => column === -path[rows - 1 - row]);
    const path = leastSymmetricPath(strip);
    t.ok(isSymmetric(Array.from(path)));
    t.ok(close(path, leastSum(strip, isSymmetric)), `symmetric, ${rows} × ${columns}`);
  }
});

const { width, height, pixels } = photograph(240, 180);

/** Random points that measure an area. */
const POINTS = 2000;

t.test("every point has one owner, the same over its whole orbit", async (t) => {
  const levels = prepareLevels({ width, height, channels: 3, pixels });
  const random = sequence(29);
  for (const group of GROUP_NAMES) {
    if (KALEIDOSCOPES.includes(group)) continue;
    const isometries = isometriesOf(group, PLAIN);
    const domain = domainOf(isometries);
    const motif = { x: 0.45, y: 0.55, scale: 1.3, rotation: 20 };
    const toSource = placeMotif(domain.corners, motif, levels);
    const checkpoint = async () => undefined;
    const seam = await findCutSeam(checkpoint, domain, 0.12, DEPTH_NODES, toSource, levels);
    const ownerOf = ownersOf(domain, seam);
    const shown = (p: Point) => apply(ownerOf(p), p);
    const sampled = cutWindow(domain, seam, 1 / 512).box;
    const isSampled = ({ x, y }: Point) =>
      x >= sampled.min.x && x <= sampled.max.x && y >= sampled.min.y && y <= sampled.max.y;
    const { x: cx, y: cy } = domain.centre;
    let different = 0;
    let outside = 0;
    for (let n = 0; n < 300; n++) {
      const p = { x: random() * 3 - 1, y: random() * 3 - 1 };
      const coset = isometries.cosets[n % isometries.cosets.length];
      const moved = apply(compose(translation(-cx, -cy), coset, translation(cx, cy)), p);
      const [here, there] = [shown(p), shown(moved)];
      if (Math.hypot(here.x - there.x, here.y - there.y) > 1e-6) different++;
      if (!isSampled(here)) outside++;
    }
    t.equal(outside, 0, `${group}: what is shown is in the sampled part of the source`);
    t.ok(different <= 3, `${group}: ${different} of 300, on a cut`);

    const box = boxOf(domain.corners);
    const size = { x: box.max.x - box.min.x + 0.24, y: box.max.y - box.min.y + 0.24 };
    let own = 0;
    for (let n = 0; n < POINTS; n++) {
      const p = {
        x: box.min.x - 0.12 + random() * size.x,
        y: box.min.y - 0.12 + random() * size.y,
      };
      if (isOwn(ownerOf(p))) own++;
    }
    const [a, b] = isometries.basis;
    const area = Math.abs(a.x * b.y - a.y * b.x) / isometries.cosets.length;
    // Four standard deviations.
    const share = area / (size.x * size.y);
    const tolerance = 4 * Math.sqrt((share * (1 - share)) / POINTS);
    t.ok(Math.abs(own / POINTS - share) < tolerance, `${group}: area`);
  }
});

t.test("a picture is cut where its preview is", async (t) => {
  const levels = prepareLevels({ width, height, channels: 3, pixels });
  const random = sequence(31);
  for (const group of GROUP_NAMES) {
    if (KALEIDOSCOPES.includes(group)) continue;
    const domain = domainOf(isometriesOf(group, PLAIN));
    const toSource = placeMotif(
      domain.corners,
      { x: 0.5, y: 0.5, scale: 1.3, rotation: 0 },
      levels,
    );
    const ownersWith = async (edgesPerPixel: number) => {
      const nodes = seamNodes(domain, 0.12, edgesPerPixel);
      const checkpoint = async () => undefined;
      const seam = await findCutSeam(checkpoint, domain, 0.12, nodes, toSource, levels);
      const ownerOf = ownersOf(domain, seam);
      return { nodes, shown: (p: Point) => apply(ownerOf(p), p) };
    };
    const [preview, picture] = [await ownersWith(1 / 256), await ownersWith(1 / 1024)];
    t.ok(preview.nodes < picture.nodes, group);
    let different = 0;
    for (let n = 0; n < 1000; n++) {
      const p = { x: random() * 3 - 1, y: random() * 3 - 1 };
      const [one, other] = [preview.shown(p), picture.shown(p)];
      if (Math.hypot(one.x - other.x, one.y - other.y) > 1e-6) different++;
    }
    t.ok(different <= 40, `${group}: ${different} of 1000 points`);
  }
});

const isSame = (one: Raster, other: Raster) => Buffer.compare(one.pixels, other.pixels) === 0;

t.test("a cut changes nothing in groups whose edges are all mirrors", async (t) => {
  for (const group of ["pmm", "p6m"] as const) {
    const of = (method: "cut" | "fold") =>
      pixelsOf(engine, { group, seam: { method }, render: { size: 96 } });
    t.ok(isSame(await of("cut"), await of("fold")), group);
  }
});

t.test("a sheet repeats the tile, and another width of the cut changes it", async (t) => {
  const parts = { group: "p4", seam: { method: "cut" } } as const;
  const tile = await pixelsOf(engine, { ...parts, render: { size: 128 } });
  const sheet = await pixelsOf(engine, {
    ...parts,
    render: { mode: "surface", surface_width: 128, surface_height: 128, size: 128 },
  });
  t.ok(isSame(sheet, tile));
  const narrow = { ...parts, seam: { method: "cut", width: 0 } } as const;
  t.notOk(isSame(await pixelsOf(engine, { ...narrow, render: { size: 128 } }), tile));
});

t.test("a picture does not depend on those that were rendered before it", async (t) => {
  const random = sequence(97);
  const source = pngOf({ width, height, channels: 3, pixels });
  const designOf = (group: GroupName, method: Seam["method"], size: number) => ({
    source,
    group,
    seam: { method, width: 0.03 },
    motif: { x: random(), y: random(), scale: 0.5 + 2 * random(), rotation: 360 * random() },
    render: { size },
  });
  const designs = [
    ...GROUP_NAMES.flatMap((group) =>
      (["blend", "average", "fold", "cut"] as const).map((method) => designOf(group, method, 100)),
    ),
    ...["cm", "p3", "p31m", "p6"].flatMap((group) =>
      Array.from({ length: 6 }, () => designOf(group as GroupName, "cut", 256)),
    ),
  ];
  const [forwards, backwards] = [await inThread(t), await inThread(t)];
  const reversed: Uint8Array[] = [];
  for (const parts of designs.toReversed()) reversed.unshift(await backwards.render(parts));
  for (const [at, parts] of designs.entries()) {
    t.equal(
      Buffer.compare(await forwards.render(parts), reversed[at]),
      0,
      `${parts.group} ${parts.seam.method} ${at}`,
    );
  }
});

t.test("a pixel does not depend on those that its kernel call samples besides", async (t) => {
  const usual = await inThread(t);
  const inParts = await inThread(t, undefined, 512);
  const faded = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    faded.set(pixels.subarray(at * 3, at * 3 + 3), at * 4);
    faded[at * 4 + 3] = (at * 7) % 256;
  }
  const sources = [
    pngOf({ width, height, channels: 3, pixels }),
    pngOf({ width, height, channels: 4, pixels: faded }),
  ];
  for (const group of ["p1", "p2", "pgg", "p3", "p6", "p4g"] as const) {
    const ratio = group === "p1" || group === "p2" || group === "pgg" ? 1.3 : 1;
    for (const method of ["cut", "blend", "average"] as const) {
      for (const [at, source] of sources.entries()) {
        const seam = { method, width: 0.05 };
        const parts = { source, group, lattice: { ratio }, seam, render: { size: 128 } };
        const [whole, divided] = [await usual.render(parts), await inParts.render(parts)];
        t.equal(Buffer.compare(whole, divided), 0, `${group} ${method} ${at}`);
      }
    }
  }
});
