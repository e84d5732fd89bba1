import sharp from "sharp";
import t from "tap";
import { Compile } from "typebox/compile";
import { Certificate, type Claim } from "../../engine/certificate/certificate.ts";
import { certify } from "../../engine/certificate/certify.ts";
import type { ByteImage } from "../../engine/image/picture.ts";
import { check, draw, pixelAt } from "../certificate/draw.ts";
import { type RequestParts, request, swatchOf, testEngine } from "../helpers/engine.ts";
import { hash, photograph, pngOf } from "../helpers/pictures.ts";
import { some } from "../helpers/random-subset.ts";

const engine = await testEngine(t);
const render = async (parts: RequestParts) =>
  swatchOf(engine, { ...parts, render: { size: 192, ...parts.render } });
const schema = Compile(Certificate);
const nonFinite = (_: string, value: unknown) =>
  typeof value === "number" && !Number.isFinite(value) ? "not finite" : value;

t.test("the position of the origin has no effect", async (t) => {
  for (const group of some(["p2", "pgg", "p4g", "p31m"] as const, 2)) {
    const tile = await render({ group });
    const moved = draw(192, 192, (x, y) => pixelAt(tile, x + 61, y + 102));
    const { verdict, operations } = await check(moved, group, { cells: "rendered" });
    t.equal(verdict, "valid", group);
    for (const { exact, max_error, operation } of operations) {
      if (exact) t.equal(max_error, 0, `${group} ${operation} to the bit`);
    }
  }
});

t.test("certifies a 16-bit picture in 8 bits", async (t) => {
  const tile = pngOf(await render({ group: "p4" }));
  const deep = await sharp(tile).toColourspace("rgb16").png().toBuffer();
  const certificateOf = (bytes: Uint8Array) =>
    engine.certify({ kind: "picture", bytes, group: "p4" });
  t.same(await certificateOf(deep), await certificateOf(tile));
});

t.test("every operation on the pixel grid is exact", async (t) => {
  const { operations, summary } = await check(await render({ group: "p4g" }), "p4g");
  t.equal(operations.length, 7);
  for (const { exact, max_error, rms_error, local_error, relative_error } of operations) {
    t.ok(exact);
    t.same([max_error, rms_error, local_error, relative_error], [0, 0, 0, 0]);
  }
  t.equal(summary, "This is p4g, exactly: all 8 operations map every pixel onto an equal one.");
});

t.test("several cells are accepted in an upload and rejected in a rendered tile", async (t) => {
  const tile = await render({ group: "p4", render: { size: 96 } });
  const four = draw(192, 192, (x, y) => pixelAt(tile, x, y));
  const uploaded = await check(four, "p4");
  t.equal(uploaded.verdict, "valid");
  t.match(uploaded.lattice, { across: 2, down: 2, cells: 4 });
  const rendered = await check(four, "p4", { cells: "rendered" });
  t.equal(rendered.verdict, "more_symmetric");
  t.match(rendered.summary, /smaller cell/);
  const wide = await check(
    draw(288, 192, (x, y) => pixelAt(tile, x, y)),
    "p4",
  );
  t.equal(wide.verdict, "valid", "3 × 2 cells");
});

t.test("claims hold for cells of any ratio and for shifted rows", async (t) => {
  const cells = [
    ["pmg", { ratio: 2, repeat: "straight" }],
    ["cm", { ratio: 0.5, repeat: "straight" }],
    ["p2", { ratio: 1, repeat: "half_drop" }],
    ["p1", { ratio: 1, repeat: "brick" }],
  ] as const;
  for (const [group, lattice] of some(cells, 2)) {
    const tile = await render({ group, lattice });
    const { verdict, found, summary } = await check(tile, group, { lattice, cells: "rendered" });
    t.equal(verdict, "valid", summary);
    t.equal(found, group);
  }
});

t.test("finds and reports every strain of a hexagonal tile", async (t) => {
  const strains = [
    ["2x1", 0.155],
    ["5x3", 0.039],
    ["7x4", 0.0104],
    ["26x15", 0.0007],
  ] as const;
  for (const [hexCells, strain] of some(strains, 2)) {
    const tile = await render({ group: "p6", render: { size: 512, hex_cells: hexCells } });
    const { verdict, lattice, summary } = await check(tile, "p6", { hexCells, cells: "rendered" });
    t.equal(verdict, "valid", summary);
    t.equal(`${lattice?.across}x${lattice?.down}`, hexCells);
    t.ok(Math.abs((lattice?.strain ?? 1) - strain) < 0.001, `${hexCells}: ${lattice?.strain}`);
  }
});

t.test("a tile in its true shape is valid, as a design and as a picture", async (t) => {
  const cases = [
    ["p3", {}],
    ["p6m", {}],
    ["cmm", { ratio: 1.7 }],
    ["pgg", { ratio: 0.6 }],
    ["p2", { ratio: 0.8, repeat: "half_drop" }],
  ] as const;
  for (const [group, lattice] of some(cases, 3)) {
    const parts = { group, lattice, render: { size: 444, tile: "cell" } } as const;
    const { design, source, render: fields } = request(parts);
    const rendered = await engine.certify({ kind: "design", design, source, fields });
    t.equal(rendered.verdict, "valid", rendered.summary);
    t.ok((rendered.lattice?.strain ?? 1) < 0.004, `${group}: ${rendered.lattice?.strain}`);
    const uploaded = await check(await swatchOf(engine, parts), group, { lattice: design.lattice });
    t.equal(uploaded.verdict, "valid", uploaded.summary);
  }
});

t.test("a picture of one colour has every symmetry", async (t) => {
  for (const [width, height] of [
    [64, 64],
    [100, 70],
  ] as const) {
    const plain = draw(width, height, () => [90, 20, 30]);
    for (const group of ["p1", "p4", "p6m"] as const) {
      const { verdict, found, summary } = await check(plain, group);
      t.equal(verdict, "more_symmetric");
      t.equal(found, null);
      t.match(summary, /one colour/);
    }
  }
});

t.test("stripes have no wallpaper group, but claims about them may hold", async (t) => {
  const even = draw(64, 64, (x) => (x % 16 < 8 ? [200, 10, 0] : [30, 30, 90]));
  const sloped = draw(64, 64, (x) => [(x % 16) * 15, x % 16 < 5 ? 10 : 90, 0]);
  t.match(await check(even, "pmm"), { verdict: "more_symmetric", found: null, lattice: null });
  t.match(await check(even, "p4"), { verdict: "broken", failing: "-y,x" });
  t.match(await check(sloped, "pm"), { verdict: "broken", failing: "-x,y" });
  t.match(await check(sloped, "p1"), { verdict: "more_symmetric" });
});

t.test("lossy compression, enlargement and low contrast do not change the verdict", async (t) => {
  for (const group of some(["p4", "pgg", "cm", "p3m1"] as const, 2)) {
    const tile = await render({ group, render: { size: 512, hex_cells: "2x1" } });
    const raw = { raw: { width: 512, height: 512, channels: 3 as const } };
    const jpeg = await sharp(tile.pixels, raw).jpeg({ quality: 50 }).toBuffer();
    const lossy = Uint8Array.from(await sharp(jpeg).raw().toBuffer());
    const large = Uint8Array.from(await sharp(tile.pixels, raw).resize(666, 666).raw().toBuffer());
    const pale = tile.pixels.map((value) => 120 + Math.round((value - 128) / 40));
    for (const image of [
      { ...tile, pixels: lossy },
      { ...tile, width: 666, height: 666, pixels: large },
      { ...tile, pixels: pale },
    ]) {
      const { verdict, summary } = await check(image, group, { hexCells: "2x1" });
      t.equal(verdict, "valid", summary);
    }
  }
});

t.test("detects a local flaw that breaks a symmetry", async (t) => {
  const tile = await render({ group: "p4", render: { size: 256 } });
  const flawed = draw(256, 256, (x, y) => {
    const [red, green, blue] = pixelAt(tile, x, y);
    const inside = x >= 40 && x < 56 && y >= 72 && y < 88;
    return [inside ? red ^ 0x80 : red, green, blue];
  });
  const { verdict, operations, summary, tolerance } = await check(flawed, "p4");
  t.equal(verdict, "broken", summary);
  for (const { relative_error } of operations) {
    t.ok(relative_error < tolerance.relative_error, "lost in the mean");
  }
  t.match(summary, /fails in one place/);
  // The flaw itself, or the place that a rotation maps it to.
  const half = operations.find(({ operation }) => operation === "-x,-y");
  t.notOk(half?.holds);
  const { x, y } = half?.worst_at ?? { x: 0, y: 0 };
  const near = (px: number, py: number) => Math.hypot(x - px, y - py) < 16;
  t.ok(near(48, 80) || near(208, 176), `${x}, ${y}`);
});

t.test("a picture whose lightness alone is symmetric is not symmetric", async (t) => {
  const tile = await render({ group: "p4m" });
  const tinted = draw(192, 192, (x, y) => {
    const [red, green, blue] = pixelAt(tile, x, y);
    const wave = 25 * Math.sin((2 * Math.PI * (x + 2 * y)) / 192);
    // Red and green in the ratio of their shares of luminance.
    const clamp = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
    return [clamp(red + wave), clamp(green - wave * 0.297), blue];
  });
  t.equal((await check(tile, "p4m")).verdict, "valid");
  t.equal((await check(tinted, "p4m")).verdict, "broken");
});

t.test("ignores colours under transparency, but not the alpha", async (t) => {
  const shape = draw(120, 100, (x, y) => {
    const inside = Math.hypot(x - 40, y - 35) < 25 || (x > 70 && y > 40);
    return [hash(x, y) * 255, x * 2, y * 2, inside ? 255 : 0];
  });
  const source = pngOf({ ...shape, channels: 4 });
  const tile = await render({ group: "p4", source });
  t.equal(tile.channels, 4);
  const noisy = draw(192, 192, (x, y) => {
    const pixel = pixelAt(tile, x, y);
    return pixel[3] === 0 ? [hash(x, y) * 255, 0, 0, 0] : pixel;
  });
  t.match(await check(noisy, "p4"), { verdict: "valid", found: "p4" });
  t.match(await check(noisy, "p4m"), { verdict: "broken" });
});

t.test("the smallest tiles keep operations on their pixel grid", async (t) => {
  for (const group of ["p2", "pgg", "p4", "p4m"] as const) {
    const { verdict, summary } = await check(await render({ group, render: { size: 16 } }), group);
    t.equal(verdict, "valid", summary);
  }
  const hexagonal = await check(await render({ group: "p6", render: { size: 16 } }), "p6");
  t.equal(hexagonal.verdict, "undecided", hexagonal.summary);
});

t.test("grain and unaligned JPEG blocks do not change the verdict", async (t) => {
  for (const group of ["p4m", "pgg"] as const) {
    const tile = await render({ group, render: { size: 256 } });
    const moved = draw(256, 256, (x, y) => pixelAt(tile, x + 3, y + 5));
    const raw = { raw: { width: 256, height: 256, channels: 3 as const } };
    const jpeg = await sharp(moved.pixels, raw).jpeg({ quality: 50 }).toBuffer();
    const lossy = Uint8Array.from(await sharp(jpeg).raw().toBuffer());
    const grain = tile.pixels.map((value, at) =>
      Math.max(0, Math.min(255, Math.round(value + 20 * (hash(at, 1) - 0.5)))),
    );
    for (const pixels of [lossy, grain]) {
      const { verdict, summary } = await check({ ...tile, pixels }, group);
      t.equal(verdict, "valid", summary);
      t.match(summary, /A flaw much smaller than 12 × 12 pixels counts as none/);
    }
  }
});

t.test("a single row or column of pixels has no seam to score along it", async (t) => {
  const column = await check(
    draw(1, 60, (_, y) => [4 * y, 90, 255 - 4 * y]),
    "p1",
  );
  t.equal(column.seam.left_right, null);
  t.type(column.seam.top_bottom, "number");
  const row = await check(
    draw(60, 1, (x) => [4 * x, 90, 255 - 4 * x]),
    "p1",
  );
  t.type(row.seam.left_right, "number");
  t.equal(row.seam.top_bottom, null);
  for (const certificate of [
    column,
    row,
    await check(
      draw(1, 1, () => [1, 2, 3]),
      "p6m",
    ),
  ]) {
    t.same(schema.Errors(certificate), []);
    t.notMatch(JSON.stringify(certificate, nonFinite), "not finite");
  }
});

t.test("recognises fine patterns by high frequencies", async (t) => {
  const checks = draw(64, 64, (x, y) => (((x >> 1) + (y >> 1)) % 2 ? [255, 255, 255] : [0, 0, 0]));
  t.match(await check(checks, "p4m"), { verdict: "valid", found: "p4m" });
});

t.test("a photograph has no period; reports a cell of the wrong shape", async (t) => {
  const { width, height, pixels } = photograph(250, 175);
  const photo: ByteImage = { width, height, channels: 3, pixels: Uint8Array.from(pixels) };
  const p1 = await check(photo, "p1", { sourceDeviation: 20 });
  t.match(p1, { verdict: "undecided", reason: "edges_do_not_meet", seam: { seamless: false } });
  t.equal(p1.contrast_kept, p1.deviation / 20);
  const { verdict, summary } = await check(photo, "p4");
  t.equal(verdict, "broken");
  t.match(summary, /p4 needs a square lattice.* 175.0 and 250.0 pixels at 90.0°/);
  const noise = draw(96, 96, (x, y) => [0, 1, 2].map((c) => 255 * hash(x + 200 * c, y)));
  t.match(await check(noise, "p1"), { verdict: "valid", found: "p1", seam: { seamless: true } });
});

t.test("a rejecting checkpoint ends the certificate", async (t) => {
  const tile = await render({ group: "p2" });
  const claim: Claim = {
    group: "p2",
    lattice: { ratio: 1, repeat: "straight" },
    hexCells: "7x4",
  };
  await t.rejects(
    certify(tile, claim, () => Promise.reject(new Error("stopped"))),
    /stopped/,
  );
});
