/** Alpha 0…255 as 16-bit numbers 0…65535, for the filters that work on such planes. */
export function alphaPlane(alpha: Float32Array): Uint16Array {
  const plane = new Uint16Array(alpha.length);
  for (let i = 0; i < plane.length; i++) plane[i] = alpha[i] * 257;
  return plane;
}
