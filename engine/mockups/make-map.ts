/**
 * Computes the map of a scene: every pixel is sampled once, those on edges many times, and samples of
 * the print are stored with the pixel's footprint on it.
 */
import { emptyFragment } from "../../scenes/fragment.ts";
import { hash } from "../../scenes/noise.ts";
import { type Fragment, MOCKUP_SIZE, type Scene } from "../../scenes/scene.ts";
import { packLight } from "../image/packed.ts";
import { densityOf } from "./density.ts";
import { isEdge } from "./edges.ts";
import { createFrame, type Frame } from "./frame.ts";
import { EXPOSURE, headerBytes, type MapHeader, PARTS } from "./map.ts";
import type { Outline } from "./outline.ts";
import { createSampleBlocks, type SampleBlocks } from "./sample-blocks.ts";

/** Rows between two checkpoints. */
const BAND = 32;

/** Sample points of a pixel on an edge: a lattice with no two points in one column or row. */
const POINTS = Array.from({ length: PARTS }, (_, k) => ({
  x: (k + 0.5) / PARTS,
  y: (((k * 3) % PARTS) + 0.5) / PARTS,
}));

/** Amplitude of the grain that dithers slow gradients, as a share of the light. */
const GRAIN = 0.008;

/**
 * Computes a scene's map for pictures of `size` pixels a side. Returns its bytes in pieces.
 * @param checkpoint called every few rows; may throw
 */
export async function makeMap(
  scene: Scene,
  size: number,
  checkpoint: () => Promise<void>,
): Promise<readonly Uint8Array[]> {
  const frame = createFrame(scene, size, BAND);
  const sections: MapSections = {
    size,
    background: new Uint8Array(3 * size * size),
    runs: [],
    edges: [],
    under: [],
    wholes: createSampleBlocks(),
    parts: createSampleBlocks(),
  };
  const samplePixel = createPixelSampler(scene, frame, sections);
  for (let first = 0; first < size; first += BAND) {
    const count = Math.min(BAND, size - first);
    frame.sample(first, count);
    for (let y = first; y < first + count; y++) {
      for (let x = 0; x < size; x++) samplePixel(x, y);
    }
    await checkpoint();
  }
  const { background, runs, edges, under, wholes, parts } = sections;
  const header: MapHeader = {
    size,
    runs: runs.length / 2,
    edges: edges.length / 2,
    wholes: wholes.count(),
    parts: parts.count(),
    density: densityOf(scene, size),
  };
  return [
    headerBytes(header),
    background,
    bytesOf(Uint32Array.from(runs)),
    bytesOf(Uint32Array.from(edges)),
    ...wholes.blocks,
    ...parts.blocks,
    Uint8Array.from(under),
  ];
}

const bytesOf = ({ buffer }: Uint32Array) => new Uint8Array(buffer);

interface MapSections {
  readonly size: number;
  readonly background: Uint8Array;
  readonly runs: number[];
  readonly edges: number[];
  readonly under: number[];
  readonly wholes: SampleBlocks;
  readonly parts: SampleBlocks;
}

/** Returns a function that samples a pixel of the frame; called in the order of the pixels. */
function createPixelSampler(scene: Scene, frame: Frame, sections: MapSections) {
  const { size, background, runs, edges, under, wholes, parts } = sections;
  const scale = MOCKUP_SIZE / size;
  const outline: Outline = { ux: 0, uy: 0, vx: 0, vy: 0 };
  const fragment = emptyFragment();
  let end = -1;

  const setBackground = (pixel: number, packed: number) => {
    background[3 * pixel] = packed >> 16;
    background[3 * pixel + 1] = packed >> 8;
    background[3 * pixel + 2] = packed;
  };

  const samplePoints = (x: number, y: number, grain: number) => {
    const beside = new Float64Array(3);
    let printed = 0;
    for (const point of POINTS) {
      scene.sample((x + point.x) * scale, (y + point.y) * scale, fragment);
      const { mask, red, green, blue } = fragment;
      const rest = ((1 - mask) * grain) / PARTS;
      beside[0] += rest * red;
      beside[1] += rest * green;
      beside[2] += rest * blue;
      if (mask === 0) continue;
      frame.outlineNear(x, y, fragment.piece, outline);
      parts.add(fragment, outline, mask * grain);
      const packed = packBare(fragment, EXPOSURE * mask * grain);
      under.push(packed >> 16, (packed >> 8) & 255, packed & 255);
      printed++;
    }
    const pixel = y * size + x;
    setBackground(pixel, packLight(beside[0], beside[1], beside[2]));
    if (printed > 0) edges.push(pixel, printed);
  };

  const addToRun = (pixel: number) => {
    if (pixel === end) runs[runs.length - 1]++;
    else runs.push(pixel, 1);
    end = pixel + 1;
  };

  return (x: number, y: number): void => {
    const grain = 1 + GRAIN * (hash(x, y) - 0.5);
    frame.read(x, y, fragment);
    const { mask } = fragment;
    if ((mask > 0 && mask < 1) || isEdge(frame, x, y)) {
      samplePoints(x, y, grain);
      return;
    }
    const pixel = y * size + x;
    setBackground(pixel, packBare(fragment, mask > 0 ? EXPOSURE * grain : grain));
    if (mask === 0) return;
    frame.outline(x, y, outline);
    wholes.add(fragment, outline, grain);
    addToRun(pixel);
  };
}

/** Returns a fragment's own colour in some light, packed. */
const packBare = ({ red, green, blue }: Fragment, light: number) =>
  packLight(light * red, light * green, light * blue);
