/** How much work a job is, so that those who ask for much wait longer than those who ask for little. */

import { printPeriod } from "../print/period.ts";
import { sheetOf } from "../print/sheet.ts";
import { sizeOf } from "../recipe/check.ts";
import type { Job } from "./job.ts";

const MEGA = 1e6;

/** A picture of unknown size that is inspected, in megapixels. */
export const INSPECTION = 10;

/** What a certificate costs beside a tile that is rendered, for each of its pixels. */
const CERTIFICATE = 5;

/** A mockup takes 0.1 to 0.3 seconds of a thread, and up to one more with a cell larger than its print. */
const MOCKUP = 2;

/** A map takes 1 to 6 seconds. */
const MAP = 40;

/** The pixels that a job computes, in megapixels, about. */
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
    case "mockup":
      return MOCKUP;
    case "map":
      return MAP;
    case "strip":
      return (sizeOf(job.request.render).width * job.strip.count) / MEGA;
    case "render":
    case "stream":
      return areaOf(sizeOf(job.request.render));
    case "print": {
      const { design, print } = job.request;
      return areaOf(printPeriod(design, print)?.geometry ?? sizeOf(sheetOf(print)));
    }
  }
}

const areaOf = ({ width, height }: { readonly width: number; readonly height: number }) =>
  (width * height) / MEGA;
