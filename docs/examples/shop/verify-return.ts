import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Whether the service signed what a customer returned with. False where a parameter is missing, or there
 * twice: a framework might read the other one.
 */
export function verifyReturn(query: URLSearchParams, secret: string): boolean {
  const only = (name: string) => {
    const [value, ...more] = query.getAll(name);
    return more.length === 0 ? value : undefined;
  };
  const [handoff, status, signature] = [only("pf_handoff"), only("pf_status"), only("pf_sig")];
  const pattern = query.has("pf_pattern_id") ? only("pf_pattern_id") : "";
  const state = query.has("state") ? only("state") : "";
  if (!handoff || !signature || pattern === undefined || state === undefined) return false;
  if (status !== (pattern === "" ? "cancelled" : "finished")) return false;
  const signed = `${handoff}.${pattern}.${status}.${state}`;
  const expected = Buffer.from(createHmac("sha256", secret).update(signed).digest("hex"));
  const received = Buffer.from(signature);
  return received.length === expected.length && timingSafeEqual(received, expected);
}
