/** Composites transparency on paper. */
import { type Band, compositeBackground } from "../render/bands.ts";

const PAPER = "#ffffff";

/** Returns a band composited on white, without alpha. */
export const onPaper = (band: Band): Band => ({ ...band, ...compositeBackground(band, PAPER) });
