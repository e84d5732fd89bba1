/** People's tokens (JWT): made and checked with a secret of our own, or checked against an outside issuer's keys. */
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, SignJWT } from "jose";

export type TokenTrust =
  /** Null: generated once and kept in the database, so that all nodes have the same one. */
  | { readonly kind: "secret"; readonly secret: string | null }
  | {
      readonly kind: "issuer";
      readonly jwksUrl: string;
      readonly issuer: string;
      readonly audience: string;
    };

export interface VerifiedToken {
  readonly accountId: number;
  /** Null for tokens of an outside issuer, who alone can revoke them. */
  readonly version: number | null;
}

export interface Tokens {
  /** Whether tokens are made here, and not by an outside issuer. */
  readonly areOurs: boolean;
  /**
   * A token for 12 hours in a version of the account's tokens. Throws `OutsideIssuer` where somebody
   * else makes them.
   */
  sign(
    accountId: number,
    version: number,
  ): Promise<{ readonly token: string; readonly expiresAt: Date }>;
  /**
   * Whose token it is, and its version, which the caller compares with the account's; null when it is
   * not valid. Throws when an issuer's keys cannot be fetched.
   */
  verify(token: string): Promise<VerifiedToken | null>;
}

/** Tokens come from somebody else here. */
export class OutsideIssuer extends Error {
  override readonly name = "OutsideIssuer";
  constructor(issuer: string) {
    super(`tokens are made by ${issuer}, not here`);
  }
}

/** The name of the secret that is kept for them. */
export const USER_SESSION_TOKENS = "people's tokens";

const OURS = { issuer: "orbifold", audience: "orbifold" };
const LIFETIME_SECONDS = 12 * 60 * 60;

/** Signatures whose checking key is no secret. */
const PUBLIC_KEY_ALGORITHMS =
  "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

/** What jose says when the fault is the issuer's answer and not the token. */
const ISSUER_FAULTS = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"]);

/** An account's number as a claim holds it. */
function accountOf(claim: unknown): number | null {
  if (!/^[1-9]\d{0,15}$/.test(String(claim))) return null;
  const accountId = Number(claim);
  return Number.isSafeInteger(accountId) ? accountId : null;
}

/** What `read` returns of a valid token's payload; null for a token that is not valid. */
async function readOrNull(
  verified: Promise<{ payload: JWTPayload }>,
  read: (payload: JWTPayload) => VerifiedToken | null,
): Promise<VerifiedToken | null> {
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
    areOurs: false,
    sign: () => Promise.reject(new OutsideIssuer(issuer)),
    // Not the subject: an issuer that numbers its own users would hand out others' accounts.
    verify: (token) =>
      readOrNull(jwtVerify(token, keys, options), ({ account_id }) => {
        const accountId = accountOf(account_id);
        return accountId === null ? null : { accountId, version: null };
      }),
  };
}

/**
 * The maker and checker of tokens that the configuration asks for; `kept` gives the secret of this
 * installation where the configuration names none.
 */
export async function createTokens(
  trust: TokenTrust,
  kept: () => Promise<Uint8Array>,
): Promise<Tokens> {
  if (trust.kind === "issuer") return issuerTokens(trust);
  const key = trust.secret === null ? await kept() : new TextEncoder().encode(trust.secret);
  return {
    areOurs: true,
    async sign(accountId, version) {
      const now = Math.floor(Date.now() / 1000);
      const expiresAt = new Date((now + LIFETIME_SECONDS) * 1000);
      const token = await new SignJWT({ ver: version })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setSubject(String(accountId))
        .setIssuer(OURS.issuer)
        .setAudience(OURS.audience)
        .setIssuedAt(now)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { token, expiresAt };
    },
    verify: (token) =>
      readOrNull(jwtVerify(token, key, { ...OURS, algorithms: ["HS256"] }), ({ sub, ver }) => {
        const accountId = accountOf(sub);
        return accountId !== null && Number.isSafeInteger(ver)
          ? { accountId, version: ver as number }
          : null;
      }),
  };
}
