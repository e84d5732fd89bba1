/** Digests of whole representations (RFC 9530), also for partial responses. */
export function digestHeader(sha256Hex: string) {
  return { "Repr-Digest": `sha-256=:${Buffer.from(sha256Hex, "hex").toString("base64")}:` };
}
