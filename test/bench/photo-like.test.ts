import { createHash } from "node:crypto";
import t from "tap";
import { photoLike } from "../../bench/pictures/photo-like.ts";

t.test("draws the same bytes on every machine", async (t) => {
  const { width, height, pixels } = photoLike(64);
  t.strictSame([width, height, pixels.length], [64, 64, 64 * 64 * 3]);
  const hash = createHash("sha256").update(pixels).digest("hex");
  t.equal(hash, "f6b79450448c2968018e766d480d31cc9e875dbb30a3c22068cce1c9be0e7d16");
});

t.test("draws oblong pictures", async (t) => {
  const { width, height, pixels } = photoLike(48, 32);
  t.strictSame([width, height, pixels.length], [48, 32, 48 * 32 * 3]);
  const [first, last] = [pixels.subarray(0, 48 * 3), pixels.subarray(31 * 48 * 3)];
  t.not(Buffer.compare(first, last), 0, "rows differ down to the last");
});

t.test("has edges between objects and grain within them", async (t) => {
  const { width, pixels } = photoLike(256);
  const steps: number[] = [];
  for (let i = 3; i < pixels.length; i += 3) {
    if ((i / 3) % width !== 0) steps.push(Math.abs(pixels[i] - pixels[i - 3]));
  }
  const share = (least: number) => steps.filter((step) => step >= least).length / steps.length;
  t.ok(share(1) > 0.7, "few neighbours are equal");
  t.ok(share(20) > 0.001 && share(20) < 0.05, "some are far apart, but not many");
});
