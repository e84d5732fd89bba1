/**
 * API keys: `pf_`, 32 random base62 characters, and 6 that are the CRC-32 of what stands before
 * them in base62. So a mistyped key is refused without looking into the database.
 */
import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import Type, { type Static } from "typebox";
import type { Account, Admission, ApiKey as ApiKeyRow, Database } from "../../db/index.ts";
import { Id, Moment, strict } from "./fields.ts";
import { KEY_RULES, keyLimit, type LimitUse } from "./rate-limits.ts";

const fields = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: "How the secret begins." }),
  last_four: Type.String({ description: "How the secret ends." }),
  created_at: Moment,
  last_used_at: Type.Union([Moment, Type.Null()]),
};

const example = {
  id: 3,
  name: "shop",
  prefix: "pf_irRe",
  last_four: "0oof",
  created_at: "2026-01-31T12:00:00.000Z",
  last_used_at: null,
};

export const ApiKey = Type.Object(fields, {
  ...strict,
  examples: [example],
  description: "A key for programs. Its secret is not kept.",
});
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Type.Object(
  { ...fields, secret: Type.String({ description: "The key itself; shown this once." }) },
  {
    ...strict,
    description: "A key that was just made.",
    examples: [{ ...example, secret: "pf_irRe9t3IQy7qInmJcSy8LNjhf2C06iYC4W0oof" }],
  },
);

/** The stored key as it is shown. */
export function showApiKey(row: ApiKeyRow): ApiKey {
  const { account_id: _, created_at, last_used_at, ...shown } = row;
  return {
    ...shown,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}

const MARK = "pf_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${MARK}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** 62⁶ is more than 2³²: six characters always hold it. */
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

/** Whether a text can be a key at all: its shape and its checksum are right. */
export function isWellFormedKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/**
 * Makes a key for an account that exists. The secret is in the answer and nowhere else. Throws
 * QuotaExceeded.
 */
export async function createApiKey(
  db: Database,
  accountId: number,
  name: string,
): Promise<{ readonly key: ApiKeyRow; readonly secret: string }> {
  const secret = makeSecret();
  const key = await db.apiKeys.create(accountId, {
    name,
    sha256: digest(secret),
    prefix: secret.slice(0, MARK.length + 4),
    last_four: secret.slice(-4),
  });
  return { key, secret };
}

/** The live key that a secret belongs to, with its account; null when there is none. */
export async function authenticateApiKey(
  db: Database,
  secret: string,
): Promise<{ readonly key: ApiKeyRow; readonly account: Account } | null> {
  return isWellFormedKey(secret) ? db.apiKeys.authenticate(digest(secret)) : null;
}

/** A request with a key: as the database lets it in, with the limit that it is counted by. */
export interface Admitted extends Admission {
  readonly use: LimitUse;
}

/**
 * Lets in and counts a request with a secret, and looks which version of a pattern is stored for it;
 * null where there is no such live key. Whether it may go on its account and `use` have to say.
 */
export async function admitKey(
  db: Database,
  secret: string,
  patternId: number | null,
): Promise<Admitted | null> {
  if (!isWellFormedKey(secret)) return null;
  const admission = await db.apiKeys.admit(digest(secret), KEY_RULES, patternId);
  if (admission === null) return null;
  return { ...admission, use: { ...admission.use, limit: keyLimit(admission.account.plan) } };
}
