import t from "tap";
import type { KernelThis } from "../../../shaders/kernel.ts";
import { linearFromHex } from "../../../shaders/lib/colour.ts";
import {
  encodeChannel,
  lightOfByte,
  packLight,
  packRgb,
  unpackLight,
} from "../../../shaders/lib/pack.ts";
import { stages } from "../../../shaders/lib/stages.ts";
import { backends } from "../backends.ts";

/** IEC 61966-2-1. */
const decode = (value: number) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

const LIGHT = Float32Array.from({ length: 256 }, (_, value) => decode(value / 255));

t.test(
  "every sRGB value survives the way to linear light and back, on every backend",
  async (t) => {
    function packGrey(this: KernelThis, light: Float32Array): number {
      const grey = light[this.thread.x];
      return packRgb({ red: grey, green: grey, blue: grey });
    }
    const kernel = { run: packGrey, helpers: stages };
    const expected = Float32Array.from({ length: 256 }, (_, value) => value * 65793);
    const { reference, others } = await backends(t);
    for (const runner of [reference, ...others]) {
      t.strictSame(
        Float32Array.from(await runner.run(kernel, 256, [LIGHT])),
        expected,
        runner.backend,
      );
    }
  },
);

t.test("stays within a hundredth of a level of the sRGB curve", async (t) => {
  const errors = Array.from({ length: 5001 }, (_, step) => {
    const light = step / 5000;
    const exact = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.abs(encodeChannel(light) - 255 * exact);
  });
  t.ok(Math.max(...errors) < 0.015);
});

t.test("decodes every byte within a twentieth of a level, and survives the way back", async (t) => {
  for (let byte = 0; byte < 256; byte++) {
    const exact = decode(byte / 255);
    const slope = exact <= 0.0031308 ? 12.92 : (1.055 / 2.4) * exact ** (1 / 2.4 - 1);
    const off = 255 * slope * Math.abs(lightOfByte(byte) - exact);
    if (off > 0.05) t.fail(`${byte} is off by ${off}`);
  }
  function repack(this: KernelThis, packed: Float32Array): number {
    return packLight(unpackLight(packed[this.thread.x]));
  }
  const kernel = { run: repack, helpers: stages };
  const colours = Float32Array.from(
    { length: 256 },
    (_, v) => v * 65536 + (255 - v) * 256 + ((v * 7) % 256),
  );
  const { reference, others } = await backends(t);
  for (const runner of [reference, ...others]) {
    const repacked = Float32Array.from(await runner.run(kernel, 256, [colours]));
    t.strictSame(repacked, colours, runner.backend);
  }
});

t.test("light beyond the gamut is clipped", async (t) => {
  t.equal(packRgb({ red: 2, green: -1, blue: 0 }), 255 * 65536);
});

t.test("a colour in hex and its packed number are the same", async (t) => {
  for (const hex of ["#000000", "#ffffff", "#c8973f", "#0f3341"]) {
    const [red, green, blue] = linearFromHex(hex);
    t.equal(packRgb({ red, green, blue }), Number.parseInt(hex.slice(1), 16), hex);
  }
});
