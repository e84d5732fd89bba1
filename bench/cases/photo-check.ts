/** Checks tiles of photographs against each other. */
import sharp from "sharp";
import { checkDesign } from "../../engine/recipe/check.ts";
import {
  type Design,
  type GroupName,
  plainDesign,
  type SourceBytes,
} from "../../engine/recipe/index.ts";
import { assertSamePixels } from "../harness/compare-pixels.ts";
import { BY_MAP, type DesignMethod, type DesignPeer, WHOLE_ORBIT } from "../peers/design-peer.ts";
import { openInThreadEngine } from "./in-thread-engine.ts";

/** Differences between our prefilter in linear light and OpenCV's in encoded values. */
const OTHER_FILTER = { most: 60, mean: 2.5 };

/**
 * A design that both draw alike: within the photograph, which each continues in its own way, and
 * without our correction of contrast in seams.
 */
export function commonDesign(group: GroupName) {
  const plain = plainDesign(group);
  const motif = { x: 0.5, y: 0.5, scale: 1.5, rotation: 10 };
  return checkDesign({ ...plain, motif, seam: { ...plain.seam, preserve_contrast: false } });
}

/** Throws `WrongResult` if the peer draws a design otherwise. */
export async function checkPeer(
  peer: DesignPeer,
  methods: readonly DesignMethod[],
  design: Design,
  expected: ArrayLike<number>,
): Promise<void> {
  for (const method of methods) {
    await peer.draw(method, design);
    const pixels = await pixelsOf(await peer.png());
    assertSamePixels(`${method}, ${design.group}`, pixels, expected, OTHER_FILTER);
  }
}

interface ServedTile {
  readonly design: Design;
  readonly source: SourceBytes;
  readonly png: Uint8Array;
}

/** Throws `WrongResult` if a tile of `size` × `size` is not that of the engine in this thread. */
export async function checkServed(size: number, tiles: readonly ServedTile[]): Promise<void> {
  const engine = await openInThreadEngine();
  try {
    for (const { design, source, png } of tiles) {
      const expected = await engine.tile(design, source, size);
      // A server with a GPU may differ by one step.
      assertSamePixels(design.group, await pixelsOf(png), expected, { most: 1, mean: 0.1 });
    }
  } finally {
    await engine.close();
  }
}

/** The methods by which the peer can draw a group. */
export const methodsFor = (group: GroupName): readonly DesignMethod[] =>
  group === "p4m" ? [WHOLE_ORBIT, BY_MAP] : [BY_MAP];

/** Decodes a picture to RGB bytes. */
export const pixelsOf = (file: Uint8Array): Promise<Uint8Array> =>
  sharp(file).removeAlpha().raw().toBuffer();
