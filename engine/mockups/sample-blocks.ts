/** Collects samples of a print in the blocks of a map. */
import type { Fragment } from "../../scenes/scene.ts";
import { BLOCK, createBlock, LIGHT_ONE } from "./map.ts";
import type { Outline } from "./outline.ts";

export interface SampleBlocks {
  /** The last one is padded with zeros. */
  readonly blocks: readonly Uint8Array[];
  /** Number of samples. */
  count(): number;
  /** Adds a sample; its light is multiplied by `share`. */
  add(fragment: Fragment, outline: Outline, share: number): void;
}

/** Stored value of lit and gloss; brighter light is white in any case. */
const stored = (light: number) => Math.min(Math.round(light * LIGHT_ONE), 65535);

export function createSampleBlocks(): SampleBlocks {
  const blocks: Uint8Array[] = [];
  let block = createBlock();
  let count = 0;
  return {
    blocks,
    count: () => count,
    add(fragment, { ux, uy, vx, vy }, share) {
      const i = count % BLOCK;
      if (i === 0) {
        block = createBlock();
        blocks.push(block.bytes);
      }
      const across = Math.hypot(ux, uy);
      const down = Math.hypot(vx, vy);
      const both = across * down;
      block.u[i] = fragment.u;
      block.v[i] = fragment.v;
      block.across[i] = across;
      block.down[i] = down;
      block.askew[i] = both === 0 ? 0 : (ux * vx + uy * vy) / both;
      block.lit[i] = stored(fragment.shading * share);
      block.gloss[i] = stored(fragment.highlight * share);
      count++;
    },
  };
}
