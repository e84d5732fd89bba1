/** Signed tokens (JWT) of users, of guests, and of links to renders. */
import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { FailureCode } from "./failures.ts";

export type TokenTrust =
  /** Null: generated once and stored in the database, so that all nodes share it. */
  | { readonly kind: "secret"; readonly secret: string | null }
  | {
      readonly kind: "issuer";
      readonly jwksUrl: string;
      readonly issuer: string;
      readonly audience: string;
    };

export interface VerifiedToken {
  readonly accountId: number;
  /** Null for tokens of an outside issuer, which alone can revoke them. */
  readonly version: number | null;
}

export interface Tokens {
  /** Whether this service issues the tokens. */
  readonly isIssuer: boolean;
  /**
   * Returns a token for 12 hours with a version of the account's tokens. Throws `OutsideIssuer` if
   * this service does not issue tokens.
   */
  sign(
    accountId: number,
    version: number,
  ): Promise<{ readonly token: string; readonly expiresAt: Date }>;
  /**
   * Returns a token's account and version, which the caller compares with the account's; null for
   * an invalid token. Throws if an issuer's keys cannot be fetched.
   */
  verify(token: string): Promise<VerifiedToken | null>;
}

/** An outside issuer makes the tokens. */
export class OutsideIssuer extends Error {
  override readonly name = "OutsideIssuer";
  readonly code = "not_found" satisfies FailureCode;
  constructor(issuer: string) {
    super(`tokens are made by ${issuer}, not here`);
  }
}

/** The name of the stored secret that signs user session tokens. */
export const USER_SESSION_TOKENS = "people's tokens";

const OURS = { issuer: "orbifold", audience: "orbifold" };
const LIFETIME_SECONDS = 12 * 60 * 60;
const ALGORITHM = "HS256";

/** Signature algorithms with public keys. */
const PUBLIC_KEY_ALGORITHMS =
  "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

/** Codes of jose's errors that are faults of the issuer, not of the token. */
const ISSUER_FAULTS = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"]);

/** Returns the account id in a claim; null if it is invalid. */
function accountOf(claim: unknown): number | null {
  if (!/^[1-9]\d{0,15}$/.test(String(claim))) return null;
  const accountId = Number(claim);
  return Number.isSafeInteger(accountId) ? accountId : null;
}

/** Returns the result of `read` for a valid token's payload; null for an invalid token. */
async function readOrNull<Payload extends JWTPayload, Result>(
  verified: Promise<{ payload: Payload }>,
  read: (payload: Payload) => Result | null,
): Promise<Result | null> {
  try {
    return read((await verified).payload);
  } catch (error) {
    if (error instanceof errors.JOSEError && !ISSUER_FAULTS.has(error.code)) return null;
    throw error;
  }
}

function issuerTokens({ jwksUrl, issuer, audience }: TokenTrust & { kind: "issuer" }): Tokens {
  const keys = createRemoteJWKSet(new URL(jwksUrl));
  const algorithms = PUBLIC_KEY_ALGORITHMS;
  const options = { issuer, audience, algorithms, requiredClaims: ["exp"] };
  return {
    isIssuer: false,
    sign: () => Promise.reject(new OutsideIssuer(issuer)),
    // Not the subject, since issuers number their own users.
    verify: (token) =>
      readOrNull(jwtVerify(token, keys, options), ({ account_id }) => {
        const accountId = accountOf(account_id);
        return accountId === null ? null : { accountId, version: null };
      }),
  };
}

/**
 * Creates the configured issuer and verifier of tokens; `kept` returns the stored secret, for a
 * configuration without one.
 */
export async function createTokens(
  trust: TokenTrust,
  kept: () => Promise<Uint8Array>,
): Promise<Tokens> {
  if (trust.kind === "issuer") return issuerTokens(trust);
  const key = trust.secret === null ? await kept() : new TextEncoder().encode(trust.secret);
  return {
    isIssuer: true,
    async sign(accountId, version) {
      const now = Math.floor(Date.now() / 1000);
      const expiresAt = new Date((now + LIFETIME_SECONDS) * 1000);
      const token = await new SignJWT({ ver: version })
        .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
        .setSubject(String(accountId))
        .setIssuer(OURS.issuer)
        .setAudience(OURS.audience)
        .setIssuedAt(now)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { token, expiresAt };
    },
    verify: (token) =>
      readOrNull(jwtVerify(token, key, { ...OURS, algorithms: [ALGORITHM] }), ({ sub, ver }) => {
        const accountId = accountOf(sub);
        return accountId !== null && typeof ver === "number" && Number.isSafeInteger(ver)
          ? { accountId, version: ver }
          : null;
      }),
  };
}

/** A customer without an account of their own, in a handoff of a shop's account. */
export interface Guest {
  readonly accountId: number;
  readonly handoffId: number;
}

export interface GuestSessions {
  sign(guest: Guest): Promise<{ readonly token: string; readonly expiresAt: Date }>;
  /** Returns a token's guest; null for an invalid token. */
  verify(token: string): Promise<Guest | null>;
}

const GUEST_AUDIENCE = "orbifold guest";
/** Lifetime of a guest session. */
export const GUEST_LIFETIME_SECONDS = 24 * 60 * 60;

/** Creates guest sessions, signed with a secret that all nodes share. */
export function createGuestSessions(secret: Uint8Array): GuestSessions {
  return {
    async sign({ accountId, handoffId }) {
      const expiresAt = new Date((Math.floor(Date.now() / 1000) + GUEST_LIFETIME_SECONDS) * 1000);
      const token = await new SignJWT({ handoff: handoffId })
        .setProtectedHeader({ alg: ALGORITHM })
        .setAudience(GUEST_AUDIENCE)
        .setSubject(String(accountId))
        .setExpirationTime(expiresAt)
        .sign(secret);
      return { token, expiresAt };
    },
    verify(token) {
      const options = { audience: GUEST_AUDIENCE, algorithms: [ALGORITHM] };
      const verified = jwtVerify<{ handoff: number }>(token, secret, options);
      return readOrNull(verified, ({ sub, handoff }) => ({
        accountId: Number(sub),
        handoffId: handoff,
      }));
    },
  };
}

/** Whether a token claims to be a guest's; only `verify` checks it. */
export function isGuestToken(token: string): boolean {
  try {
    return decodeJwt(token).aud === GUEST_AUDIENCE;
  } catch {
    return false;
  }
}

/** The token is authentic, but its link has expired or been deleted. */
export class LinkGone extends Error {
  override readonly name = "LinkGone";
  readonly code = "gone" satisfies FailureCode;
}

/** The token was not issued by this service. */
class InvalidLink extends Error {
  override readonly name = "InvalidLink";
  readonly code = "not_found" satisfies FailureCode;
  constructor() {
    super("the link was not issued by this service: its token is forged or incomplete");
  }
}

export interface RenderLinks {
  /** Returns a token for a pinned render, of about 160 characters. */
  sign(pinnedRenderId: string, expiresAt: Date): Promise<string>;
  /** Returns a token's pinned render. Throws InvalidLink, and LinkGone after its expiry. */
  verify(token: string): Promise<{ readonly id: string; readonly expiresAt: Date }>;
}

/**
 * Creates the tokens of signed URLs: a JWS with the id of a pinned render and its expiry, signed
 * with a secret that all nodes share.
 */
export function createRenderLinks(secret: Uint8Array): RenderLinks {
  return {
    sign: (id, expiresAt) =>
      new SignJWT({ render: Buffer.from(id, "hex").toString("base64url") })
        .setProtectedHeader({ alg: ALGORITHM })
        .setExpirationTime(expiresAt)
        .sign(secret),

    async verify(token) {
      const options = { algorithms: [ALGORITHM], requiredClaims: ["exp"] };
      const { payload } = await jwtVerify(token, secret, options).catch((error) => {
        if (error instanceof errors.JWTExpired) throw new LinkGone("the link has expired");
        throw error instanceof errors.JOSEError ? new InvalidLink() : error;
      });
      const { render, exp = 0 } = payload;
      if (typeof render !== "string") {
        throw new LinkGone("the link has an outdated format: request a new one");
      }
      const id = Buffer.from(render, "base64url").toString("hex");
      return { id, expiresAt: new Date(exp * 1000) };
    },
  };
}
