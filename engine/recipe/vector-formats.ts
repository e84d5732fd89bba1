/** Formats of patterns as curves. */
import { keysOf } from "../../shaders/lib/keys-of.ts";

const ROWS = {
  svg: { mediaType: "image/svg+xml" },
  pdf: { mediaType: "application/pdf" },
} as const;

export type VectorFormat = keyof typeof ROWS;

export const vectorFacts: Readonly<Record<VectorFormat, { readonly mediaType: string }>> = ROWS;

/** In display order. */
export const VECTOR_FORMATS = keysOf(ROWS);
