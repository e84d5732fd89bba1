/** The pictures of batches: contact sheets as another decoder sees them, and what cannot be rendered again. */
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

t.test("a picture that would have other bytes than the manifest says is gone", async (t) => {
  const server = await testServer(t);
  const pattern = await server.makePattern();
  const { headers } = await server.request("GET", `/patterns/${pattern}/render?size=32`);
  const tag = (headers.get("ETag") ?? "").replaceAll('"', "");
  const facts = { bytes: 9, media_type: "image/png", width: 32, height: 32 };
  const recorded = async (fingerprint: string) => {
    const id = await orderBatch(server, { items: [{ pattern_id: pattern, size: 32 }] });
    const begun = await server.db.batches.begin(id);
    if (!begun) throw new Error("the batch is new");
    const picture = { ...facts, fingerprint, sha256: "ab".repeat(32) };
    await server.db.batches.settleItem(begun.run, 0, picture);
    return server.request("GET", `/batches/${id}/items/0`);
  };
  const ofOtherRelease = await recorded("cd".repeat(32));
  t.match(ofOtherRelease.json, { status: 410, code: "gone", detail: /was upgraded/ });
  const ofOtherBytes = await recorded(Buffer.from(tag, "base64url").toString("hex"));
  t.match(ofOtherBytes.json, { status: 410, code: "gone", detail: /the same bytes/ });
});
