/** Tiles of one thread, whose memory goes from one to the next. */
import t from "tap";
import type { RequestParts } from "../helpers/engine.ts";
import { inThread } from "../helpers/in-thread.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";

const source = pngOf(photograph(120, 90));
const veiled = photograph(90, 120);
const rgba = new Uint8Array(veiled.width * veiled.height * 4).map((_, at) =>
  at % 4 === 3 ? 128 : veiled.pixels[Math.floor(at / 4) * 3 + (at % 4)],
);
const transparent = pngOf({ ...veiled, channels: 4, pixels: rgba });

const tiles = (["p1", "p4m", "p6", "pgg", "p4g"] as const).flatMap((group): RequestParts[] =>
  [64, 61].flatMap((size) =>
    [source, transparent].map((source) => ({ group, source, render: { mode: "tile", size } })),
  ),
);

t.test("tiles are the same one after the other and all at once", async (t) => {
  const alone: Uint8Array[] = [];
  for (const tile of tiles) alone.push(await (await inThread(t)).render(tile));
  const shared = await inThread(t);
  for (const [at, tile] of tiles.entries()) {
    t.ok(Buffer.compare(await shared.render(tile), alone[at]) === 0, `${tile.group}, in turn`);
  }
  const together = await Promise.all(tiles.map((tile) => shared.render(tile)));
  for (const [at, { group }] of tiles.entries()) {
    t.ok(Buffer.compare(together[at], alone[at]) === 0, `${group}, at once`);
  }
});
