import sharp from "sharp";
import t from "tap";
import { photoLike } from "../../bench/pictures/photo-like.ts";
import { photograph, withComment } from "../../bench/pictures/photograph.ts";
import { randomDesign } from "../../bench/pictures/random-designs.ts";

t.test("a photograph is cached, and the same each time", async (t) => {
  const first = await photograph(2);
  t.equal((await photograph(2)).sha256, first.sha256);
  const { format, width = 0, height = 0 } = await sharp(first.bytes).metadata();
  t.strictSame([format, width, height], ["jpeg", 1632, 1224]);
});

t.test("a comment changes a photograph's bytes, not its pixels", async (t) => {
  const { pixels } = photoLike(48, 32);
  const raw = { width: 48, height: 32, channels: 3 } as const;
  const bytes = await sharp(pixels, { raw }).jpeg().toBuffer();
  const other = withComment({ bytes, sha256: "" }, "round 1");
  t.not(other.sha256, withComment({ bytes, sha256: "" }, "round 2").sha256);
  const decode = (file: Uint8Array) => sharp(file, { failOn: "warning" }).raw().toBuffer();
  t.strictSame(await decode(other.bytes), await decode(bytes));
});

t.test("designs repeat by number and spread over the photograph and all scales", async (t) => {
  const designs = Array.from({ length: 400 }, (_, n) => randomDesign("p4m", n));
  t.strictSame(randomDesign("p4m", 7), designs[7]);
  for (const key of ["x", "y", "scale", "rotation"] as const) {
    const [least, most] = key === "scale" ? [0.3, 3] : [0, key === "rotation" ? 360 : 1];
    const share = ({ motif }: (typeof designs)[number]) =>
      key === "scale" ? Math.log(motif.scale / least) / Math.log(most / least) : motif[key] / most;
    const shares = designs.map(share);
    t.ok(
      shares.every((one) => one >= 0 && one <= 1),
      key,
    );
    const quarters = [0, 1, 2, 3].map(
      (quarter) => shares.filter((one) => Math.floor(4 * one) === quarter).length,
    );
    t.ok(Math.min(...quarters) > 70, `${key}: ${quarters}`);
  }
});
