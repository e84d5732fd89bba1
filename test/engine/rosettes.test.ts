/** Pictures that are symmetric about a point, checked on their pixels. */
import t from "tap";
import {
  checkRender,
  GROUP_NAMES,
  type RenderFields,
  type Rosette,
  scaledRender,
} from "../../engine/index.ts";
import { pixelsOf, type RequestParts, request, testEngine } from "../helpers/engine.ts";
import { cropped, meanDifference, type Raster, rasterOf, reduced } from "../helpers/pictures.ts";
import { printed, printRequest } from "../helpers/print.ts";
import { some } from "../helpers/random-subset.ts";

const engine = await testEngine(t);

const SIDE = 160;

const rosetteOf = (
  rosette: Partial<Rosette>,
  fields: Partial<RenderFields> = {},
  parts: RequestParts = {},
) =>
  pixelsOf(engine, {
    ...parts,
    render: {
      mode: "rosette",
      size: SIDE,
      ...fields,
      rosette: { fold: 8, mirrors: true, shape: "disc", ...rosette },
    },
  });

/** Applies `moved` to the positions of a picture's pixels relative to its centre, with bilinear interpolation. */
function resampled(picture: Raster, moved: (x: number, y: number) => [number, number]): Raster {
  const { width, height, channels, pixels } = picture;
  const result = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length; at++) {
    const [pixel, channel] = [Math.floor(at / channels), at % channels];
    const [x, y] = moved(
      (pixel % width) + 0.5 - width / 2,
      Math.floor(pixel / width) + 0.5 - height / 2,
    );
    const [u, v] = [
      Math.min(Math.max(x + width / 2 - 0.5, 0), width - 1.001),
      Math.min(Math.max(y + height / 2 - 0.5, 0), height - 1.001),
    ];
    const [column, row] = [Math.floor(u), Math.floor(v)];
    const pixelAt = (dx: number, dy: number) =>
      pixels[((row + dy) * width + column + dx) * channels + channel];
    const mix = (one: number, other: number, share: number) => one + share * (other - one);
    result[at] = Math.round(
      mix(
        mix(pixelAt(0, 0), pixelAt(1, 0), u - column),
        mix(pixelAt(0, 1), pixelAt(1, 1), u - column),
        v - row,
      ),
    );
  }
  return { ...picture, pixels: result };
}

const turned = (picture: Raster, degrees: number) => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return resampled(picture, (x, y) => [cos * x - sin * y, sin * x + cos * y]);
};

const flipped = (picture: Raster) => resampled(picture, (x, y) => [-x, y]);

t.test("a rosette has the operations of its group and no others", async (t) => {
  for (const fold of [1, 2, 3, ...some([4, 5, 7, 8, 11], 2)]) {
    for (const mirrors of [true, false]) {
      const name = `${mirrors ? "D" : "C"}${fold}`;
      const picture = await rosetteOf(
        { fold, mirrors },
        { size: 320, cell: 310 },
        { background: "#808080" },
      );
      // Interpolation blurs the finest details, which are left out. The picture's edge is plain.
      const differenceFrom = (image: Raster) =>
        meanDifference(reduced(picture, 8), reduced(image, 8));
      const mirrored = differenceFrom(flipped(picture));
      t.ok(mirrors ? mirrored < 0.1 : mirrored > 2, `${name}, mirrored: ${mirrored}`);
      const rotated = differenceFrom(turned(picture, 360 / fold));
      t.ok(rotated < 0.5, `${name}, rotated: ${rotated}`);
      const halfway = differenceFrom(turned(picture, 180 / fold));
      t.ok(halfway > 3, `${name}, rotated by half of that: ${halfway}`);
    }
  }
});

t.test("rotations by a rosette's angle change nothing, at any seam", async (t) => {
  for (const method of ["cut", "blend", "average", "fold"] as const) {
    const [fold] = some([3, 5, 6, 9, 36], 1, method.length);
    const [rotation] = some([1, 2], 1, fold);
    const parts = { seam: { method } };
    const picture = await rosetteOf({ fold, mirrors: false }, {}, parts);
    const again = await rosetteOf(
      { fold, mirrors: false },
      { rotation: (rotation * 360) / fold },
      parts,
    );
    const difference = meanDifference(picture, again);
    t.ok(difference < 0.2, `${method}, C${fold}: ${difference}`);
  }
});

t.test("a disc is opaque inside and transparent outside, a sheet goes on", async (t) => {
  const fields = { surface_width: 150, surface_height: 90, cell: 90, offset: { x: 20, y: -6 } };
  const disc = await rosetteOf({ fold: 6 }, fields);
  const sheet = await rosetteOf({ fold: 6, shape: "sheet" }, fields);
  const onRed = await rosetteOf({ fold: 6 }, fields, { background: "#ff0000" });
  t.same([disc.channels, sheet.channels, onRed.channels], [4, 3, 3]);
  let most = 0;
  for (let pixel = 0; pixel < 150 * 90; pixel++) {
    const [x, y] = [(pixel % 150) + 0.5, Math.floor(pixel / 150) + 0.5];
    const distance = Math.hypot(x - 95, y - 39);
    const alpha = disc.pixels[4 * pixel + 3];
    if (distance > 46 && alpha !== 0) t.fail(`${x}, ${y} is not transparent`);
    if (distance > 46 && onRed.pixels[3 * pixel + 1] !== 0) t.fail(`${x}, ${y} is not red`);
    if (distance > 44) continue;
    if (alpha !== 255) t.fail(`${x}, ${y} is not opaque`);
    for (let channel = 0; channel < 3; channel++) {
      const value = disc.pixels[4 * pixel + channel];
      most = Math.max(
        most,
        Math.abs(value - sheet.pixels[3 * pixel + channel]),
        Math.abs(value - onRed.pixels[3 * pixel + channel]),
      );
    }
  }
  t.ok(most <= 2, `inside the disc all show the same: ${most}`);
});

t.test("a rosette does not depend on the pattern's group", async (t) => {
  const [one, other] = some(GROUP_NAMES, 2);
  const [first, second] = [
    await rosetteOf({}, {}, { group: one }),
    await rosetteOf({}, {}, { group: other }),
  ];
  t.same(first.pixels, second.pixels);
});

t.test("effects keep the symmetry, and proofs look like their prints", async (t) => {
  const effects = [{ id: "swirl", params: {} }];
  const picture = await rosetteOf({ fold: 4, mirrors: false, shape: "sheet" }, {}, { effects });
  const rotated = meanDifference(picture, turned(picture, 90));
  t.ok(rotated < 1.5, `with an effect on all of it: ${rotated}`);

  const { render } = request({
    render: {
      mode: "rosette",
      rosette: { fold: 6, mirrors: false, shape: "disc" },
      surface_width: 720,
      surface_height: 480,
      cell: 400,
      offset: { x: 40, y: 0 },
    },
  });
  const { cell, ...withoutCell } = render;
  for (const fields of [render, withoutCell]) {
    const proof = scaledRender(fields, 0.25);
    t.match(proof, { scale: 0.25, isComplete: true });
    const whole = await pixelsOf(engine, { render: fields });
    const small = await pixelsOf(engine, { render: proof.fields });
    t.same([small.width, small.height], [180, 120]);
    const difference = meanDifference(reduced(whole, 4), small);
    t.ok(difference < 4, `a proof differs by ${difference}`);
  }
});

t.test("what a sheet shows of a rosette does not depend on its size", async (t) => {
  const fields = { cell: 200, surface_height: 200, surface_width: 200 };
  for (const parts of [
    { seam: { method: "cut" } },
    { seam: { method: "blend" } },
    { effects: [{ id: "halftone", params: {} }] },
  ] as const) {
    const rosette = { fold: 5, mirrors: false, shape: "sheet" } as const;
    const square = await rosetteOf(rosette, fields, parts);
    const wide = await rosetteOf(rosette, { ...fields, surface_width: 400 }, parts);
    const middle = cropped(wide, { x: 100, y: 0, width: 200, height: 200 });
    const mean = meanDifference(square, middle);
    t.ok(mean < 2, `${JSON.stringify(parts)}: ${mean}`);
  }
});

t.test("a sheet shows no more than is near its rosette", async (t) => {
  const render = (fields: Partial<RenderFields>) =>
    request({ render: { mode: "rosette", surface_width: 400, surface_height: 200, ...fields } });
  const sheet = { fold: 6, mirrors: true, shape: "sheet" } as const;
  t.ok(render({ rosette: sheet }));
  for (const fields of [{ cell: 150 }, { offset: { x: 100_000, y: 0 } }]) {
    t.ok(render({ ...fields, rosette: { ...sheet, shape: "disc" } }));
    const issues = [{ path: "/cell" }];
    t.throws(() => render({ ...fields, rosette: sheet }), { name: "InvalidRecipe", issues });
    const proof = scaledRender(render({ rosette: sheet }).render, 0.0501).fields;
    t.match(checkRender(proof), { surface_width: 20, surface_height: 16 });
  }
  const print = { mode: "rosette", rosette: sheet, width_mm: 60, height_mm: 20 } as const;
  const issues = [{ path: "/cell_mm", received: "1.58 diameters" }];
  t.throws(() => printRequest({ print }), { name: "InvalidRecipe", issues });
});

t.test("a print has the centre where the render has it, whatever its bleed", async (t) => {
  const rosette = { fold: 5, mirrors: true, shape: "sheet" } as const;
  const fields = { mode: "rosette", rosette, width_mm: 20, height_mm: 16, dpi: 254 } as const;
  const sheet = { surface_width: 200, surface_height: 160, cell: 160 };
  const plain = await rosetteOf(rosette, { ...sheet, dpi: 254 });
  const print = { ...fields, cell_mm: 16, bleed_mm: 2, format: "png" } as const;
  const bled = rasterOf(await printed(engine, { print }));
  t.same([bled.width, bled.height], [240, 200]);
  const inside = cropped(bled, { x: 20, y: 20, width: 200, height: 160 });
  const mean = meanDifference(plain, inside);
  t.ok(mean < 1.5, `inside the bleed is the render: ${mean}`);
});
