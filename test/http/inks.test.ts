import sharp from "sharp";
import t from "tap";
import { photograph, pngOf } from "../helpers/pictures.ts";
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
  const tile = await server.request("GET", `/patterns/${id}/render?size=1024&tile=cell`);
  const colours = await coloursOf(tile.bytes);
  t.same(new Set(inks.map(({ colour }) => colour)), new Set(colours));
  t.equal(inks.length, INKS);
  for (const { colour, share } of inks) {
    const count = colours.filter((other) => other === colour).length;
    t.ok(Math.abs(share - count / colours.length) < 0.000001, `${colour}: ${share}`);
  }
  const shares = inks.map(({ share }) => share);
  t.same(
    shares,
    shares.toSorted((one, other) => other - one),
  );
  t.equal(inks[0].name, `Ink 1 ${inks[0].colour}`);
});

t.test("separations cover every pixel once, each where its colour is", async (t) => {
  const server = await testServer(t);
  const id = await flatPattern(server);
  const inks: readonly Ink[] = (
    await server.request("GET", `/patterns/${id}/inks?size=192&tile=square`)
  ).json.data;
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

t.test("a vector file has the inks as layers or spot colours, in the right size", async (t) => {
  const server = await testServer(t);
  const id = await flatPattern(server);
  const inks: readonly Ink[] = (await server.request("GET", `/patterns/${id}/inks?size=200`)).json
    .data;
  const svg = await server.request("GET", `/patterns/${id}/vector?size=200&cell_mm=64`);
  t.equal(svg.status, 200);
  t.equal(svg.headers.get("Content-Type"), "image/svg+xml");
  t.match(svg.headers.get("Content-Disposition"), `pattern-${id}.svg`);
  const text = svg.bytes.toString();
  t.match(text, 'width="64mm" height="64mm"');
  for (const { name, colour } of inks) {
    t.match(text, `inkscape:label="${name}" fill="${colour}"`);
  }
  const { width, height } = await sharp(svg.bytes).metadata();
  t.same([width, height], [181, 181], "64 mm at 72 pixels an inch");
  const pdf = await server.request("GET", `/patterns/${id}/vector?size=200&format=pdf`);
  t.equal(pdf.headers.get("Content-Type"), "application/pdf");
  t.match(pdf.headers.get("Content-Disposition"), `pattern-${id}.pdf`);
  t.match(
    pdf.bytes.toString("latin1"),
    /^%PDF-1\.7[\s\S]*\/MediaBox \[0 0 283\.464567 283\.464567\]/,
  );
  t.same(
    svg.bytes,
    (await server.request("GET", `/patterns/${id}/vector?size=200&cell_mm=64`)).bytes,
  );
});

t.test("soft edges of a cut-out have no inks of their own", async (t) => {
  const server = await testServer(t);
  const [red, green] = [0xb03a2e, 0x1f7a8c];
  const pixels = new Uint8Array(120 * 120 * 4);
  for (let at = 0; at < 120 * 120; at++) {
    const [x, y] = [(at % 120) - 60, Math.floor(at / 120) - 60];
    const colour = x < 0 ? red : green;
    const alpha = Math.max(0, Math.min(255, 12 * (50 - Math.hypot(x, y))));
    pixels.set([colour >> 16, (colour >> 8) & 255, colour & 255, alpha], 4 * at);
  }
  const png = Buffer.from(pngOf({ width: 120, height: 120, channels: 4, pixels }));
  const json = { data: png.toString("base64") };
  const source_id = (await server.request("POST", "/sources/upload", { json })).json.id;
  const effects = [{ id: "flat_inks", params: { count: 2 } }];
  const inksOn = async (background: string | null) => {
    const id = await flatPattern(server, { source_id, group: "p1", effects, background });
    const { json } = await server.request("GET", `/patterns/${id}/inks?size=256`);
    return json.data as readonly Ink[];
  };
  const cutOut = await inksOn(null);
  t.equal(cutOut.length, 2);
  const onPaper = await inksOn("#fafafa");
  t.equal(onPaper.length, 3);
  const paper = onPaper.find(({ colour }) => colour === "#fafafa");
  const expected = 1 - (Math.PI * 40 ** 2) / 120 ** 2;
  t.ok(Math.abs((paper?.share ?? 0) - expected) < 0.1, `${paper?.share} is about ${expected}`);
  const [first] = cutOut;
  const inPaper = onPaper.find(({ colour }) => colour === first.colour);
  const share = (inPaper?.share ?? 0) / (1 - (paper?.share ?? 0));
  t.ok(Math.abs(share - first.share) < 0.001, "shares of a cut-out are of what is printed");
});

t.test("a vector file has a page that PDF allows", async (t) => {
  const server = await testServer(t);
  const id = await flatPattern(server, { group: "p6" });
  const of = async (fields: string) =>
    (await server.request("GET", `/patterns/${id}/vector?size=64&${fields}`)).status;
  t.same([await of("cell_mm=2900"), await of("cell_mm=1.1&format=pdf")], [200, 200]);
  const large = await server.request("GET", `/patterns/${id}/vector?cell_mm=3000`);
  t.match(large.json, {
    status: 422,
    code: "validation_failed",
    errors: [{ path: "/cell_mm", expected: "1.06 to 2932.93", received: "3000" }],
  });
});

t.test("says why a pattern has no inks", async (t) => {
  const server = await testServer(t);
  const id = await flatPattern(server, { effects: [] });
  for (const what of ["inks", "swatches", "vector"]) {
    const many = await server.request("GET", `/patterns/${id}/${what}`);
    t.match(many.json, {
      status: 409,
      code: "conflict",
      detail: /end its effects with flat_inks at strength 1/,
    });
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
  for (const fields of ["size=4096", "cell_mm=0", "format=eps"]) {
    const unusable = await server.request("GET", `/patterns/${id}/vector?${fields}`);
    t.match(unusable.json, { status: 422, code: "validation_failed" }, fields);
  }
  const other = await server.makeCaller({});
  for (const what of ["inks", "swatches", "separations/00ff00", "vector"]) {
    const foreign = await server.request("GET", `/patterns/${id}/${what}`, { as: other });
    t.match(foreign.json, { status: 404, code: "not_found" }, what);
  }
});
