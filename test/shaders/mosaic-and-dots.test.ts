import t from "tap";
import { halftone } from "../../shaders/effects/halftone.ts";
import { pixelate } from "../../shaders/effects/pixelate.ts";
import { swirl } from "../../shaders/effects/swirl.ts";
import { decodeChannel } from "../../shaders/lib/colour.ts";
import { channels, pack, plain } from "./pixels.ts";
import { applied } from "./run-torus.ts";
import { symmetricTile } from "./symmetric-torus.ts";

const linearChannel = (packed: number, channel: number) =>
  decodeChannel(channels(packed)[channel] / 255);
const meanLight = (colour: Float32Array, channel: number) =>
  colour.reduce((sum, packed) => sum + linearChannel(packed, channel), 0) / colour.length;

t.test("pixelate: a block has one colour, the mean light of its pixels", async (t) => {
  const { torus } = symmetricTile("p1", 96);
  const { colour } = await applied(pixelate, torus, { blocks: 8 });
  // Blocks of 12 pixels about the origin: pixels 6 … 17 and so on.
  for (let top = 6; top < 84; top += 12) {
    for (let left = 6; left < 84; left += 12) {
      const places = Array.from(
        { length: 144 },
        (_, k) => (top + Math.floor(k / 12)) * 96 + left + (k % 12),
      );
      t.equal(new Set(places.map((at) => colour[at])).size, 1);
      for (const channel of [0, 1, 2]) {
        const mean = meanLight(
          Float32Array.from(places, (at) => torus.colour[at]),
          channel,
        );
        const level = channels(colour[places[0]])[channel];
        t.ok(
          mean > decodeChannel((level - 0.6) / 255) && mean < decodeChannel((level + 0.6) / 255),
        );
      }
    }
  }
});

t.test("pixelate: joints have the configured colour and width", async (t) => {
  const { torus } = symmetricTile("p4", 128);
  const { colour } = await applied(pixelate, torus, {
    blocks: 8,
    gap: 0.25,
    gap_colour: "#00ff00",
  });
  const joints = colour.filter((packed) => packed === 0x00ff00).length / colour.length;
  t.equal(joints, 1 - 0.75 ** 2);
});

for (const group of ["p4", "cmm", "p6"] as const) {
  const { torus } = symmetricTile(group, 224, { hexCells: "2x1" });

  t.test(
    `halftone on ${group}: a plain tone has as much paper as it looks light, dot by dot and overlapping`,
    async (t) => {
      const print = { ink: "#000000", paper: "#ffffff", dots: 16 };
      for (const level of [0, 20, 60, 100, 140, 180, 205, 225, 240, 250, 255]) {
        const colour = plain(224, 224, pack(level, level, level));
        const out = await applied(halftone, { ...torus, colour }, print);
        const error = meanLight(out.colour, 0) - level / 255;
        t.ok(Math.abs(error) < 0.008, `${level}: ${error}`);
      }
    },
  );

  t.test(`halftone on ${group}: coloured dots keep the light of each channel`, async (t) => {
    for (const paper of ["#ffffff", "#000000"]) {
      const colour = plain(224, 224, pack(200, 120, 60));
      const out = await applied(
        halftone,
        { ...torus, colour },
        { mode: "colour", paper, dots: 16 },
      );
      [200, 120, 60].forEach((level, channel) => {
        const error = meanLight(out.colour, channel) - decodeChannel(level / 255);
        t.ok(Math.abs(error) < 0.006, `${paper}, ${level}: ${error}`);
      });
    }
  });
}

t.test("halftone: light ink on dark paper covers light areas", async (t) => {
  const { torus } = symmetricTile("p4", 96);
  const print = { ink: "#ffffff", paper: "#000000", contrast: 0 };
  const out = await applied(halftone, torus, print);
  const lightness = torus.colour.reduce((sum, packed) => sum + ((packed >> 8) & 255), 0);
  const mean = lightness / 255 / torus.colour.length;
  t.ok(Math.abs(meanLight(out.colour, 0) - mean) < 0.1);
  const negative = await applied(halftone, torus, {
    ...print,
    ink: "#000000",
    paper: "#ffffff",
  });
  t.ok(Math.abs(meanLight(out.colour, 0) - meanLight(negative.colour, 0)) < 0.02);
});

t.test("halftone: contrast takes dark thirds to full ink and light ones to paper", async (t) => {
  const side = 240;
  const { torus } = symmetricTile("p4", side);
  const thirds = Float32Array.from({ length: side * side }, (_, at) => {
    const level = [80, 128, 176][Math.floor((3 * (at % side)) / side)];
    return pack(level, level, level);
  });
  const print = { ink: "#000000", paper: "#ffffff", dots: 24, contrast: 1 };
  const { colour } = await applied(halftone, { ...torus, colour: thirds }, print);
  // Dots are ten pixels apart; those on the borders show two levels.
  const inkOf = (third: number) => {
    const inside = colour.filter((_, at) => Math.abs((at % side) - (third + 0.5) * 80) < 25);
    return 1 - meanLight(inside, 0);
  };
  t.ok(inkOf(0) > 0.999, `${inkOf(0)}`);
  t.ok(inkOf(1) > 0.3 && inkOf(1) < 0.7, `${inkOf(1)}`);
  t.ok(inkOf(2) < 0.001, `${inkOf(2)}`);
});

t.test("swirl: nothing changes outside the discs", async (t) => {
  const { torus } = symmetricTile("p4g", 120);
  const radius = 0.7;
  const { colour } = await applied(swirl, torus, { angle: 400, radius });
  const outside = torus.colour.filter((packed, at) => {
    const x = (at % 120) + 0.5;
    const y = Math.floor(at / 120) + 0.5;
    const inside = torus.discs.some((disc) => {
      const dx = Math.abs(x - disc.x);
      const dy = Math.abs(y - disc.y);
      const away = Math.hypot(Math.min(dx, 120 - dx), Math.min(dy, 120 - dy));
      return away <= disc.radius * radius;
    });
    if (!inside && packed !== colour[at]) t.fail(`pixel ${at}`);
    return !inside;
  });
  t.ok(outside.length > 4000 && outside.length < 12000);
});

t.test(
  "swirl: the middle turns by the angle, clockwise, and mirrored discs the other way",
  async (t) => {
    // Brightness rises to the right; after a quarter turn clockwise it rises downwards.
    const { torus } = symmetricTile("p1", 96);
    const colour = Float32Array.from({ length: 96 * 96 }, (_, at) => {
      const level = 2 * (at % 96) + 20;
      return pack(level, level, level);
    });
    for (const mirrored of [false, true]) {
      const discs = [{ x: 48, y: 48, radius: 40, mirrored }];
      const out = await applied(swirl, { ...torus, colour, discs }, { angle: 90 });
      const level = (x: number, y: number) => channels(out.colour[y * 96 + x])[0];
      const downwards = level(48, 51) - level(48, 44);
      t.ok(Math.abs(level(51, 48) - level(44, 48)) < 6);
      t.ok(mirrored ? downwards < -11 : downwards > 11, `${downwards}`);
    }
  },
);
