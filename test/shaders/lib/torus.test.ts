import t from "tap";
import { randomSequence } from "../../../shaders/lib/random.ts";
import { distance, scatter } from "../../../shaders/lib/torus.ts";

t.test("distances wrap at the edges", async (t) => {
  const spot = { x: 0.95, y: 0.5, radius: 0 };
  t.ok(Math.abs(distance(0.05, 0.5, spot) - 0.1) < 1e-12);
  t.ok(Math.abs(distance(0.45, 0, spot) - Math.SQRT1_2) < 1e-12);
});

t.test("scattered spots overlap neither existing spots nor each other", async (t) => {
  const taken = [{ x: 0, y: 0, radius: 0.2 }];
  const options = { count: 60, smallest: 0.03, largest: 0.08 };
  const spots = scatter(randomSequence(1), taken, options);
  t.ok(spots.length > 20);
  const all = [...taken, ...spots];
  const rims = all.flatMap((one, index) =>
    all.slice(index + 1).map((other) => distance(one.x, one.y, other) - one.radius - other.radius),
  );
  t.ok(Math.min(...rims) > -1e-9);
  t.ok(spots.every(({ radius }) => radius >= 0.03 && radius <= 0.08));
});

t.test("scattering ends when nothing fits", async (t) => {
  const spots = scatter(randomSequence(2), [], { count: 1000, smallest: 0.1, largest: 0.1 });
  t.ok(spots.length > 8 && spots.length < 32, `${spots.length} spots`);
});
