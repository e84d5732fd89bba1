/** Digests of whole bodies (RFC 9530), whatever part of them is sent. */
export function digestHeader(sha256Hex: string) {
  return { "Repr-Digest": `sha-256=:${Buffer.from(sha256Hex, "hex").toString("base64")}:` };
}
