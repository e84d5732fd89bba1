/** Strips that repeat in one direction, checked on their pixels. */
import t from "tap";
import {
  checkRender,
  FRIEZE_NAMES,
  type Frieze,
  GROUP_NAMES,
  InvalidRecipe,
  type RenderFields,
  scaledRender,
} from "../../engine/index.ts";
import { pixelsOf, type RequestParts, request, testEngine } from "../helpers/engine.ts";
import { meanDifference, pngOf, type Raster, reduced } from "../helpers/pictures.ts";
import { printRequest } from "../helpers/print.ts";
import { some } from "../helpers/random-subset.ts";

type FriezeName = Frieze["group"];

/** What maps a strip onto itself besides translations, as the International Tables, volume E, have it. */
const OPERATIONS: Readonly<Record<FriezeName, readonly Operation[]>> = {
  p1: [],
  p211: ["half turn"],
  p1m1: ["mirror across"],
  p11m: ["mirror along", "glide along"],
  p11g: ["glide along"],
  p2mm: ["half turn", "mirror across", "mirror along", "glide along"],
  p2mg: ["half turn", "mirror across", "glide along"],
};

/** Where an operation moves a pixel; `s` is unknown for those that reverse the strip. */
const MOVES = {
  "half turn": { reverses: true, flips: true },
  "mirror across": { reverses: true, flips: false },
  "mirror along": { reverses: false, flips: true },
  "glide along": { reverses: false, flips: true },
} as const;
type Operation = keyof typeof MOVES;

const engine = await testEngine(t);

const [REPEAT, REPEATS, HEIGHT] = [60, 3, 40];

const stripOf = (frieze: Frieze, fields: Partial<RenderFields> = {}, parts: RequestParts = {}) =>
  pixelsOf(engine, {
    ...parts,
    render: {
      mode: "frieze",
      surface_width: REPEAT * REPEATS,
      surface_height: HEIGHT,
      frieze,
      ...fields,
    },
  });

/** The mean difference of a strip from its image under x → ±x + shift, perhaps turned upside down. */
function differenceOf(strip: Raster, shift: number, reverses: boolean, flips: boolean): number {
  const { width, height, channels, pixels } = strip;
  let sum = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const moved = (((reverses ? -x : x) + shift) % width) + width;
      const there = ((flips ? height - 1 - y : y) * width + (moved % width)) * channels;
      for (let channel = 0; channel < 3; channel++) {
        sum += Math.abs(pixels[(y * width + x) * channels + channel] - pixels[there + channel]);
      }
    }
  }
  return sum / (3 * width * height);
}

/** The least difference of a strip from its image under an operation, wherever its axis or centre is. */
function leastDifference(strip: Raster, operation: Operation): number {
  const { reverses, flips } = MOVES[operation];
  if (operation === "mirror along") return differenceOf(strip, 0, reverses, flips);
  if (operation === "glide along") {
    // The translations of a strip with a mirror along it are glides as well.
    const whole = differenceOf(strip, REPEAT, reverses, flips);
    return Math.min(whole, differenceOf(strip, REPEAT / 2, reverses, flips));
  }
  const shifts = Array.from({ length: REPEAT }, (_, shift) => shift);
  return Math.min(...shifts.map((shift) => differenceOf(strip, shift, reverses, flips)));
}

t.test("a strip has the operations of its group and no others", async (t) => {
  t.same(Object.keys(OPERATIONS), FRIEZE_NAMES);
  for (const group of FRIEZE_NAMES) {
    const strip = await stripOf({ group, repeats: REPEATS });
    t.ok(differenceOf(strip, REPEAT, false, false) < 0.1, `${group} repeats`);
    t.ok(differenceOf(strip, REPEAT / 2, false, false) > 3, `${group} repeats no sooner`);
    for (const operation of Object.keys(MOVES) as Operation[]) {
      const least = leastDifference(strip, operation);
      if (OPERATIONS[group].includes(operation))
        t.ok(least < 0.1, `${group}, ${operation}: ${least}`);
      else t.ok(least > 3, `${group} has no ${operation}: ${least}`);
    }
  }
});

t.test("the ends of a strip meet, though a repeat is no whole number of pixels", async (t) => {
  for (const group of some(FRIEZE_NAMES, 3)) {
    const frieze = { group, repeats: 4, length: 157, height: HEIGHT };
    const twice = await stripOf(frieze, { surface_width: 314 });
    const { height, channels, pixels } = twice;
    let most = 0;
    for (let at = 0; at < 157 * height; at++) {
      const first = (Math.floor(at / 157) * 314 + (at % 157)) * channels;
      for (let channel = 0; channel < channels; channel++) {
        most = Math.max(
          most,
          Math.abs(pixels[first + channel] - pixels[first + 157 * channels + channel]),
        );
      }
    }
    t.ok(most <= 2, `${group}: ${most}`);
  }
});

t.test("beyond its ends a strip goes on, above and below it is mirrored", async (t) => {
  for (const group of some(FRIEZE_NAMES, 3, 1)) {
    const strip = await stripOf({ group, repeats: REPEATS });
    const margin = 7;
    const more = await stripOf(
      { group, repeats: REPEATS, length: strip.width, height: HEIGHT },
      {
        surface_width: strip.width + 2 * margin,
        surface_height: HEIGHT + 2 * margin,
        offset: { x: margin, y: margin },
      },
    );
    let most = 0;
    for (let y = 0; y < more.height; y++) {
      for (let x = 0; x < more.width; x++) {
        const from = Math.abs(y - margin + 0.5) - 0.5;
        const row = HEIGHT - 0.5 - Math.abs(from - HEIGHT + 0.5);
        const column = (x - margin + strip.width) % strip.width;
        for (let channel = 0; channel < 3; channel++) {
          const here = more.pixels[(y * more.width + x) * more.channels + channel];
          const there = strip.pixels[(row * strip.width + column) * strip.channels + channel];
          most = Math.max(most, Math.abs(here - there));
        }
      }
    }
    t.ok(most <= 2, `${group}: ${most}`);
  }
});

t.test("a strip shows the picture upright, whatever the pattern's group is", async (t) => {
  const colours = [0xd02020, 0x20a040, 0x2040d0, 0xf0f0f0];
  const pixels = Uint8Array.from({ length: 300 * 100 * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    const [isRight, isLow] = [pixel % 300 >= 150, pixel >= 50 * 300];
    return (colours[2 * Number(isLow) + Number(isRight)] >> (16 - 8 * (at % 3))) & 255;
  });
  const source = pngOf({ width: 300, height: 100, channels: 3, pixels });
  const [one, other] = some(GROUP_NAMES, 2);
  const frieze = { group: "p1", repeats: 1 } as const;
  const sheet = { surface_width: 180, surface_height: 60 };
  const strip = await stripOf(frieze, sheet, { group: one, source });
  for (const [place, colour] of colours.entries()) {
    const at = ((place < 2 ? 15 : 45) * 180 + (place % 2 === 0 ? 45 : 135)) * strip.channels;
    const [red, green, blue] = strip.pixels.subarray(at, at + 3);
    t.equal((red << 16) | (green << 8) | blue, colour, `quarter ${place}`);
  }
  t.same(strip, await stripOf(frieze, sheet, { group: other, source }));
});

t.test("effects, proofs and long strips keep the symmetry", async (t) => {
  for (const group of some(FRIEZE_NAMES, 2, 3)) {
    const style = { effects: [{ id: "swirl", params: {} }] };
    const strip = await stripOf({ group, repeats: REPEATS }, {}, style);
    for (const operation of OPERATIONS[group]) {
      const least = leastDifference(strip, operation);
      t.ok(least < 1.5, `${group}, ${operation}: ${least}`);
    }
    const fields = checkRender(
      request({
        render: {
          mode: "frieze",
          surface_width: 720,
          surface_height: 160,
          frieze: { group, repeats: REPEATS },
        },
      }).render,
    );
    const proof = scaledRender(fields, 0.25);
    t.match(proof, { scale: 0.25, isComplete: true });
    const whole = await pixelsOf(engine, { render: fields });
    const small = await pixelsOf(engine, { render: proof.fields });
    t.same([small.width, small.height], [180, 40]);
    t.ok(meanDifference(reduced(whole, 4), small) < 4, group);
  }
});

t.test("a proof of many repeats shows some of them", async (t) => {
  const { render } = request({
    render: {
      mode: "frieze",
      surface_width: 20000,
      surface_height: 40,
      frieze: { group: "p1m1", repeats: 1000 },
    },
  });
  const { fields, scale, isComplete } = scaledRender(render, 0.05);
  t.match({ scale, isComplete }, { scale: 0.4, isComplete: false });
  t.match(checkRender(fields), { surface_width: 1000, surface_height: 16 });
  const { pixels, channels } = await pixelsOf(engine, { render: fields });
  const repeat = 20 * scale * channels;
  t.same(pixels.subarray(0, 50 * repeat), pixels.subarray(repeat, 51 * repeat));
});

t.test("takes shapes at the limits, and previews of them", async (t) => {
  for (const [width, height, repeats] of [
    [19359, 143, 494],
    [2992, 17, 22],
    [1024, 16, 8],
    [3000, 125, 3],
  ] as const) {
    const sheet = { mode: "frieze", surface_width: width, surface_height: height } as const;
    const { render } = request({ render: { ...sheet, frieze: { group: "p1", repeats } } });
    for (const edge of [1568, 777, 256]) checkRender(scaledRender(render, edge / width).fields);
  }
  for (const [width_mm, height_mm] of [
    [240, 10],
    [480, 20],
  ]) {
    for (const dpi of [150, 300]) {
      const frieze = { group: "p211", repeats: 3 } as const;
      const print = { mode: "frieze", frieze, width_mm, height_mm, dpi, bleed_mm: 1 } as const;
      t.equal(printRequest({ print }).print.frieze?.repeats, 3);
    }
  }
});

t.test("effects have one scale under all groups", async (t) => {
  const effects = [{ id: "pixelate", params: {} }];
  const colours = async (group: FriezeName) => {
    const frieze = { group, repeats: 2 };
    const strip = await stripOf(frieze, { surface_width: 320, surface_height: 40 }, { effects });
    let changes = 0;
    for (let at = strip.channels; at < 320 * strip.channels; at += strip.channels) {
      if (strip.pixels[at] !== strip.pixels[at - strip.channels]) changes++;
    }
    return changes;
  };
  const [along, across] = [await colours("p1"), await colours("p1m1")];
  t.ok(Math.abs(along - across) < 0.35 * along, `${along} and ${across} blocks`);
});

t.test("says what is wrong with a strip", async (t) => {
  const issuesOf = (frieze: Partial<Frieze> | undefined, width = 400, height = 100) => {
    const { render } = request({});
    const sheet = { mode: "frieze", surface_width: width, surface_height: height } as const;
    try {
      checkRender({ ...render, ...sheet, ...(frieze && { frieze: frieze as Frieze }) });
      return [];
    } catch (error) {
      if (error instanceof InvalidRecipe) return error.issues;
      throw error;
    }
  };
  t.same(issuesOf({ group: "p1", repeats: 16 }), []);
  t.match(issuesOf({ group: "p1", repeats: 17 }), [
    { path: "/frieze/repeats", expected: "1 to 16" },
  ]);
  t.match(issuesOf({ group: "p1", repeats: 1 }, 1000), [{ expected: "2 to 40" }]);
  t.match(issuesOf(undefined), [{ path: "/frieze", expected: /p2mg/ }]);
  t.match(issuesOf({ group: "p1", repeats: 4 }, 20, 16), [{ expected: "1 to 2" }]);
  t.match(issuesOf({ group: "p1", repeats: 4, height: 2000 }, 20), [
    { expected: "a strip of another shape" },
  ]);
});
