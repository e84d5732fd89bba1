/** Pixels as kernels return them. */

/** Packed colours (r·65536 + g·256 + b), and alpha 0…255 or null if all are opaque. */
export interface Samples {
  readonly colour: Float32Array;
  readonly alpha: Float32Array | null;
}

/** Returns samples from … to − 1, or to the end, as views of the same memory. */
export const partOf = ({ colour, alpha }: Samples, from: number, to?: number): Samples => ({
  colour: colour.subarray(from, to),
  alpha: alpha?.subarray(from, to) ?? null,
});
