/** Estimates the cost of jobs for fair queueing. */

import { printPeriod } from "../print/period.ts";
import { sheetOf } from "../print/sheet.ts";
import { sheetSize } from "../recipe/check.ts";
import type { SheetRequest } from "../recipe/index.ts";
import { sizeOf } from "../render/picture-size.ts";
import type { Size } from "../size.ts";
import type { Job } from "./job.ts";

const MEGA = 1e6;

/** Cost of inspecting a picture of unknown size, in megapixels. */
export const INSPECTION = 10;

/** Cost of a certificate's pixel relative to a rendered one. */
const CERTIFICATE = 5;

/** A mockup takes 0.1 to 0.3 s of a thread, and up to 1 s more if its cell is larger than its print. */
const MOCKUP = 2;

/** A level has few megapixels, but its source may have to be decoded and prepared. */
const LEVEL = 10;

/** A map takes 1 to 6 s. */
const MAP = 40;

/** Returns the estimated cost of a job in megapixels. */
export function estimateCost(job: Job): number {
  switch (job.kind) {
    case "describe":
      return 0;
    case "certify":
      return job.subject.kind === "design"
        ? (CERTIFICATE * job.subject.fields.size ** 2) / MEGA
        : INSPECTION;
    case "preset":
      return job.size ** 2 / MEGA;
    case "prepare":
    case "level":
      return LEVEL;
    case "mockup":
      return MOCKUP;
    case "map":
      return MAP;
    case "strip":
      return (pixelsOf(job.request).width * job.strip.count) / MEGA;
    case "render":
    case "stream":
      return areaOf(pixelsOf(job.request));
    case "print": {
      const { design, print } = job.request;
      return areaOf(printPeriod(design, print)?.geometry ?? sheetSize(sheetOf(print)));
    }
  }
}

const pixelsOf = ({ design, render }: SheetRequest) => sizeOf(design, render);

const areaOf = ({ width, height }: Size) => (width * height) / MEGA;
