/** Large prints, whose strips several threads render. */
import t from "tap";
import { encoders } from "../../../engine/encoders/index.ts";
import { dividePrint, print } from "../../../engine/print/print.ts";
import { testEngine } from "../../helpers/engine.ts";
import { inThread } from "../../helpers/in-thread.ts";
import { imageIn } from "../../helpers/pdf.ts";
import { photograph, pngOf, rasterOf, rasterWithin } from "../../helpers/pictures.ts";
import { type PrintParts, printed, printRequest } from "../../helpers/print.ts";
import { some } from "../../helpers/random-subset.ts";

const photo = photograph(300, 200);
const veiled = pngOf({
  ...photo,
  channels: 4,
  pixels: new Uint8Array(300 * 200 * 4).map((_, at) =>
    at % 4 === 3 ? 255 - ((at >> 4) % 200) : photo.pixels[(at >> 2) * 3 + (at & 3)],
  ),
});

/** Two strips of 1700 × 1300 pixels; the effects of each read rows of the other. */
const sheet = {
  width_mm: 170,
  height_mm: 130,
  cell_mm: 30,
  dpi: 254,
  surface_effects: [{ id: "linen" }, { id: "emboss" }],
};

const FORMATS = ["pdf", "tiff", "png", "jpeg"] as const;
const prints: readonly PrintParts[] = [
  ...FORMATS.map((format) => ({ print: { ...sheet, format } })),
  ...FORMATS.map((format) => ({ source: veiled, print: { ...sheet, format, rotation: 7 } })),
  { print: { ...sheet, format: "tiff", compression: "deflate", mode: "aperiodic" } },
];

const engines = { one: await testEngine(t), three: await testEngine(t, { threads: 3 }) };
const { context } = await inThread(t);

/** The file as one thread renders it, without strips. */
async function whole(parts: PrintParts): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const send = async (bytes: Uint8Array) => void pieces.push(Uint8Array.from(bytes));
  const { patch } = await print(
    context,
    printRequest(parts),
    { head: () => undefined, send },
    () => 0,
  );
  const file = Buffer.concat(pieces);
  if (patch !== null) file.set(patch.bytes, patch.at);
  return file;
}

for (const parts of some(prints, 2)) {
  const { format, mode = "surface" } = parts.print ?? {};
  const name = `${format}, ${mode}${parts.source ? ", transparent" : ""}`;
  t.test(
    `${name}: one and three threads write the same file, with the pixels of one strip`,
    async (t) => {
      const divided = dividePrint(encoders, printRequest(parts));
      t.ok(divided && divided.strips.length > 1, "it has several strips");
      const file = await printed(engines.one, parts);
      t.ok(file.equals(await printed(engines.three, parts)), "the same bytes");
      const expected = await whole(parts);
      if (format === "tiff" || format === "jpeg")
        return t.ok(file.equals(expected), "also of one strip");
      const pixelsOf = format === "pdf" ? imageIn : rasterOf;
      rasterWithin(t, pixelsOf(file), pixelsOf(expected), 0, "pixels");
    },
  );
}

t.test("progress is the share of rows that are there", async (t) => {
  const printing = await engines.three.print(printRequest({ print: { ...sheet, format: "png" } }));
  const shares = [printing.progress()];
  for await (const _ of printing.body) shares.push(printing.progress());
  t.equal(shares[0], 0);
  t.same(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  t.equal(printing.progress(), 1);
});

t.test("a reader that leaves ends the other strips, and the patch", async (t) => {
  const printing = await engines.three.print(printRequest({ print: { ...sheet, format: "tiff" } }));
  for await (const piece of printing.body) if (piece.length > 0) break;
  await t.rejects(printing.patch, /not read to its end/);
  t.equal((await printed(engines.three, {})).subarray(0, 5).toString(), "%PDF-");
});
