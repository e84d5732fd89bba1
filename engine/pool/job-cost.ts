/** Estimates the cost of jobs for fair queueing. */

import { isometriesOfDesign } from "../geometry/counterchange.ts";
import { cellTile, tileOf } from "../geometry/repeating-tile.ts";
import { printPeriod } from "../print/period.ts";
import { sheetOf } from "../print/sheet.ts";
import {
  type PrintRequest,
  type RenderFields,
  type RenderRequest,
  type SheetRequest,
  tileEdgesOf,
} from "../recipe/index.ts";
import { periodPixels } from "../render/aperiodic.ts";
import { sizeOf } from "../render/picture-size.ts";
import { supersamplingOf } from "../render/supersampling.ts";
import type { Size } from "../size.ts";
import type { Job } from "./job.ts";

const MEGA = 1e6;

/** Cost of inspecting a picture of unknown size, in megapixels. */
export const INSPECTION_COST = 10;

/** Cost of a certificate's pixel relative to a rendered one. */
const CERTIFICATE = 5;

/** A mockup takes 0.1 to 0.3 s of a thread, and up to 1 s more if its cell is larger than its print. */
const MOCKUP = 2;

/** A level, the colours or ideas of a source: few megapixels, but it may have to be decoded and prepared. */
const LEVEL = 10;

/** Of a job that continues to prepare a source, for 50 ms. */
const CONTINUED = 0.5;

/** Cost of tracing a pixel relative to rendering one. */
const VECTOR = 4;

/** A map takes 1 to 6 s. */
const MAP = 40;

/** Returns the estimated cost of a job in megapixels. */
export function estimateCost(job: Job): number {
  switch (job.kind) {
    case "describe":
      return 0;
    case "help":
      // The job that is helped costs all of it.
      return 0;
    case "certify":
      return job.subject.kind === "design"
        ? (CERTIFICATE * job.subject.fields.size ** 2) / MEGA
        : INSPECTION_COST;
    case "preset":
      return job.size ** 2 / MEGA;
    case "prepare":
      return job.isBegun ? CONTINUED : LEVEL;
    case "level":
    case "colours":
    case "ideas":
      return LEVEL;
    case "inks":
    case "separation":
      return areaOf(tileOf(isometriesOfDesign(job.design), job.fields).tile);
    case "vector":
      return VECTOR * areaOf(cellTile(isometriesOfDesign(job.design), job.size).tile);
    case "mockup":
      return MOCKUP;
    case "map":
      return MAP;
    case "strip":
      return sheetCost(sheetRequestOf(job.request), job.strip.count);
    case "render":
    case "stream":
      return sheetCost(job.request);
    case "print": {
      const { design, print } = job.request;
      const period = printPeriod(design, print)?.geometry;
      return period ? areaOf(period) : sheetCost(sheetRequestOf(job.request));
    }
  }
}

const sheetRequestOf = (request: RenderRequest | PrintRequest): SheetRequest =>
  "print" in request ? { ...request, render: sheetOf(request.print) } : request;

/** Returns the cost of some rows of a sheet, or of all. */
function sheetCost({ design, render }: SheetRequest, rows?: number): number {
  const { width, height } = sizeOf(design, render);
  const finer = supersamplingOf(design, render) ** 2;
  const area = areaOf({ width, height: rows ?? height }) * finer;
  if (render.mode !== "aperiodic") return area;
  return area * tilesCost(render) + (periodPixels(design, render) * finer) / MEGA;
}

/** Cost of a pixel of an aperiodic sheet with sharp edges relative to others, and with the widest zones. */
const SHARP_TILES = 1.5;
const BLENDED_TILES = 3.5;

function tilesCost({ aperiodic }: RenderFields): number {
  if (aperiodic.kind === "quasicrystal") return 1;
  return SHARP_TILES + (BLENDED_TILES - SHARP_TILES) * (tileEdgesOf(aperiodic).blend / 0.5);
}

const areaOf = ({ width, height }: Size) => (width * height) / MEGA;
