import { join } from "node:path";
import sharp from "sharp";
import t from "tap";
import { openInThreadEngine } from "../../bench/cases/in-thread-engine.ts";
import { checkPeer, commonDesign, methodsFor } from "../../bench/cases/photo-check.ts";
import { NO_PEER, openDesignPeer } from "../../bench/peers/design-peer.ts";
import { photoLike } from "../../bench/pictures/photo-like.ts";

const SIZE = 256;
const GROUPS = ["p1", "p4m", "p6", "cm"] as const;

const { width, height, pixels } = photoLike(400, 300);
const raw = { width, height, channels: 3 } as const;
const bytes = await sharp(pixels, { raw }).png().toBuffer();
const file = join(t.testdir({ "photograph.png": bytes }), "photograph.png");
const peer = await openDesignPeer(GROUPS, SIZE, file, { width, height });
t.teardown(() => peer?.close());
const skip = peer === null && NO_PEER;

t.test("OpenCV draws the designs that we draw", { skip }, async (t) => {
  if (peer === null) return;
  const engine = await openInThreadEngine();
  t.teardown(() => engine.close());
  for (const group of GROUPS) {
    const design = commonDesign(group);
    const source = { bytes, sha256: "photograph" };
    const expected = await engine.tile(design, source, SIZE);
    await t.resolves(checkPeer(peer, methodsFor(group), design, expected), group);
    const turned = { ...design, motif: { ...design.motif, rotation: 40 } };
    const other = await engine.tile(turned, source, SIZE);
    await t.rejects(checkPeer(peer, methodsFor(group), design, other), { name: "WrongResult" });
  }
});
