/**
 * API keys: `pf_`, 32 random base62 characters, and their CRC-32 in 6 base62 characters, so that
 * mistyped keys are refused without a query.
 */
import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import Type, { type Static } from "typebox";
import type { Account, ApiKey as ApiKeyRow, AuthenticatedKey, Database } from "../../db/index.ts";
import type { FailureCode } from "./failures.ts";
import { Id, Name, strict, Timestamp } from "./fields.ts";
import { KEY_LIMITS, keyLimit, type LimitUse } from "./rate-limits.ts";

/** What a key may do: each scope with its operations. */
const SCOPES = {
  read: "read and render",
  write: "create, change and delete sources, patterns, exports and mockups",
  shops: "make handoffs for a shop's customers",
  account: "read and change the account's settings and webhooks",
  mcp: "use all MCP tools",
} as const;
export type Scope = keyof typeof SCOPES;
const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

const Scopes = Type.Array(Type.Enum(SCOPE_NAMES), {
  minItems: 1,
  maxItems: SCOPE_NAMES.length,
  uniqueItems: true,
  examples: [SCOPE_NAMES],
  description: `What the key may do. ${Object.entries(SCOPES)
    .map(([name, words]) => `\`${name}\`: ${words}.`)
    .join(" ")}`,
});

/** The key may not do this: it was created for other operations. */
export class ScopeRequired extends Error {
  override readonly name = "ScopeRequired";
  readonly code = "scope_required" satisfies FailureCode;
  constructor(scope: Scope) {
    super(`the API key lacks the scope ${scope}: it may not ${SCOPES[scope]}`);
  }
}

/** Throws `ScopeRequired` unless a key with these scopes has this one. */
export function requireScope(scopes: readonly string[] | null, scope: Scope): void {
  if (scopes !== null && !scopes.includes(scope)) throw new ScopeRequired(scope);
}

export const ApiKeyFields = Type.Object(
  { name: Name(100), scopes: Type.Optional(Scopes) },
  {
    ...strict,
    description: "A key without `scopes` may do everything, also what is added later.",
  },
);

const fields = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: "First characters of the secret." }),
  last_four: Type.String({ description: "Last characters of the secret." }),
  scopes: Scopes,
  created_at: Timestamp,
  last_used_at: Type.Union([Timestamp, Type.Null()]),
};

const example = {
  id: 3,
  name: "shop",
  prefix: "pf_irRe",
  last_four: "0oof",
  scopes: ["read"],
  created_at: "2026-01-31T12:00:00.000Z",
  last_used_at: null,
};

export const ApiKey = Type.Object(fields, {
  ...strict,
  examples: [example],
  description: "A key for programs. Its secret is not stored.",
});
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Type.Object(
  { ...fields, secret: Type.String({ description: "The key itself; only in this response." }) },
  {
    ...strict,
    description: "A new key.",
    examples: [{ ...example, secret: "pf_irRe9t3IQy7qInmJcSy8LNjhf2C06iYC4W0oof" }],
  },
);

/** Returns a key as the API represents it. */
export function toApiKeyResponse(row: ApiKeyRow): ApiKey {
  const { account_id: _, scopes, created_at, last_used_at, ...shown } = row;
  return {
    ...shown,
    scopes: (scopes as Scope[] | null) ?? SCOPE_NAMES,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}

const MARK = "pf_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${MARK}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** 62⁶ exceeds 2³²: six characters suffice. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  while (digits.length < CHECKSUM_LENGTH) {
    digits = DIGITS[rest % DIGITS.length] + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}

function makeSecret(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]);
  const body = `${MARK}${random.join("")}`;
  return body + checksum(body);
}

const digest = (secret: string) => createHash("sha256").update(secret).digest("hex");

/** Whether a text has the form and the checksum of a key. */
export function isWellFormedKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/**
 * Creates a key for an existing account, with all scopes if none are given. Only the hash of the secret is
 * stored. Throws QuotaExceeded.
 */
export async function createApiKey(
  db: Database,
  accountId: number,
  name: string,
  scopes: readonly Scope[] | null = null,
): Promise<{ readonly key: ApiKeyRow; readonly secret: string }> {
  const secret = makeSecret();
  const key = await db.apiKeys.create(accountId, {
    name,
    scopes: scopes && [...scopes],
    sha256: digest(secret),
    prefix: secret.slice(0, MARK.length + 4),
    last_four: secret.slice(-4),
  });
  return { key, secret };
}

/** Returns the active key with this secret, and its account; null if there is none. */
export async function authenticateApiKey(
  db: Database,
  secret: string,
): Promise<{ readonly key: ApiKeyRow; readonly account: Account } | null> {
  return isWellFormedKey(secret) ? db.apiKeys.authenticate(digest(secret)) : null;
}

/** An active key, with the use of its rate limit. */
export interface CountedKey extends AuthenticatedKey {
  readonly use: LimitUse;
}

/**
 * Authenticates and counts a request by its key's secret, and reads the current version of a
 * pattern; null if there is no such active key. The caller checks the account and `use`.
 */
export async function authenticateAndCountKey(
  db: Database,
  secret: string,
  patternId: number | null,
): Promise<CountedKey | null> {
  if (!isWellFormedKey(secret)) return null;
  const authenticated = await db.apiKeys.authenticateAndCount(
    digest(secret),
    KEY_LIMITS,
    patternId,
  );
  if (authenticated === null) return null;
  return {
    ...authenticated,
    use: { ...authenticated.use, limit: keyLimit(authenticated.account.plan) },
  };
}
