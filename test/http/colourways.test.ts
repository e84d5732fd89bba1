import t from "tap";
import { pngOf } from "../helpers/pictures.ts";
import { type Caller, type TestServer, testServer } from "../helpers/server.ts";

/** Stripes of these colours, small enough not to be reduced. */
function stripes(colours: readonly number[]): Uint8Array {
  const pixels = new Uint8Array(48 * 48 * 3);
  for (let n = 0; n < 48 * 48; n++) {
    const packed = colours[Math.floor(((n % 48) * colours.length) / 48)];
    pixels.set([packed >> 16, (packed >> 8) & 255, packed & 255], 3 * n);
  }
  return pngOf({ width: 48, height: 48, channels: 3, pixels });
}

async function uploadAs(as: Caller, server: TestServer, png: Uint8Array): Promise<number> {
  const body = new FormData();
  body.set("file", new Blob([Uint8Array.from(png)], { type: "image/png" }), "stripes.png");
  return (await server.request("POST", "/sources/upload", { body, as })).json.id;
}

const creditsOf = async (server: TestServer) =>
  (await server.request("GET", "/account")).json.credits;

t.test("creates a copy in each palette, named after it, for a credit each", async (t) => {
  const server = await testServer(t);
  const effects = [{ id: "contrast", params: { amount: 0.3 } }];
  const id = await server.makePattern({ name: "Summer", motif: { rotation: 30 }, effects });
  const before = await creditsOf(server);
  const json = { palettes: ["delft", ["#102030", "#ffeecc"], null] };
  const made = await server.request("POST", `/patterns/${id}/colourways`, { json });
  t.equal(made.status, 201);
  const pattern = (await server.request("GET", `/patterns/${id}`)).json;
  const own = { id: Number, palette: undefined, created_at: String, updated_at: String };
  const { palette: _, ...shared } = { ...pattern, ...own };
  t.match(made.json.data, [
    { ...shared, name: "Summer, Delft", palette: "delft" },
    { ...shared, name: "Summer", palette: ["#102030", "#ffeecc"] },
    { ...shared, name: "Summer", palette: null },
  ]);
  t.equal(made.json.data.length, 3);
  t.equal(made.headers.get("Location"), `${server.url}/api/v1/patterns/${made.json.data[0].id}`);
  t.equal(await creditsOf(server), before - 3);
  const tiles = await Promise.all(
    made.json.data.map(async ({ id }: { id: number }) => {
      const tile = await server.request("POST", `/patterns/${id}/render`, { json: { size: 64 } });
      return tile.bytes.toString("base64");
    }),
  );
  t.equal(new Set(tiles).size, 3, "each looks different");
});

t.test("creates all or none", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const poor = await server.makeCaller({ credits: 3 });
  const json = { source_id: await uploadAs(poor, server, stripes([0, 0xffffff])), group: "p4" };
  const own = await server.request("POST", "/patterns", { json, as: poor });
  const path = `/patterns/${own.json.id}/colourways`;
  const left = (await server.request("GET", "/account", { as: poor })).json.credits;
  const palettes = Array.from({ length: left + 1 }, () => "delft");
  const refused = await server.request("POST", path, { json: { palettes }, as: poor });
  t.equal(refused.status, 402);
  t.equal((await server.request("GET", "/account", { as: poor })).json.credits, left);
  const listed = await server.request("GET", "/patterns", { as: poor });
  t.equal(listed.json.data.length, 1);
  const foreign = { json: { palettes: ["delft"] }, as: poor };
  t.equal((await server.request("POST", `/patterns/${id}/colourways`, foreign)).status, 404);
});

t.test("a repeated request with its key creates nothing more", async (t) => {
  const server = await testServer(t);
  const path = `/patterns/${await server.makePattern()}/colourways`;
  const options = {
    json: { palettes: ["delft", "blush"] },
    headers: { "Idempotency-Key": "colourways-1" },
  };
  const first = await server.request("POST", path, options);
  const second = await server.request("POST", path, options);
  t.same(second.json, first.json);
  t.equal((await server.request("GET", "/patterns")).json.data.length, 3);
});

t.test("a palette can be taken from a picture", async (t) => {
  const server = await testServer(t);
  const from = await uploadAs(server, server, stripes([0x204060, 0xffcc00, 0xf0f0f0]));
  const source_id = await server.makeSource();
  const json = { source_id, group: "p4", palette: { from } };
  const made = await server.request("POST", "/patterns", { json });
  t.equal(made.status, 201);
  t.equal(made.json.palette[0], "#204060", "the darkest first");
  t.ok(["#ffcc00", "#f0f0f0"].every((colour) => made.json.palette.includes(colour)));
  const path = `/patterns/${made.json.id}`;
  const changed = await server.request("PATCH", path, { json: { palette: { from, count: 2 } } });
  t.equal(changed.json.palette.length, 2);
  const usual = await server.request("PATCH", path, { json: { palette: { from } } });
  t.equal(usual.json.palette.length, 3, "as many as there are, up to eight");
  const body = { palettes: [{ from, count: 3 }] };
  const copies = await server.request("POST", `${path}/colourways`, { json: body });
  t.equal(copies.json.data[0].palette.length, 3);
});

t.test("says which palette is wrong", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const plain = await uploadAs(server, server, stripes([0x808080]));
  const stranger = await server.makeCaller({});
  const theirs = await uploadAs(stranger, server, stripes([0, 0xffffff]));
  const path = `/patterns/${id}/colourways`;
  for (const [palettes, status, says] of [
    [[], 422, /palettes/],
    [Array.from({ length: 30 }, () => "delft"), 422, /at most 24 items, got an array of 30/],
    [["delft", "paisley"], 422, /palettes\/1/],
    [["delft", { from: plain }], 422, /\/palettes\/1\/from.*two colours/],
    [[{ from: theirs }], 404, /source/],
    [[{ from: 1, count: 1 }], 422, /count|palettes\/0/],
  ] as const) {
    const refused = await server.request("POST", path, { json: { palettes } });
    t.equal(refused.status, status, JSON.stringify(palettes));
    t.match(refused.bytes.toString(), says);
  }
});
