/** The profile in print files. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import t from "tap";
import { SRGB_PROFILE } from "../../engine/encoders/icc.ts";
import { SRGB8_TO_LINEAR } from "../../engine/image/transfer.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { runValidator, skipWithout } from "../helpers/external-validators.ts";

const bytes = Buffer.from(SRGB_PROFILE.bytes);

/** A tag's value by its signature, without its type. */
function tagValue(signature: string): Buffer {
  for (let at = 132; at < 132 + 12 * bytes.readUInt32BE(128); at += 12) {
    if (bytes.toString("latin1", at, at + 4) !== signature) continue;
    const from = bytes.readUInt32BE(at + 4);
    return bytes.subarray(from + 8, from + bytes.readUInt32BE(at + 8));
  }
  throw new Error(`there is no ${signature}`);
}

t.test("has the right length, and primaries that add up to white", async (t) => {
  t.equal(bytes.readUInt32BE(0), bytes.length);
  t.equal(bytes.toString("latin1", 36, 40), "acsp");
  for (const axis of [0, 4, 8]) {
    const sum = ["rXYZ", "gXYZ", "bXYZ"].reduce(
      (all, tag) => all + tagValue(tag).readInt32BE(axis),
      0,
    );
    t.equal(sum, tagValue("wtpt").readInt32BE(axis));
    t.equal(sum, bytes.readInt32BE(68 + axis), "and to that of the header");
  }
});

t.test("its curve is sRGB's at every 8-bit value", async (t) => {
  for (const tag of ["rTRC", "gTRC", "bTRC"]) {
    const curve = tagValue(tag);
    t.equal(curve.readUInt32BE(0), 256);
    const off = [...SRGB8_TO_LINEAR].map((light, at) =>
      Math.abs(curve.readUInt16BE(4 + 2 * at) / 65535 - light),
    );
    t.ok(Math.max(...off) <= 0.5 / 65535 + 1e-9, tag);
  }
});

t.test("another colour engine treats it as sRGB, bit for bit", async (t) => {
  // All corners and a ramp through every value of each channel.
  const colours = Buffer.from(
    Array.from({ length: 4096 * 3 }, (_, at) => (at * 37 + (at >> 8) * 11) & 255),
  );
  const folder = await temporaryFolder(t);
  const profile = join(folder, "own.icc");
  await writeFile(profile, bytes);
  const raw = { width: 64, height: 64, channels: 3 } as const;
  const tagged = await sharp(colours, { raw })
    .withIccProfile(profile, { attach: true })
    .png()
    .toBuffer();
  t.ok((await sharp(tagged).metadata()).icc?.equals(bytes));
  t.ok((await sharp(tagged).toColourspace("srgb").raw().toBuffer()).equals(colours));
});

t.test("exiftool accepts it", { skip: skipWithout("exiftool") }, async (t) => {
  const file = join(await temporaryFolder(t), "own.icc");
  await writeFile(file, bytes);
  const told = await runValidator("exiftool", file);
  t.match(told, /Profile Version\s+: 2\.1\.0/);
  t.match(told, /Profile Description\s+: sRGB IEC61966-2\.1\n/);
  t.match(told, /Color Space Data\s+: RGB/);
  t.notMatch(told, /warning|error/i);
});
