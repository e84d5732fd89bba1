/** Pictures that nearly have the claimed symmetry, and honest ones that look as bad. */
import sharp from "sharp";
import t from "tap";
import { photoLike } from "../../bench/pictures/photo-like.ts";
import { evaluateClaim, examine } from "../../engine/certificate/certify.ts";
import type { ByteImage } from "../../engine/image/picture.ts";
import type { GroupName } from "../../engine/index.ts";
import { check, draw, pixelAt } from "../certificate/draw.ts";
import { type RequestParts, swatchOf, testEngine } from "../helpers/engine.ts";
import { hash, photograph, pngOf } from "../helpers/pictures.ts";
import { some } from "../helpers/random-subset.ts";

const engine = await testEngine(t);
const SIZE = 384;
const render = async (group: GroupName, parts: RequestParts = {}) =>
  swatchOf(engine, { group, ...parts, render: { size: SIZE, ...parts.render } });

const encoder = ({ width, height, channels, pixels }: ByteImage) =>
  sharp(pixels, { raw: { width, height, channels } });

async function decoded(bytes: Uint8Array): Promise<ByteImage> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { width, height, channels: 3, pixels: Uint8Array.from(data) };
}

const resized = async (image: ByteImage, width: number, height: number) =>
  decoded(await encoder(image).resize(width, height, { fit: "fill" }).png().toBuffer());

/** Fur, grass and the like: strokes of every brightness, a pixel wide. */
const fine = draw(300, 300, (x, y) =>
  Array(3).fill(60 + 170 * hash(Math.floor(x + 0.4 * y), Math.floor(y / 9))),
);

/** Modifications of an honest tile. */
const forgeries: Record<string, (tile: ByteImage) => ByteImage | Promise<ByteImage>> = {
  "its lower half moved by 2 pixels": (tile) =>
    draw(SIZE, SIZE, (x, y) => pixelAt(tile, y < SIZE / 2 ? x : x + 2, y)),
  "30 columns cut off": (tile) => draw(SIZE - 30, SIZE, (x, y) => pixelAt(tile, x, y)),
  "30 rows cut off": (tile) => draw(SIZE, SIZE - 30, (x, y) => pixelAt(tile, x, y)),
  "turned by 1° on black": async (tile) => {
    const turned = await decoded(
      await encoder(tile).rotate(1, { background: "#000" }).png().toBuffer(),
    );
    const left = (turned.width - SIZE) >> 1;
    return draw(SIZE, SIZE, (x, y) => pixelAt(turned, x + left, y + left));
  },
};

/** A square of 24 pixels, covered by another one of the same tile. */
function patched(tile: ByteImage): ByteImage {
  const [x0, y0] = [230, 115];
  const brightness = (x: number, y: number) => {
    let sum = 0;
    for (let j = 0; j < 24; j++) {
      for (let i = 0; i < 24; i++) sum += pixelAt(tile, x + i, y + j)[1];
    }
    return sum / 24 ** 2;
  };
  const here = brightness(x0, y0);
  const from = Array.from({ length: 64 }, (_, n) => ({ x: 48 * (n % 8), y: 48 * (n >> 3) }))
    .map((place) => ({ ...place, unlike: Math.abs(brightness(place.x, place.y) - here) }))
    .reduce((most, place) => (place.unlike > most.unlike ? place : most));
  return draw(SIZE, SIZE, (x, y) => {
    const inside = x >= x0 && x < x0 + 24 && y >= y0 && y < y0 + 24;
    return inside ? pixelAt(tile, from.x + x - x0, from.y + y - y0) : pixelAt(tile, x, y);
  });
}

t.test("a picture without repetition is not valid", async (t) => {
  for (const picture of [photograph(451, 300), photograph(300, 301), photoLike(320)]) {
    const certificate = await check({ channels: 3, ...picture }, "p1");
    t.match(certificate, { verdict: "undecided", reason: "edges_do_not_meet" });
    t.match(certificate.summary, /opposite edges do not meet/);
  }
});

for (const [n, [name, forge]] of Object.entries(forgeries).entries()) {
  t.test(`a tile with ${name} is not valid`, async (t) => {
    for (const group of some(["p1", "p2", "p4", "p31m", "p6m"] as const, 1, n)) {
      const { verdict, reason, summary } = await check(await forge(await render(group)), group);
      t.ok(["broken", "undecided"].includes(verdict), `${group}: ${summary}`);
      if (group === "p1") t.equal(reason, "edges_do_not_meet");
    }
  });
}

t.test("a small copied square breaks exactly the expected symmetries", async (t) => {
  for (const group of some(["p2", "pmm", "p4", "p4m", "p3", "p6m"] as const, 1)) {
    const tile = await render(group);
    const { verdict, summary, patch } = await check(patched(tile), group);
    t.equal(verdict, "broken", `${group}: ${summary}`);
    t.ok(patch.width >= 12 && patch.width < 13, `patches of ${patch.width} pixels`);
  }
});

t.test("a hexagonal tile that is squashed has lost its rotations", async (t) => {
  for (const group of some(["p3", "p31m", "p6m"] as const, 1)) {
    const squashed = await resized(await render(group), SIZE, Math.round(0.85 * SIZE));
    const { verdict, found, summary, tolerance } = await check(squashed, group);
    t.equal(verdict, "broken", summary);
    t.not(found, group);
    t.ok(tolerance.strain < 0.02);
  }
  // One upright cell alone.
  const tile = await render("p6m", { render: { size: 400, hex_cells: "2x1" } });
  const cell = await resized(
    draw(200, 400, (x, y) => pixelAt(tile, x, y)),
    200,
    346,
  );
  t.match(await check(cell, "p6m"), { verdict: "valid" });
  const squashed = await check(await resized(cell, 200, 294), "p6m");
  t.match(squashed, { verdict: "broken", reason: "strained" }, squashed.summary);
});

t.test("subgroups of a valid group are valid, however fine the picture is", async (t) => {
  const tile = await render("p31m", { source: pngOf(fine as never), render: { size: 700 } });
  const examined = await examine(tile);
  for (const group of some(["pg", "pm", "cm", "p3"] as const, 2)) {
    const lattice = { ratio: 1, repeat: "straight" } as const;
    const { verdict, reason, summary } = await evaluateClaim(examined, {
      group,
      lattice,
      hexCells: "7x4",
    });
    t.same([verdict, reason], ["more_symmetric", "larger_group"], `${group}: ${summary}`);
  }
});

t.test("strong compression and resizing leave genuine pictures valid", async (t) => {
  for (const group of some(["p1", "p4", "p6"] as const, 1)) {
    const tile = await render(group, { render: { hex_cells: "2x1" } });
    const lossy = await decoded(await encoder(tile).jpeg({ quality: 30 }).toBuffer());
    for (const picture of [lossy, await resized(tile, 269, 269)]) {
      const { verdict, reason, summary } = await check(picture, group);
      t.same([verdict, reason], ["valid", "holds"], `${group}: ${summary}`);
    }
  }
});

t.test("a tile of this service may have hard edges", async (t) => {
  for (const group of some(["p1", "p2", "p4"] as const, 1)) {
    for (const parts of [
      { seam: { method: "fold" } },
      { effects: [{ id: "pixelate" }] },
    ] as const) {
      const tile = await render(group, parts);
      const { verdict, summary } = await check(tile, group, { cells: "rendered" });
      t.equal(verdict, "valid", `${group}: ${summary}`);
    }
  }
});
