import sharp from "sharp";
import t from "tap";
import { faded, photograph, pngOf } from "../helpers/pictures.ts";
import { type TestServer, testServer } from "../helpers/server.ts";

interface Ink {
  readonly name: string;
  readonly colour: string;
  readonly lab: { readonly l: number; readonly a: number; readonly b: number };
  readonly share: number;
}

const INKS = 5;

async function flatPattern(server: TestServer, fields: object = {}): Promise<number> {
  const json = { data: Buffer.from(pngOf(photograph(240, 180))).toString("base64") };
  const source = (await server.request("POST", "/sources/upload", { json })).json.id;
  const effects = [{ id: "flat_inks", params: { count: INKS } }];
  const pattern = { source_id: source, group: "p4g", effects, ...fields };
  return (await server.request("POST", "/patterns", { json: pattern })).json.id;
}

/** The colours of a picture as `#rrggbb`, pixel by pixel. */
async function coloursOf(png: Uint8Array): Promise<string[]> {
  const pixels = await sharp(png).removeAlpha().toColourspace("srgb").raw().toBuffer();
  return Array.from({ length: pixels.length / 3 }, (_, at) => {
    const [red, green, blue] = pixels.subarray(3 * at);
    return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, "0")}`;
  });
}

t.test("lists the colours of the tile, and how much each covers", async (t) => {
  const server = await testServer(t);
  const id = await flatPattern(server);
  const { status, json } = await server.request("GET", `/patterns/${id}/inks`);
  t.equal(status, 200);
  const inks: readonly Ink[] = json.data;
  const tile = await server.request("GET", `/patterns/${id}/render?size=512&tile=cell`);
  const colours = await coloursOf(tile.bytes);
  t.same(new Set(inks.map(({ colour }) => colour)), new Set(colours));
  t.equal(inks.length, INKS);
  for (const { colour, share } of inks) {
    const count = colours.filter((other) => other === colour).length;
    t.ok(Math.abs(share - count / colours.length) < 0.0001, `${colour}: ${share}`);
  }
  const shares = inks.map(({ share }) => share);
  t.same(
    shares,
    shares.toSorted((one, other) => other - one),
  );
  t.same(inks[0].name, "Ink 1");
});

t.test("separations cover every pixel once, each where its colour is", async (t) => {
  const server = await testServer(t);
  const id = await flatPattern(server);
  const inks: readonly Ink[] = (await server.request("GET", `/patterns/${id}/inks`)).json.data;
  const fields = "size=192&tile=square&dpi=150";
  const tile = await server.request("GET", `/patterns/${id}/render?${fields}`);
  const colours = await coloursOf(tile.bytes);
  const covered = colours.map(() => 0);
  for (const { colour } of inks) {
    const path = `/patterns/${id}/separations/${colour.slice(1)}?${fields}`;
    const { status, bytes, headers } = await server.request("GET", path);
    t.equal(status, 200);
    t.match(headers.get("Content-Disposition"), `pattern-${id}-${colour.slice(1)}.png`);
    const { width, height, channels, density } = await sharp(bytes).metadata();
    t.same(
      { width, height, channels, density },
      { width: 192, height: 192, channels: 1, density: 150 },
    );
    const grey = await sharp(bytes).toColourspace("b-w").raw().toBuffer();
    const isRight = grey.every((value, at) => value === (colours[at] === colour ? 0 : 255));
    t.ok(isRight, colour);
    grey.forEach((value, at) => {
      covered[at] += 1 - value / 255;
    });
  }
  t.ok(covered.every((times) => times === 1));
});

t.test("a swatch file has the inks as spot colours", async (t) => {
  const server = await testServer(t);
  const id = await flatPattern(server);
  const inks: readonly Ink[] = (await server.request("GET", `/patterns/${id}/inks`)).json.data;
  const { status, bytes, headers } = await server.request("GET", `/patterns/${id}/swatches`);
  t.equal(status, 200);
  t.match(headers.get("Content-Disposition"), `pattern-${id}.ase`);
  const file = Buffer.from(bytes);
  t.equal(file.toString("latin1", 0, 4), "ASEF");
  t.same([file.readUInt16BE(4), file.readUInt16BE(6), file.readUInt32BE(8)], [1, 0, inks.length]);
  let at = 12;
  for (const { name, lab } of inks) {
    t.equal(file.readUInt16BE(at), 1, "a colour");
    const end = at + 6 + file.readUInt32BE(at + 2);
    const letters = file.readUInt16BE(at + 6);
    const text = Buffer.from(file.subarray(at + 8, at + 8 + 2 * letters)).swap16();
    t.equal(text.toString("utf16le"), `${name}\0`);
    at += 8 + 2 * letters;
    t.equal(file.toString("latin1", at, at + 4), "LAB ");
    const [l, a, b] = [4, 8, 12].map((offset) => file.readFloatBE(at + offset));
    for (const [one, other] of [
      [100 * l, lab.l],
      [a, lab.a],
      [b, lab.b],
    ]) {
      t.ok(Math.abs(one - other) < 0.001, name);
    }
    t.equal(file.readUInt16BE(at + 16), 1, "a spot colour");
    at += 18;
    t.equal(at, end);
  }
  t.equal(at, file.length);
});

t.test("transparent places have no ink", async (t) => {
  const server = await testServer(t);
  const json = { data: Buffer.from(pngOf(faded(photograph(200, 200)))).toString("base64") };
  const source_id = (await server.request("POST", "/sources/upload", { json })).json.id;
  const id = await flatPattern(server, { source_id });
  const { json: found } = await server.request("GET", `/patterns/${id}/inks`);
  const sum = found.data.reduce((total: number, { share }: Ink) => total + share, 0);
  t.ok(Math.abs(sum - 1) < 0.001, "shares are of what is visible");
});

t.test("says why a pattern has no inks", async (t) => {
  const server = await testServer(t);
  const id = await flatPattern(server, { effects: [] });
  for (const what of ["inks", "swatches"]) {
    const many = await server.request("GET", `/patterns/${id}/${what}`);
    t.match(many.json, { status: 409, code: "conflict", detail: /flat_inks/ });
  }
  const nowhere = await server.request("GET", `/patterns/${id}/separations/00ff00?size=64`);
  t.match(nowhere.json, { status: 404, code: "not_found", detail: /#00ff00/ });
  const wrong = await server.request("GET", `/patterns/${id}/separations/green`);
  t.match(wrong.json, { status: 404 });
  const size = await server.request(
    "GET",
    `/patterns/${id}/separations/00ff00?size=1&mode=surface`,
  );
  t.match(size.json, { status: 422, code: "validation_failed" });
  const other = await server.makeCaller({});
  for (const what of ["inks", "swatches", "separations/00ff00"]) {
    const foreign = await server.request("GET", `/patterns/${id}/${what}`, { as: other });
    t.match(foreign.json, { status: 404, code: "not_found" }, what);
  }
});
