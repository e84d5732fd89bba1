/** Looks at a print, collected in the blocks of a map. */
import type { Fragment } from "../../scenes/scene.ts";
import { BLOCK, createBlock, LIGHT_ONE } from "./map.ts";
import type { Outline } from "./outline.ts";

export interface LookBlocks {
  /** The last one is filled up with zeros. */
  readonly blocks: readonly Uint8Array[];
  /** How many looks there are. */
  count(): number;
  /** Adds a look; its light is multiplied by `share`. */
  add(seen: Fragment, outline: Outline, share: number): void;
}

/** What lit and gloss are stored as; more light than that is white in any case. */
const stored = (light: number) => Math.min(Math.round(light * LIGHT_ONE), 65535);

export function createLookBlocks(): LookBlocks {
  const blocks: Uint8Array[] = [];
  let block = createBlock();
  let count = 0;
  return {
    blocks,
    count: () => count,
    add(seen, { ux, uy, vx, vy }, share) {
      const i = count % BLOCK;
      if (i === 0) {
        block = createBlock();
        blocks.push(block.bytes);
      }
      const across = Math.hypot(ux, uy);
      const down = Math.hypot(vx, vy);
      const both = across * down;
      block.u[i] = seen.u;
      block.v[i] = seen.v;
      block.across[i] = across;
      block.down[i] = down;
      block.askew[i] = both === 0 ? 0 : (ux * vx + uy * vy) / both;
      block.lit[i] = stored(seen.shading * share);
      block.gloss[i] = stored(seen.highlight * share);
      count++;
    },
  };
}
