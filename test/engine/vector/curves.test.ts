import t from "tap";
import type { Path } from "../../../engine/encoders/vector-picture.ts";
import type { Point } from "../../../engine/geometry/affine.ts";
import { curvesAround } from "../../../engine/vector/curves.ts";
import { traceOutlines } from "../../../engine/vector/trace.ts";
import { hash } from "../../helpers/pictures.ts";
import { seed } from "../../helpers/random-subset.ts";

/** The longest outline of the pixels whose middles a shape holds. */
function outlineOf(side: number, holds: (x: number, y: number) => boolean): Point[] {
  const pixels = Uint8Array.from({ length: side * side }, (_, at) =>
    holds((at % side) + 0.5, Math.floor(at / side) + 0.5) ? 1 : 0,
  );
  const outlines = [...traceOutlines({ width: side, height: side, pixels })];
  return outlines.reduce((one, other) => (other.length > one.length ? other : one));
}

function pathAround(outline: readonly Point[]): Path {
  const curves = [...curvesAround(outline)];
  return { start: curves[curves.length - 1][2], curves };
}

/** Points along a path, and the turn in degrees where each curve follows another. */
function walked({ start, curves }: Path) {
  const points: Point[] = [];
  const turns: number[] = [];
  const angle = (from: Point, to: Point) => Math.atan2(to.y - from.y, to.x - from.x);
  const directions: [into: number, outOf: number][] = [];
  let from = start;
  for (const [one, other, to] of curves) {
    directions.push([angle(other, to), angle(from, one)]);
    for (let k = 0; k < 16; k++) {
      const u = k / 16;
      const at = (a: number, b: number, c: number, d: number) =>
        a * (1 - u) ** 3 + 3 * b * u * (1 - u) ** 2 + 3 * c * u ** 2 * (1 - u) + d * u ** 3;
      points.push({ x: at(from.x, one.x, other.x, to.x), y: at(from.y, one.y, other.y, to.y) });
    }
    from = to;
  }
  directions.forEach(([into], n) => {
    const [, outOf] = directions[(n + 1) % directions.length];
    const turn = ((((outOf - into) * 180) / Math.PI + 540) % 360) - 180;
    turns.push(Math.abs(turn));
  });
  return { points, turns, end: from };
}

t.test("a disc becomes a few smooth curves along its edge", async (t) => {
  for (const radius of [4, 6, 15, 60, 140]) {
    const [x, y] = [radius + 2 + hash(seed, radius), radius + 2 + hash(seed, radius + 1)];
    const side = 2 * radius + 6;
    const outline = outlineOf(side, (px, py) => Math.hypot(px - x, py - y) < radius);
    const path = pathAround(outline);
    const { points, turns, end } = walked(path);
    t.same(end, path.start, "it is closed");
    t.ok(path.curves.length <= 4 + radius / 6, `${path.curves.length} curves`);
    const misses = points.map((point) => Math.abs(Math.hypot(point.x - x, point.y - y) - radius));
    t.ok(Math.max(...misses) < 1, `radius ${radius}: misses ${Math.max(...misses)}`);
    t.ok(Math.max(...turns) < 1, `radius ${radius}: turns by ${Math.max(...turns)}°`);
  }
});

t.test("small shapes keep their area", async (t) => {
  const area = (points: readonly Point[]) => {
    const twice = points.map(({ x, y }, n) => {
      const next = points[(n + 1) % points.length];
      return x * next.y - next.x * y;
    });
    return Math.abs(twice.reduce((sum, one) => sum + one)) / 2;
  };
  for (const radius of [2, 3, 4, 6, 9]) {
    const [x, y] = [12 + hash(seed, radius), 12 + hash(seed, radius + 1)];
    const outline = outlineOf(25, (px, py) => Math.hypot(px - x, py - y) < radius);
    const [before, after] = [area(outline), area(walked(pathAround(outline)).points)];
    t.ok(Math.abs(after / before - 1) < 0.02, `radius ${radius}: ${before} became ${after}`);
  }
});

t.test("corners stay where they are", async (t) => {
  const [left, top, side] = [10, 14, 60];
  const outline = outlineOf(
    100,
    (x, y) => x > left && x < left + side && y > top && y < top + side,
  );
  const path = pathAround(outline);
  const { points, turns } = walked(path);
  t.equal(turns.filter((turn) => turn > 40).length, 4);
  t.ok(path.curves.length <= 8, `${path.curves.length} curves`);
  for (const [x, y] of [
    [left, top],
    [left + side, top],
    [left, top + side],
    [left + side, top + side],
  ]) {
    const nearest = Math.min(...points.map((point) => Math.hypot(point.x - x, point.y - y)));
    t.ok(nearest <= 0.75, `a corner at ${x}, ${y} is ${nearest} away`);
  }
});

t.test("any shape has curves that pass its edges within a pixel", async (t) => {
  const side = 64;
  const wave = (n: number) => 4 + 7 * hash(seed, n);
  const shapes = [1, 2, 3, 4].map((n) => (x: number, y: number) => {
    const [dx, dy] = [x - side / 2, y - side / 2];
    const angle = Math.atan2(dy, dx);
    return Math.hypot(dx, dy) < 16 + wave(n) * Math.sin(n * angle) + 3 * Math.cos(5 * n * angle);
  });
  const smallest = [(x: number, y: number) => Math.hypot(x - 9.5, y - 9.5) < 0.4];
  for (const shape of [...shapes, ...smallest]) {
    const outline = outlineOf(side, shape);
    const { points } = walked(pathAround(outline));
    for (const { x, y } of points) {
      const nearest = Math.min(...outline.map((edge) => Math.hypot(edge.x - x, edge.y - y)));
      if (nearest > 1.2) t.fail(`${nearest} from the nearest edge`);
    }
    t.ok(points.every(({ x, y }) => Number.isFinite(x + y)));
  }
});
