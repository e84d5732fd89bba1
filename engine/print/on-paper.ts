/** Transparent places as they look on paper. */
import { type Band, layBackground } from "../render/bands.ts";

/** What is seen where nothing is printed. */
const PAPER = "#ffffff";

/** A band without alpha. */
export const onPaper = (band: Band): Band => ({ ...band, ...layBackground(band, PAPER) });
