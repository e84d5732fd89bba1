import t from "tap";
import { decodeChannel } from "../../../shaders/lib/colour.ts";
import { halftonePrint } from "../../../shaders/surface/halftone-print.ts";
import { screenAt } from "../../../shaders/surface/halftone-screens.ts";
import { applySurfaceEffect } from "../apply-surface-effect.ts";
import { backend } from "../backends.ts";
import { channels, pack, plain } from "../pixels.ts";

const SIDE = 320;
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const lay = (packed: number, params: Record<string, unknown>) =>
  applySurfaceEffect(runner, halftonePrint, params, {
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

t.test("a screen repeats after its period, to the bit", async (t) => {
  const cell = 4;
  const { period } = screenAt(45, cell);
  const width = 16;
  const height = period + 64;
  const colour = plain(width, height, pack(150, 150, 150));
  const out = await applySurfaceEffect(
    runner,
    halftonePrint,
    { inks: "single", cell },
    { colour, width, height },
  );
  t.strictSame(out.slice(0, 64 * width), out.slice(period * width));
});

t.test("angle and cell of a screen are within 1 %", async (t) => {
  for (const angle of [-170, -75, 0, 15, 33, 45, 75, 180]) {
    for (const cell of [2, 3.3, 8, 64]) {
      const { p, q, period } = screenAt(angle, cell);
      t.ok(Math.abs(period / Math.hypot(p, q) / cell - 1) < 0.01);
      const away = Math.atan2(q, p) - (angle * Math.PI) / 180;
      t.ok(Math.abs(Math.sin(away)) < 0.01 && Math.cos(away) > 0);
    }
  }
});
