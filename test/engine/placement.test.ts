import t from "tap";
import { apply } from "../../engine/geometry/affine.ts";
import { domainOf } from "../../engine/geometry/domain.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { windowOf } from "../../engine/geometry/window.ts";
import { levelScale } from "../../engine/image/source-levels.ts";
import type { Motif } from "../../engine/index.ts";
import { placeMotif, sampledPart, toPixelsOf } from "../../engine/render/placement.ts";

// As the engine passes a decoded picture, with further fields: none of them may leak into a part.
const photo = { width: 4000, height: 3000, pixels: "as a decoded picture would have them" };
const domain = domainOf(isometriesOf("p4", { ratio: 1, repeat: "straight" }));
const window = windowOf(domain, { method: "blend", width: 0.12, preserve_contrast: true });
const placed = (motif: Partial<Motif>, edgesPerPixel = 1 / 1024) => {
  const toSource = placeMotif(
    domain.corners,
    { x: 0.5, y: 0.5, scale: 1, rotation: 0, ...motif },
    photo,
  );
  return { toSource, part: sampledPart(window.box, toSource, photo, edgesPerPixel) };
};

t.test("a part is identified by its numbers", async (t) => {
  for (const motif of [{}, { scale: 0.1 }, { scale: 9, x: 0.2 }]) {
    const names = Object.keys(placed(motif).part).sort();
    t.strictSame(names, ["height", "level", "outline", "pitch", "width", "x", "y"]);
  }
});

t.test("motifs at one scale share a level, at twice the scale two levels finer", async (t) => {
  const { level } = placed({ scale: 1 }).part;
  for (const motif of [{ x: 0.45 }, { y: 0.52 }, { rotation: 30 }, { rotation: -90 }]) {
    t.equal(placed(motif).part.level, level);
  }
  t.equal(placed({ scale: 2 }).part.level, level - 2);
});

t.test("samples lie within the part, at about the output's resolution", async (t) => {
  for (const scale of [0.05, 0.3, 1, 3, 20]) {
    for (const size of [64, 1024, 8192]) {
      const { toSource, part } = placed({ scale, x: 0.1, rotation: 20 }, 1 / size);
      const index = toPixelsOf(part);
      for (const corner of domain.corners) {
        const at = apply(index, apply(toSource, corner));
        t.ok(at.x > -0.5 && at.x < part.width - 0.5, `${scale} at ${size}: x ${at.x}`);
        t.ok(at.y > -0.5 && at.y < part.height - 0.5, `${scale} at ${size}: y ${at.y}`);
      }
      const pixels = part.width * part.height;
      t.ok(pixels <= 8_500_000, `${scale} at ${size}: ${pixels} pixels are kept`);
      const sourcePerOutput = Math.hypot(toSource.a, toSource.c) / size;
      const sourcePerPixel = levelScale(part.level);
      const whole = part.width * part.height * levelScale(part.level) ** 2;
      const coarse = 1.5 * Math.sqrt(whole / 8_000_000);
      t.ok(
        sourcePerPixel <= Math.max(1, (Math.SQRT2 / 1.25) * sourcePerOutput, coarse) * 1.01,
        `${scale} at ${size}`,
      );
    }
  }
});
