import t from "tap";
import { effectArguments } from "../../../shaders/catalog.ts";
import { emboss } from "../../../shaders/surface/emboss.ts";
import { applySurfaceEffect, fromPixels, pixelsPerMillimetre } from "../apply-surface-effect.ts";
import { backend } from "../backends.ts";
import { channels, largestDifference, pack, plain } from "../pixels.ts";

const SIDE = 120;
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const lay = (colour: Float32Array, params: Record<string, number>) =>
  applySurfaceEffect(runner, emboss, fromPixels(params, "depth"), {
    colour,
    width: SIDE,
    height: SIDE,
  });

const GROUND = pack(90, 60, 30);

/** A lighter square of 40 pixels in the middle of a plain ground. */
const raised = Float32Array.from({ length: SIDE * SIDE }, (_, index) => {
  const [x, y] = [index % SIDE, Math.floor(index / SIDE)];
  return x >= 40 && x < 80 && y >= 40 && y < 80 ? pack(150, 100, 50) : GROUND;
});

const green = (out: Float32Array, x: number, y: number) => channels(out[y * SIDE + x])[1];

t.test("keeps a plain sheet bit for bit at any strength", async (t) => {
  for (const packed of [0, pack(255, 255, 255), GROUND, pack(3, 200, 77)]) {
    const colour = plain(SIDE, SIDE, packed);
    t.strictSame(await lay(colour, { strength: 1, depth: 7.3, angle: 41 }), colour);
  }
});

t.test("edges that face the light are lit, those away from it dark", async (t) => {
  const sides = { 180: [40, 60], 0: [79, 60], [-90]: [60, 40], 90: [60, 79] } as const;
  for (const [angle, [x, y]] of Object.entries(sides)) {
    const out = await lay(raised, { strength: 1, depth: 4, angle: Number(angle) });
    t.ok(green(out, x, y) > 125, `${angle}: ${green(out, x, y)}`);
    const [across, down] = [119 - x, 119 - y];
    t.ok(green(out, across, down) < 75, `away from ${angle}: ${green(out, across, down)}`);
  }
});

t.test("changes nothing farther from an edge than the depth", async (t) => {
  for (const depth of [1, 2.5, 9, 32]) {
    const out = await lay(raised, { strength: 1, depth });
    const edge = Math.ceil(depth);
    const far = [...out].every((packed, index) => {
      const [x, y] = [index % SIDE, Math.floor(index / SIDE)];
      const outside = Math.max(40 - x, x - 79, 40 - y, y - 79);
      const inside = Math.min(x - 39, 80 - x, y - 39, 80 - y);
      return outside > edge || inside > edge ? packed === raised[index] : true;
    });
    t.ok(far, `depth ${depth}`);
    t.ok(largestDifference(out, raised) > 20);
  }
});

t.test("keeps the colours: red, green and blue in their proportions", async (t) => {
  const out = await lay(raised, { strength: 0.6, angle: 180 });
  const shadow = channels(out[60 * SIDE + 79]);
  t.ok(shadow[0] < 140, "there is a shadow");
  t.ok(Math.abs(shadow[0] / 150 - shadow[1] / 100) < 0.03);
  t.ok(Math.abs(shadow[1] / 100 - shadow[2] / 50) < 0.03);
});

t.test("has a direction for every depth and angle, within its declared reach", (t) => {
  for (let depth = 1; depth <= 32; depth += 1.7) {
    for (let angle = -180; angle <= 180; angle += 15) {
      const sheet = { width: 9, height: 9, pixelsPerMillimetre };
      const given = { depth: depth / pixelsPerMillimetre, angle };
      const { params, reach } = effectArguments(emboss, given, sheet);
      const ok = params.every((number, index) => {
        const kind = (index - 1) % 3;
        if (kind === 2) return Number.isFinite(number);
        return index === 0 || (Number.isInteger(number) && Math.abs(number) <= reach);
      });
      if (!ok) t.fail(`depth ${depth}, angle ${angle}: ${params.join(" ")}`);
    }
  }
  t.end();
});
