/** Tokens of customers who design without an account of their own, in a handoff of a shop's. */
import { decodeJwt, errors, jwtVerify, SignJWT } from "jose";

/** Whose guest it is, and in which handoff. */
export interface Guest {
  readonly accountId: number;
  readonly handoffId: number;
}

export interface GuestSessions {
  sign(guest: Guest): Promise<{ readonly token: string; readonly expiresAt: Date }>;
  /** Whose token it is; null when it is not valid. */
  verify(token: string): Promise<Guest | null>;
}

const AUDIENCE = "orbifold guest";
const ALGORITHM = "HS256";
const LIFETIME_SECONDS = 24 * 60 * 60;

/** Sessions that are signed and checked with a secret that all nodes share. */
export function createGuestSessions(secret: Uint8Array): GuestSessions {
  return {
    async sign({ accountId, handoffId }) {
      const expiresAt = new Date((Math.floor(Date.now() / 1000) + LIFETIME_SECONDS) * 1000);
      const token = await new SignJWT({ handoff: handoffId })
        .setProtectedHeader({ alg: ALGORITHM })
        .setAudience(AUDIENCE)
        .setSubject(String(accountId))
        .setExpirationTime(expiresAt)
        .sign(secret);
      return { token, expiresAt };
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify<{ handoff: number }>(token, secret, {
          audience: AUDIENCE,
          algorithms: [ALGORITHM],
        });
        return { accountId: Number(payload.sub), handoffId: payload.handoff };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

/** Whether a token says of itself that it is a guest's; who made it only `verify` can tell. */
export function isGuestToken(token: string): boolean {
  try {
    return decodeJwt(token).aud === AUDIENCE;
  } catch {
    return false;
  }
}
