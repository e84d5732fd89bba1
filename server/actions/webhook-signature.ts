/**
 * How receivers can tell that a delivery is ours: with `X-Service-Signature`, and with the three
 * headers of https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import { createHmac, randomBytes } from "node:crypto";

const MARK = "whsec_";
const KEY_BYTES = 32;

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function makeWebhookSecret(): string {
  return MARK + randomBytes(KEY_BYTES).toString("base64");
}

export interface Signed {
  readonly deliveryId: string;
  readonly event: string;
  /** What is sent, to the byte. */
  readonly body: string;
  readonly secret: string;
  /** The one before it, as long as receivers may still go by it. */
  readonly previousSecret: string | null;
  /** When it is sent, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * The headers that sign a delivery. The standard's carry a signature for each secret, the newest
 * first. `X-Service-Signature` has room for one: of the secret that every receiver knows already.
 */
export function signedHeaders({
  deliveryId,
  event,
  body,
  secret,
  previousSecret,
  now,
}: Signed): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const signatures = secrets.map((one) => {
    const key = Buffer.from(one.slice(MARK.length), "base64");
    const content = `${deliveryId}.${timestamp}.${body}`;
    return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
  });
  // Here the key is the secret as it is shown, and not what it encodes.
  const plain = createHmac("sha256", previousSecret ?? secret)
    .update(body)
    .digest("hex");
  return {
    "X-Service-Event": event,
    "X-Service-Signature": `sha256=${plain}`,
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
