/** Transparent places as they look on paper. */
import { type Band, compositeBackground } from "../render/bands.ts";

/** What is seen where nothing is printed. */
const PAPER = "#ffffff";

/** A band without alpha. */
export const onPaper = (band: Band): Band => ({ ...band, ...compositeBackground(band, PAPER) });
