/** Case 24: the first tile of a photograph that has just been uploaded. */
import sharp from "sharp";
import type { BenchCase, PreparedCase } from "../harness/case.ts";
import { onServer } from "../harness/on-server.ts";
import { quantile } from "../harness/statistics.ts";
import { timed } from "../harness/timed.ts";
import { photograph, withComment } from "../pictures/photograph.ts";
import { randomDesign } from "../pictures/random-designs.ts";
import { checkServed } from "./photo-check.ts";

const SIZE = 1024;
const MEGAPIXELS = 12;
const KEYS = 4;
/** Photographs of a round. */
const PHOTOGRAPHS = 3;

export const firstTile: BenchCase = {
  name: "first-tile",
  number: 24,
  title: `First p4m tile of ${SIZE}², as PNG over HTTP, of a JPEG of ${MEGAPIXELS} Mpx that has just been uploaded, ${PHOTOGRAPHS} a round`,
  scope: "user",
  fairness:
    "The photograph's bytes are new to the service each time, its motif at random. The tile is timed from its request, after the upload has been answered; one column begins with the upload. The first five photographs of a process take memory that is new, which is slow on some virtual machines; later ones take theirs. sharp has the file in memory, decodes it, shrinks it to the tile's size and encodes a PNG, without a pattern: what the decoding alone costs.",
  metrics: [
    { name: "ms", unit: "ms", better: "lower" },
    { name: "slowest", unit: "ms, the slowest", better: "lower" },
    { name: "whole", unit: "ms with the upload", better: "lower" },
  ],
  targets: [{ metric: "ms", must: 250, aim: 150 }],
  prepare,
};

interface Reading {
  readonly ms: number;
  readonly whole: number;
}

function prepare(): Promise<PreparedCase> {
  return onServer(KEYS, async (server, api) => {
    const known = await photograph(MEGAPIXELS);
    let made = 0;
    const first = async (n: number) => {
      const design = randomDesign("p4m", n);
      const source = withComment(known, `first tile ${n}`);
      let id = 0;
      const upload = await timed(async () => {
        id = await api.createPattern(await api.upload(source), design);
      });
      let png: Uint8Array = new Uint8Array();
      const ms = await timed(async () => {
        png = await api.tile(id, SIZE);
      });
      return { design, source, png, reading: { ms, whole: upload + ms } };
    };
    const shrink = () =>
      sharp(known.bytes).resize(SIZE, SIZE).png({ compressionLevel: 6 }).toBuffer();
    return {
      contenders: [
        {
          name: "orbifold",
          ours: true,
          async run() {
            const readings: Reading[] = [];
            for (let n = 0; n < PHOTOGRAPHS; n++) readings.push((await first(made++)).reading);
            const times = readings.map(({ ms }) => ms);
            return {
              ms: quantile(times, 0.5),
              slowest: Math.max(...times),
              whole: quantile(
                readings.map(({ whole }) => whole),
                0.5,
              ),
            };
          },
        },
        {
          name: "sharp, decoded and shrunk only",
          ours: false,
          async run() {
            const ms = await timed(shrink);
            return { ms, slowest: ms, whole: ms };
          },
        },
      ],
      notes: [server.description],
      versions: { sharp: sharp.versions.sharp ?? "" },
      async check() {
        await checkServed(SIZE, [await first(-1)]);
        await shrink();
      },
      close: () => server.stop(),
    };
  });
}
