/** Pixels as kernels give them. */

/** Packed colours (r·65536 + g·256 + b), and alpha 0…255 or null where all is opaque. */
export interface Samples {
  readonly colour: Float32Array;
  readonly alpha: Float32Array | null;
}
