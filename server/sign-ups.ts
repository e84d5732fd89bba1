/** Sign-up policy of the configuration. */
import { isLoopback } from "./actions/origins.ts";
import type { SignUps } from "./actions/services.ts";

export const SIGNUPS = ["auto", "open", "closed"] as const;

interface Variables {
  readonly SIGNUPS: (typeof SIGNUPS)[number];
  readonly SMTP_URL: string | null;
  readonly HOST: string;
  readonly PUBLIC_URL: string | null;
  readonly TRUSTED_PROXIES: number;
}

/**
 * Returns who may sign up. Without mail no address can be verified, so that only callers on this
 * machine may, and nobody if the service is configured for other callers.
 */
export function readSignUps({
  SIGNUPS,
  SMTP_URL,
  HOST,
  PUBLIC_URL,
  TRUSTED_PROXIES,
}: Variables): SignUps {
  if (SIGNUPS === "open") return "anyone";
  if (SIGNUPS === "closed") return "nobody";
  if (SMTP_URL !== null) return "anyone";
  const isLocal =
    isLoopback(HOST.includes(":") ? `[${HOST}]` : HOST) &&
    (PUBLIC_URL === null || isLoopback(new URL(PUBLIC_URL).hostname)) &&
    TRUSTED_PROXIES === 0;
  return isLocal ? "loopback" : "nobody";
}

const WHO: Readonly<Record<SignUps, string>> = {
  anyone: "open to anyone",
  loopback: "open to callers on this machine only (no SMTP_URL); behind a proxy set PUBLIC_URL",
  nobody: "closed: the operator creates accounts",
};

/** Describes the sign-up policy for the operator. */
export function describeSignUps(signUps: SignUps, sendsMail: boolean): string {
  const credits = sendsMail ? "; trial credits come with a verified e-mail address" : "";
  return `sign-ups are ${WHO[signUps]}${signUps === "nobody" ? "" : credits}`;
}
