/** Inks with names of one's own, from the request to the files that name them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import t from "tap";
import { endedBatch, manifestOf } from "../helpers/batches.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { finishedExport } from "../helpers/exports.ts";
import { runValidator, skipWithout } from "../helpers/external-validators.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { type TestServer, testServer } from "../helpers/server.ts";

interface Ink {
  readonly name: string;
  readonly colour: string;
}

const INKS = [
  { name: "Pantone 186 C", colour: "#C8102E" },
  { name: "Indigo 30", colour: "#1d2a5d" },
  { name: 'Größe <5 & "/ 染料😀', colour: "#f4eddd" },
];

const flatInks = (inks: readonly Ink[] | undefined, fields: object = {}) => [
  { id: "flat_inks", params: { ...fields, ...(inks && { inks }) } },
];

async function makeSource(server: TestServer): Promise<number> {
  const json = { data: Buffer.from(pngOf(photograph(240, 180))).toString("base64") };
  return (await server.request("POST", "/sources/upload", { json })).json.id;
}

async function makePattern(server: TestServer, effects: unknown): Promise<number> {
  const json = { source_id: await makeSource(server), group: "p4g", effects };
  const reply = await server.request("POST", "/patterns", { json });
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.json));
  return reply.json.id;
}

const inksOf = async (server: TestServer, id: number, fields = ""): Promise<readonly Ink[]> =>
  (await server.request("GET", `/patterns/${id}/inks?${fields}`)).json.data;

/** The colours of a picture as `#rrggbb`. */
async function coloursOf(file: Uint8Array): Promise<Set<string>> {
  const pixels = await sharp(file).removeAlpha().toColourspace("srgb").raw().toBuffer();
  const colours = new Set<string>();
  for (let at = 0; at < pixels.length; at += 3) {
    colours.add(`#${pixels.toString("hex", at, at + 3)}`);
  }
  return colours;
}

const COLOURS = new Set(INKS.map(({ colour }) => colour.toLowerCase()));

t.test("inks of one's own are the only colours, and have their names everywhere", async (t) => {
  const server = await testServer(t);
  const id = await makePattern(server, flatInks(INKS));
  const stored = await server.request("GET", `/patterns/${id}`);
  t.same(stored.json.effects, flatInks(INKS));
  const tile = await server.request("GET", `/patterns/${id}/render?size=256`);
  t.same(await coloursOf(tile.bytes), COLOURS);
  t.equal(tile.bytes[25], 3, "a PNG with a palette");
  const certificate = await server.request("POST", `/patterns/${id}/validate`, {
    json: { size: 256 },
  });
  t.match(certificate.json, { verdict: "valid" });

  const inks = await inksOf(server, id);
  for (const { name, colour } of INKS) {
    t.match(inks, { length: 3 });
    t.equal(inks.find((ink) => ink.colour === colour.toLowerCase())?.name, name);
  }
  const ase = Buffer.from((await server.request("GET", `/patterns/${id}/swatches`)).bytes);
  const svg = await server.request("GET", `/patterns/${id}/vector?size=200`);
  for (const { name } of inks) {
    t.ok(ase.includes(Buffer.from(`${name}\0`, "utf16le").swap16()), name);
  }
  t.match(svg.bytes.toString(), 'inkscape:label="Größe &lt;5 &amp; &quot;/ 染料😀" fill="#f4eddd"');
  t.ok(await sharp(svg.bytes).metadata(), "it is well-formed");

  const fileNameOf = async (colour: string) => {
    const path = `/patterns/${id}/separations/${colour}?size=64`;
    return (await server.request("GET", path)).headers.get("Content-Disposition");
  };
  t.equal(await fileNameOf("1d2a5d"), `inline; filename="pattern-${id}-Indigo 30-1d2a5d.png"`);
  const encoded = encodeURIComponent(`pattern-${id}-Größe -5 & -- 染料😀-f4eddd.png`);
  const plain = `pattern-${id}-Gro-e -5 & -- -----f4eddd.png`;
  t.equal(await fileNameOf("f4eddd"), `inline; filename="${plain}"; filename*=UTF-8''${encoded}`);
});

t.test(
  "a PDF has them as spot colours, as other programs read them",
  { skip: skipWithout("mutool", "pdftoppm") },
  async (t) => {
    const server = await testServer(t);
    const id = await makePattern(server, flatInks(INKS));
    const { bytes } = await server.request("GET", `/patterns/${id}/vector?size=200&format=pdf`);
    const path = join(await temporaryFolder(t), "inks.pdf");
    await writeFile(path, bytes);
    const objects = await runValidator("mutool", "show", "-e", path, "grep");
    for (const { name } of INKS) {
      const escaped = [...Buffer.from(name)]
        .map((byte) => String.fromCharCode(byte))
        .map((letter) =>
          /[a-zA-Z0-9]/.test(letter)
            ? letter
            : `#${letter.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
        )
        .join("");
      t.ok(plainNames(objects).includes(plainNames(`/Separation/${escaped}[`)), name);
    }
    t.equal((await runValidator("pdftoppm", "-r", "20", path, path)).trim(), "", "no complaints");
  },
);

/** Escaped and plain letters of PDF names look the same. */
const plainNames = (text: string) =>
  text
    .replace(/\s/g, "")
    .replace(/#([0-9a-fA-F]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );

t.test("colours of the listing, given back with names, do not change a pixel", async (t) => {
  const server = await testServer(t);
  const id = await makePattern(server, flatInks(undefined, { count: 7 }));
  const path = `/patterns/${id}/render?size=200`;
  const pixelsOf = async () =>
    sharp((await server.request("GET", path)).bytes)
      .raw()
      .toBuffer();
  const before = await pixelsOf();
  const found = await inksOf(server, id);
  t.equal(found[0].name, `Ink 1 ${found[0].colour}`);
  const inks = found.map(({ colour }, n) => ({ name: `Yarn ${n}`, colour }));
  const changed = await server.request("PATCH", `/patterns/${id}`, {
    json: { effects: flatInks(inks) },
  });
  t.equal(changed.status, 200);
  t.ok((await pixelsOf()).equals(before));
  t.same(
    (await inksOf(server, id)).map(({ name, colour }) => ({ name, colour })),
    inks,
  );
});

t.test("links, prints and batches have them, a palette has colours of its own", async (t) => {
  const server = await testServer(t, { takesJobs: true });
  const id = await makePattern(server, flatInks(INKS));
  const json = { size: 64 };
  const link = await server.request("POST", `/patterns/${id}/render-url`, { json });
  const picture = await fetch(link.json.url);
  t.same(await coloursOf(await picture.bytes()), COLOURS);

  const print = { width_mm: 60, height_mm: 40, cell_mm: 20.32, dpi: 100, format: "tiff" };
  const order = await server.request("POST", `/patterns/${id}/export`, { json: print });
  const { file } = await finishedExport(server, order.json.export_id);
  const tiff = await server.request("GET", new URL(file.url).pathname.slice("/api/v1".length));
  t.same(await coloursOf(tiff.bytes), COLOURS);

  const product = { pattern_ids: [id], palettes: [null], sizes: [64] };
  const batch = await server.request("POST", "/batches", { json: { product } });
  await endedBatch(server, batch.json.id);
  const [line] = await manifestOf(server, batch.json.id);
  const item = await server.request("GET", new URL(line.file.url).pathname.slice("/api/v1".length));
  t.same(await coloursOf(item.bytes), COLOURS);

  const palettes = ["#ffffff", "#123456", "#808080"];
  const other = { json: { palettes: [palettes] } };
  const [colourway] = (await server.request("POST", `/patterns/${id}/colourways`, other)).json.data;
  const inks = await inksOf(server, colourway.id, "size=128");
  t.ok(
    inks.every(({ name, colour }, n) => name === `Ink ${n + 1} ${colour}`),
    "names belong to colours",
  );
});

t.test("says which ink cannot be used, and why", async (t) => {
  const server = await testServer(t);
  const id = await makePattern(server, []);
  const [red, blue] = INKS;
  const refusals: readonly (readonly [unknown, string, RegExp])[] = [
    [[red], "", /list of 2 to 16 inks/],
    [Array.from({ length: 17 }, (_, n) => ({ ...red, name: `${n}` })), "", /list of 2 to 16 inks/],
    ["red", "", /list of 2 to 16 inks/],
    [[red, { name: "No colour" }], "/1/colour", /is missing/],
    [[red, { ...blue, lab: 1 }], "/1/lab", /unknown field 'lab'/],
    [[red, { ...blue, colour: "blue" }], "/1/colour", /a colour such as/],
    [[red, { ...blue, colour: "#c8102e" }], "/1/colour", /two inks have this colour/],
    [[red, { ...blue, name: "PANTONE 186 c" }], "/1/name", /two inks have this name/],
    [[red, { ...blue, name: "Pantone\u00a0１８６ C" }], "/1/name", /two inks have this name/],
    [[red, { ...blue, name: "all" }], "/1/name", /PDF reserves/],
    [[red, { ...blue, name: "BLACK" }], "/1/name", /PDF reserves/],
    [[red, { ...blue, name: "Cyan" }], "/1/name", /PDF reserves/],
    [[red, { ...blue, name: "" }], "/1/name", /1 to 60 characters/],
    [[red, { ...blue, name: " Indigo" }], "/1/name", /1 to 60 characters/],
    [[red, { ...blue, name: "a\u0000b" }], "/1/name", /1 to 60 characters/],
    [[red, { ...blue, name: "a\u2028b" }], "/1/name", /1 to 60 characters/],
    [[red, { ...blue, name: "a\ufffeb" }], "/1/name", /1 to 60 characters/],
    [[red, { ...blue, name: "a\u202eb" }], "/1/name", /1 to 60 characters/],
    [[red, { ...blue, name: "Pantone\u200b 186 C" }], "/1/name", /1 to 60 characters/],
    [[red, { ...blue, name: "a".repeat(61) }], "/1/name", /1 to 60 characters/],
    [[red, { ...blue, name: "染".repeat(60) }], "/1/name", /a PDF cannot contain/],
    [[red, { ...blue, name: "a\ud800b" }], "/1/name", /a PDF cannot contain/],
  ];
  for (const [inks, path, message] of refusals) {
    const json = { effects: flatInks(inks as Ink[]) };
    const reply = await server.request("PATCH", `/patterns/${id}`, { json });
    t.equal(reply.status, 422, message.source);
    t.match(reply.json.errors[0], { path: `/effects/0/params/inks${path}`, message });
  }
  for (const name of ["染".repeat(42), "😀".repeat(31), "👩\u200d🎨", "Black ink"]) {
    const effects = flatInks([red, { ...blue, name }]);
    const reply = await server.request("PATCH", `/patterns/${id}`, { json: { effects } });
    t.equal(reply.status, 200, name);
  }
});

t.test("no two inks of a pattern have the same name", async (t) => {
  const server = await testServer(t);
  const [red, indigo] = ["#c8102e", "#1d2a5d"];
  const first = flatInks([
    { name: "White", colour: red },
    { name: "Other", colour: indigo },
  ]);
  // It changes nothing, but its names are those that count.
  const last = flatInks([{ name: "White", colour: indigo }, INKS[2]], { strength: 0 });
  const id = await makePattern(server, [...first, ...last]);
  const namesOf = async () => {
    const inks = await inksOf(server, id);
    return inks.map(
      ({ name, colour }, n) => [colour, name.replace(`Ink ${n + 1} `, "automatic ")] as const,
    );
  };
  const named = new Map(await namesOf());
  t.same([named.get(red), named.get(indigo)], [`automatic ${red}`, "White"]);

  for (const number of [1, 2]) {
    const effects = flatInks([
      { name: `ink ${number} ${indigo}`, colour: red },
      { name: `Ink ${number} ${red}`, colour: indigo },
    ]);
    await server.request("PATCH", `/patterns/${id}`, { json: { effects } });
    for (const [colour, name] of await namesOf()) t.equal(name, `automatic ${colour}`);
  }
});
