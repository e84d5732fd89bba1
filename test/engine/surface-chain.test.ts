/** Chains of surface effects, with rows requested as a render does. */
import t from "tap";
import { effectSheet, surfaceStepsOf } from "../../engine/recipe/check.ts";
import { applySurfaceEffect, type RowSource } from "../../engine/render/surface-chain.ts";
import { prepareEffect } from "../../engine/render/surface-effect.ts";
import { request } from "../helpers/engine.ts";
import { inThread } from "../helpers/in-thread.ts";
import { hash } from "../helpers/pictures.ts";

const { context } = await inThread(t);

const USES = [
  { id: "misregistration", params: { shift: 1.7, turn: 0.8 } },
  { id: "emboss", params: { depth: 0.7 } },
  { id: "grain" },
  { id: "misregistration", params: { shift: 0.3 } },
];

/** The chain over noise of this size, and the rows that it requests. */
function chainOver(width: number, height: number, rows: number, hasAlpha: boolean) {
  const noise = Float32Array.from({ length: width * height }, (_, i) =>
    Math.floor(hash(i % width, Math.floor(i / width)) * 2 ** 24),
  );
  const alphas = noise.map((packed) => packed & 255);
  const asked: [first: number, count: number][] = [];
  const part = (values: Float32Array, first: number, count: number) =>
    values.subarray(first * width, (first + count) * width);
  const memory = { colour: new Float32Array(noise.length), alpha: new Float32Array(noise.length) };
  const below: RowSource = async (first, count) => {
    asked.push([first, count]);
    // As of a sheet: it is used again for the next rows.
    memory.colour.fill(-1).set(part(noise, first, count));
    memory.alpha.fill(-1).set(part(alphas, first, count));
    const [colour, alpha] = [memory.colour, memory.alpha].map((row) =>
      row.subarray(0, count * width),
    );
    return { colour, alpha: hasAlpha ? alpha : null };
  };
  const { design, render } = request({
    render: { mode: "surface", surface_width: 500, surface_height: 500, surface_effects: USES },
  });
  const size = { width, height };
  const finished = surfaceStepsOf(design, render)
    .map((chosen) => prepareEffect(chosen, effectSheet(size, 300)))
    .reduce<RowSource>(
      (rest, effect) => applySurfaceEffect(context, effect, size, rows, rest),
      below,
    );
  return { finished, asked, alphas };
}

t.test("bands of any height equal the whole bit for bit", async (t) => {
  for (const [width, height] of [
    [16, 200],
    [90, 40],
  ] as const) {
    for (const hasAlpha of [false, true]) {
      const { colour } = await chainOver(width, height, height, hasAlpha).finished(0, height);
      const whole = Float32Array.from(colour);
      for (const rows of [1, 13, 50]) {
        const { finished, alphas } = chainOver(width, height, rows, hasAlpha);
        for (let first = 0; first < height; first += rows) {
          const count = Math.min(rows, height - first);
          const { colour, alpha } = await finished(first, count);
          const [from, to] = [first * width, (first + count) * width];
          if (Buffer.compare(bytes(colour), bytes(whole.subarray(from, to))) !== 0) {
            t.fail(`${width} × ${height} in bands of ${rows}: row ${first}`);
          }
          t.strictSame(alpha, hasAlpha ? alphas.slice(from, to) : null);
        }
      }
    }
  }
});

t.test("a chain reads each row once, one band at a time", async (t) => {
  const rows = 16;
  const { finished, asked } = chainOver(24, 150, rows, false);
  for (let first = 0; first < 150; first += rows) {
    await finished(first, Math.min(rows, 150 - first));
  }
  const expected = Array.from({ length: 10 }, (_, k) => [rows * k, k === 9 ? 6 : rows]);
  t.strictSame(asked, expected);
});

const bytes = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  Buffer.from(buffer, byteOffset, byteLength);
