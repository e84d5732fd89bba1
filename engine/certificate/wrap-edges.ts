/** How visible the edges are at which a picture meets itself. */
import type { SeamScore, Swatch } from "./certificate.ts";

/** Lines that are looked at across each edge. */
const LINES = 512;
/** A picture smoother than this inside, in 8-bit steps, is taken to be so. */
const LEAST_STEP = 0.25;
/** An edge may step by this much more than the sharpest place inside: noise is no seam. */
const ALLOWANCE = 1.25;

/** Steps across the wrap edges beside the steps inside. */
export function seamScore(swatch: Swatch): SeamScore {
  const across = steps(swatch, "across");
  const down = steps(swatch, "down");
  return {
    left_right: across.mean && across.edge / across.mean,
    top_bottom: down.mean && down.edge / down.mean,
    seamless: across.seamless && down.seamless,
  };
}

/**
 * Mean absolute steps from each line of pixels to the next, the last being that of the edge; the
 * mean of those inside is null where there are none.
 */
function steps({ width, height, channels, pixels }: Swatch, direction: "across" | "down") {
  const along = direction === "across" ? width : height;
  const lines = direction === "across" ? height : width;
  const toNext = direction === "across" ? channels : width * channels;
  const toLine = direction === "across" ? width * channels : channels;
  const stride = Math.ceil(lines / LINES);
  const sums = new Float64Array(along);
  let count = 0;
  for (let line = 0; line < lines; line += stride) {
    count += channels;
    for (let i = 0; i < along; i++) {
      const here = line * toLine + i * toNext;
      const next = line * toLine + (i + 1 === along ? 0 : i + 1) * toNext;
      for (let c = 0; c < channels; c++) {
        sums[i] =
          (sums[i] as number) +
          Math.abs((pixels[here + c] as number) - (pixels[next + c] as number));
      }
    }
  }
  const inside = sums.subarray(0, along - 1);
  const edge = (sums[along - 1] as number) / count;
  const total = inside.reduce((sum, value) => sum + value, 0);
  const sharpest = inside.reduce((most, value) => Math.max(most, value), 0) / count;
  return {
    edge,
    mean: along === 1 ? null : Math.max(LEAST_STEP, total / count / inside.length),
    seamless: edge <= ALLOWANCE * sharpest + LEAST_STEP,
  };
}
