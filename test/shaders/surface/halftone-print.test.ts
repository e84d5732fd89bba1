import t from "tap";
import { decodeChannel } from "../../../shaders/lib/colour.ts";
import { halftonePrint } from "../../../shaders/surface/halftone-print.ts";
import { screenAt } from "../../../shaders/surface/halftone-screens.ts";
import { applySurfaceEffect, fromPixels } from "../apply-surface-effect.ts";
import { backend } from "../backends.ts";
import { channels, largestDifference, pack, plain } from "../pixels.ts";

const SIDE = 320;
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const lay = (packed: number, params: Record<string, unknown>) =>
  applySurfaceEffect(runner, halftonePrint, fromPixels(params, "cell"), {
    colour: plain(SIDE, SIDE, packed),
    width: SIDE,
    height: SIDE,
  });

/** Mean linear light of each channel. */
function light(out: Float32Array): number[] {
  const sum = [0, 0, 0];
  for (const packed of out) {
    channels(packed).forEach((value, channel) => {
      sum[channel] = sum[channel] + decodeChannel(value / 255);
    });
  }
  return sum.map((total) => total / out.length);
}

const COLOURS = [
  pack(255, 255, 255),
  pack(240, 240, 240),
  pack(188, 188, 188),
  pack(128, 128, 128),
  pack(64, 64, 64),
  pack(226, 196, 160),
  pack(176, 64, 48),
  pack(90, 120, 140),
];

t.test("process colours keep their mean light", async (t) => {
  for (const packed of COLOURS) {
    for (const cell of [5, 8, 20]) {
      const wanted = channels(packed).map((value) => decodeChannel(value / 255));
      light(await lay(packed, { cell })).forEach((mean, channel) => {
        const error = Math.abs(mean - wanted[channel]);
        t.ok(error < 0.025, `${channels(packed)} in cells of ${cell}: ${error}`);
      });
    }
  }
});

t.test("one black ink covers exactly the share that a grey lacks", async (t) => {
  for (const value of [20, 100, 160, 188, 220, 250]) {
    const wanted = decodeChannel(value / 255);
    const single = { inks: "single", ink: "#000000", cell: 9 };
    const mean = light(await lay(pack(value, value, value), single))[1];
    t.ok(Math.abs(mean - wanted) < 0.008, `${value}: ${mean} for ${wanted}`);
  }
});

t.test("white is bare paper, in every screen", async (t) => {
  for (const paper of ["#ffffff", "#f2e8d5"]) {
    for (const inks of ["process", "single"]) {
      const out = await lay(0xffffff, { inks, paper });
      const bare = Number.parseInt(paper.slice(1), 16);
      t.ok(
        out.every((packed) => packed === bare),
        `${inks} on ${paper}`,
      );
    }
  }
});

t.test("dots have soft edges: a large dot is ink, paper, and a rim of a pixel", async (t) => {
  const out = await lay(pack(188, 188, 188), { inks: "single", ink: "#000000", cell: 40 });
  const share = (matches: (green: number) => boolean) =>
    out.filter((packed) => matches(channels(packed)[1])).length / out.length;
  const rim = share((green) => green > 2 && green < 253);
  t.ok(rim > 0.02 && rim < 0.15, `${rim} of the pixels are a rim`);
});

t.test("dot gain darkens, and below 0 it lightens", async (t) => {
  const means: number[] = [];
  for (const gain of [-1, -0.5, 0, 0.5, 1]) {
    means.push(light(await lay(pack(170, 170, 170), { gain }))[1]);
  }
  means.slice(1).forEach((mean, step) => {
    t.ok(mean < means[step] - 0.02, `${means[step]} then ${mean}`);
  });
});

t.test("a screen repeats after its period, far down a sheet too", async (t) => {
  // A period of 5800 pixels along an axis of the screen at 0°.
  const cell = 100;
  const { period } = screenAt(0, cell);
  const width = 16;
  const height = 3 * period + 64;
  const colour = plain(width, height, pack(150, 150, 150));
  const out = await applySurfaceEffect(
    runner,
    halftonePrint,
    fromPixels({ inks: "single", angle: -45, cell }, "cell"),
    { colour, width, height },
  );
  const far = out.slice(3 * period * width);
  t.ok(largestDifference(out.slice(0, 64 * width), far) <= 1);
});

t.test("angle and cell of a screen are within 1 %", async (t) => {
  for (const angle of [-170, -75, 0, 15, 33, 45, 75, 180]) {
    for (const cell of [2, 3.3, 8, 64]) {
      const { p, q, period } = screenAt(angle, cell);
      t.ok(Math.abs(period / Math.hypot(p, q) / cell - 1) < 1e-9);
      const away = Math.atan2(q, p) - (angle * Math.PI) / 180;
      t.ok(Math.abs(Math.sin(away)) < 0.01 && Math.cos(away) > 0);
    }
  }
});
