/** People's tokens (JWT): made and checked with a secret of our own, or checked against an outside issuer's keys. */
import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, SignJWT } from "jose";

export type TokenTrust =
  /** Null: generated once and kept in the data folder. */
  | { readonly kind: "secret"; readonly secret: string | null }
  | {
      readonly kind: "issuer";
      readonly jwksUrl: string;
      readonly issuer: string;
      readonly audience: string;
    };

export interface Tokens {
  /** Whether tokens are made here, and not by an outside issuer. */
  readonly areOurs: boolean;
  /** A token for 12 hours. Throws `OutsideIssuer` where somebody else makes them. */
  sign(accountId: number): Promise<{ readonly token: string; readonly expiresAt: Date }>;
  /** Whose token it is; null when it is not valid. Throws when an issuer's keys cannot be fetched. */
  verify(token: string): Promise<{ readonly accountId: number } | null>;
}

/** Tokens come from somebody else here. */
export class OutsideIssuer extends Error {
  override readonly name = "OutsideIssuer";
  constructor(issuer: string) {
    super(`tokens are made by ${issuer}, not here`);
  }
}

const OURS = { issuer: "orbifold", audience: "orbifold" };
const LIFETIME_SECONDS = 12 * 60 * 60;

/** Signatures whose checking key is no secret. */
const PUBLIC_KEY_ALGORITHMS =
  "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

/** What jose says when the fault is the issuer's answer and not the token. */
const ISSUER_FAULTS = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"]);

/** The secret of this installation. Written beside its place and linked there, so that processes that start together agree. */
async function keptSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, "jwt-secret");
  const read = () => readFile(file, "utf8").catch(() => null);
  const kept = await read();
  if (kept !== null) return kept;
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  await mkdir(dataDir, { recursive: true });
  await writeFile(draft, randomBytes(32).toString("hex"), { mode: 0o600 });
  // Refused when another process was faster: then its secret is the one.
  await link(draft, file).catch(() => undefined);
  await rm(draft);
  return readFile(file, "utf8");
}

/** The account is the subject, or, for issuers with subjects of their own, the claim `account_id`. */
function accountOf({ account_id = null, sub }: JWTPayload): { accountId: number } | null {
  const id = account_id ?? sub;
  if (!/^[1-9]\d{0,15}$/.test(String(id))) return null;
  const accountId = Number(id);
  return Number.isSafeInteger(accountId) ? { accountId } : null;
}

/** A token that is wrong is an answer; keys that cannot be had are not. */
async function accountOrNull(verified: Promise<{ payload: JWTPayload }>) {
  try {
    return accountOf((await verified).payload);
  } catch (error) {
    if (error instanceof errors.JOSEError && !ISSUER_FAULTS.has(error.code)) return null;
    throw error;
  }
}

function issuerTokens({ jwksUrl, issuer, audience }: TokenTrust & { kind: "issuer" }): Tokens {
  const keys = createRemoteJWKSet(new URL(jwksUrl));
  const options = { issuer, audience, algorithms: PUBLIC_KEY_ALGORITHMS };
  return {
    areOurs: false,
    sign: () => Promise.reject(new OutsideIssuer(issuer)),
    verify: (token) => accountOrNull(jwtVerify(token, keys, options)),
  };
}

/** The maker and checker of tokens that the configuration asks for. */
export async function createTokens(config: {
  readonly dataDir: string;
  readonly tokens: TokenTrust;
}): Promise<Tokens> {
  if (config.tokens.kind === "issuer") return issuerTokens(config.tokens);
  const secret = config.tokens.secret ?? (await keptSecret(config.dataDir));
  const key = new TextEncoder().encode(secret);
  return {
    areOurs: true,
    async sign(accountId) {
      const now = Math.floor(Date.now() / 1000);
      const expiresAt = new Date((now + LIFETIME_SECONDS) * 1000);
      const token = await new SignJWT()
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setSubject(String(accountId))
        .setIssuer(OURS.issuer)
        .setAudience(OURS.audience)
        .setIssuedAt(now)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { token, expiresAt };
    },
    verify: (token) => accountOrNull(jwtVerify(token, key, { ...OURS, algorithms: ["HS256"] })),
  };
}
