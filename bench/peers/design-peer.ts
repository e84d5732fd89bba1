/** The peer that draws designs of a photograph in OpenCV. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Affine } from "../../engine/geometry/affine.ts";
import { domainOf } from "../../engine/geometry/domain.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { squareTile } from "../../engine/geometry/repeating-tile.ts";
import { unfold } from "../../engine/geometry/unfold.ts";
import { type WindowFactor, windowOf } from "../../engine/geometry/window.ts";
import { type Design, type GroupName, plainDesign } from "../../engine/recipe/index.ts";
import { linesOf } from "../../engine/render/lines.ts";
import { placeMotif } from "../../engine/render/placement.ts";
import type { Size } from "../../engine/size.ts";
import { DEFAULT_FIELDS } from "../cases/in-thread-engine.ts";
import { startPythonPeer } from "./python-peer.ts";

export const NO_PEER =
  "no Python with cv2 and numpy here (Debian: python3-opencv, python3-numpy), so no OpenCV";

/** The names of the peer's methods; the second one draws p4m only. */
export const BY_MAP = "OpenCV";
export const WHOLE_ORBIT = "OpenCV + numpy";
export type DesignMethod = typeof BY_MAP | typeof WHOLE_ORBIT;

export interface DesignPeer {
  readonly versions: Readonly<Record<string, string>>;
  /** Decodes a photograph, of which designs are drawn from now on. Resolves with the milliseconds. */
  open(file: string): Promise<number>;
  /** Draws a design as a PNG of the maps' size. Resolves with the milliseconds. */
  draw(method: DesignMethod, design: Design): Promise<number>;
  /** Draws a design's pixels only. */
  drawPixels(method: DesignMethod, design: Design): Promise<number>;
  /** The last PNG. */
  png(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Starts the peer with the maps of some groups for tiles of `size` × `size` pixels, or returns null
 * without OpenCV. Leaves no process or folder behind if that fails.
 * @param file the photograph, of `pixels`
 * @param threads of OpenCV; default: as many as it likes
 */
export async function openDesignPeer(
  groups: readonly GroupName[],
  size: number,
  file: string,
  pixels: Size,
  threads?: number,
): Promise<DesignPeer | null> {
  const python = startPythonPeer("new_design.py", ["cv2", "numpy"]);
  if (python === null) return null;
  await using opened = new AsyncDisposableStack();
  opened.defer(() => python.close());
  const folder = await mkdtemp(join(tmpdir(), "orbifold-bench-"));
  opened.defer(() => rm(folder, { recursive: true }));
  const versions = await python.load({ open: file });
  for (const group of groups) await python.send({ map: await writeMap(group, size, folder) });
  if (threads !== undefined) await python.send({ threads });
  const png = join(folder, "tile.png");
  const kept = opened.move();
  const placed = ({ group, motif }: Design) => {
    const { domain, edgesPerPixel } = frameOf(group, size);
    const toSource = placeMotif(domain.corners, motif, pixels);
    const per_pixel = Math.hypot(toSource.a, toSource.c) * edgesPerPixel;
    return { group, to_source: numbers(toSource), per_pixel };
  };
  return {
    versions,
    open: (other) => python.measure({ open: other }),
    draw: (run, design) => python.measure({ run, ...placed(design) }),
    drawPixels: (method, design) => python.measure({ pixels: method, ...placed(design) }),
    async png() {
      await python.send({ save: png });
      return readFile(png);
    },
    close: () => kept.disposeAsync(),
  };
}

const numbers = ({ a, b, c, d, e, f }: Affine) => [a, b, c, d, e, f];

function frameOf(group: GroupName, size: number) {
  const isometries = isometriesOf(group, plainDesign(group).lattice);
  const { tile } = squareTile(isometries, size, DEFAULT_FIELDS.hex_cells);
  const edgesPerPixel = Math.max(tile.toPlane.a, tile.toPlane.d);
  return { isometries, domain: domainOf(isometries), tile, edgesPerPixel };
}

/** Writes a group's map in files and returns what the peer needs to read it. */
async function writeMap(group: GroupName, size: number, folder: string) {
  const { isometries, domain, tile } = frameOf(group, size);
  const { elements, box } = windowOf(domain, plainDesign(group).seam);
  const base = new Float32Array(2 * size * size);
  const layers = elements.slice(1).map(({ element, factors }) => {
    const index: number[] = [];
    const weight: number[] = [];
    return { element, factors, index, weight };
  });
  const rows = Array.from({ length: size }, (_, y) => ({ y, from: 0, to: size }));
  for (const [y, line] of linesOf(rows, tile.toPlane).entries()) {
    unfold(domain, line, (piece) => {
      const { first, count, stepX, stepY } = piece;
      for (let k = 0; k < count; k++) {
        const at = y * size + first + k;
        const [px, py] = [piece.x + k * stepX, piece.y + k * stepY];
        base[2 * at] = px;
        base[2 * at + 1] = py;
        for (const { factors, index, weight } of layers) {
          const share = factors.reduce((product, one) => product * rampAt(one, px, py), 1);
          if (share === 0) continue;
          index.push(at);
          weight.push(share);
        }
      }
    });
  }
  const write = async (name: string, values: Float32Array | Int32Array) => {
    const path = join(folder, `${group}-${name}`);
    await writeFile(path, values);
    return path;
  };
  const { min, max } = box;
  return {
    group,
    size,
    base: await write("base", base),
    box: [
      [min.x, min.y],
      [max.x, min.y],
      [max.x, max.y],
      [min.x, max.y],
    ],
    layers: await Promise.all(
      layers
        .filter(({ index }) => index.length > 0)
        .map(async ({ element, index, weight }, n) => ({
          element: numbers(element),
          index: await write(`index-${n}`, Int32Array.from(index)),
          weight: await write(`weight-${n}`, Float32Array.from(weight)),
        })),
    ),
    elements: isometries.cosets.map(numbers),
    centre: [domain.centre.x, domain.centre.y],
  };
}

/** The weight's factor at a place of the domain, 0…1. */
function rampAt({ limit, f }: WindowFactor, px: number, py: number): number {
  const t = Math.min(1, Math.max(0, limit - Math.abs(f.x * px + f.y * py + f.k)));
  return t * t * (3 - 2 * t);
}
