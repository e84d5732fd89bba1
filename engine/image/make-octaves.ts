/** Makes levels of a source before designs ask for them. */
import { lastLevel, levelSize, type SourceLevels } from "./source-levels.ts";

/** Makes the whole octaves of a source, of which all its other levels are made. The finest one is an octave. */
export async function makeOctaves(
  levels: SourceLevels,
  checkpoint: () => Promise<void>,
): Promise<void> {
  for (let level = levels.finest + 2; level <= lastLevel(levels); level += 2) {
    await checkpoint();
    levels.level(level);
  }
}

/** Rows that are made between two looks at the clock. */
const ROWS = 128;

/**
 * Makes half octaves of a source, the coarsest first, and stops after `milliseconds`. Resolves with whether all of
 * them are made.
 */
export async function makeHalfOctaves(
  levels: SourceLevels,
  milliseconds: number,
  checkpoint: () => Promise<void>,
): Promise<boolean> {
  const end = performance.now() + milliseconds;
  for (let level = lastLevel(levels) - 1; level > levels.finest; level -= 2) {
    const { width, height } = levelSize(levels, level);
    for (let y = 0; y < height; y += ROWS) {
      if (performance.now() > end) return false;
      const rows = { x: 0, y, width, height: Math.min(ROWS, height - y) };
      await levels.make(level, [rows], checkpoint);
    }
  }
  return true;
}
