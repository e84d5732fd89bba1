import t from "tap";
import { areaOf, centroidOf, contains, meetsBox } from "../../engine/tilings/polygon.ts";
import { sequence } from "../helpers/sequence.ts";
import { areaWithin, boxAt } from "./patches.ts";

const ARROW = [
  { x: 0, y: 0 },
  { x: 4, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 4 },
];

t.test("a polygon meets a box if and only if they share area", async (t) => {
  const random = sequence(3);
  let met = 0;
  for (let k = 0; k < 5000; k++) {
    const angle = 7 * random();
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    const turned = ARROW.map(({ x, y }) => ({ x: cos * x - sin * y, y: sin * x + cos * y }));
    const box = boxAt(9 * random() - 5, 9 * random() - 5, 0.01 + 4 * random(), 0.01 + 4 * random());
    const shares = areaWithin(turned, box) > 1e-12;
    if (meetsBox(turned, box) !== shares) t.fail(`${angle} ${JSON.stringify(box)}`);
    if (shares) met++;
  }
  t.ok(met > 1000 && met < 4000);
});

t.test("a polygon that merely touches a box meets it", async (t) => {
  t.ok(meetsBox(ARROW, boxAt(4, -1, 1, 1)));
  t.ok(meetsBox(ARROW, boxAt(1, -2, 1, 2)));
  t.notOk(meetsBox(ARROW, boxAt(2, 1, 1, 1)), "in the notch");
});

t.test("area, centroid and inside follow the outline", async (t) => {
  t.equal(areaOf(ARROW), 4);
  t.equal(areaOf(ARROW.toReversed()), -4);
  const { x, y } = centroidOf(ARROW);
  t.ok(Math.hypot(x - 1, y - 1) < 1e-12);
  t.ok(contains(ARROW, { x: 0.5, y: 0.5 }));
  t.notOk(contains(ARROW, { x: 1.5, y: 1.5 }));
});
