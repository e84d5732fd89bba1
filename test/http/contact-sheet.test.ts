/** Contact sheets of batches, as another decoder sees them. */
import sharp from "sharp";
import t from "tap";
import { CONTACT_SHEET } from "../../engine/index.ts";
import { endedBatch, orderBatch } from "../helpers/batches.ts";
import { testServer } from "../helpers/server.ts";

t.test("a contact sheet has a cell for each item", async (t) => {
  const server = await testServer(t, { takesJobs: true });
  const pattern = await server.makePattern();
  const sizes = [700, 32, 48, 64, 80];
  const items = [
    ...sizes.map((size) => ({ pattern_id: pattern, size })),
    { pattern_id: pattern + 99 },
  ];
  const id = await orderBatch(server, { items });
  await endedBatch(server, id);
  const sheet = await server.request("GET", `/batches/${id}/contact-sheet`);
  t.equal(sheet.status, 200);
  t.equal(sheet.headers.get("Content-Type"), "image/jpeg");
  const { data, info } = await sharp(sheet.bytes).raw().toBuffer({ resolveWithObject: true });
  const { cell, gap } = CONTACT_SHEET;
  t.match(info, { format: "raw", width: 3 * (cell + gap) + gap, height: 2 * (cell + gap) + gap });
  const at = (column: number, row: number) => {
    const place = (n: number) => gap + n * (cell + gap) + cell / 2;
    const offset = (place(row) * info.width + place(column)) * info.channels;
    return [...data.subarray(offset, offset + 3)];
  };
  t.ok(
    at(2, 1).every((value) => Math.abs(value - 0xd0) < 4),
    "a failed item is grey",
  );
  t.notOk(at(0, 0).every((value) => Math.abs(value - 0xd0) < 4));
  const headers = { "If-None-Match": sheet.headers.get("ETag") ?? "" };
  const known = await server.request("GET", `/batches/${id}/contact-sheet`, { headers });
  t.equal(known.status, 304);
});
