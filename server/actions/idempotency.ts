/** Idempotency keys: a repeated call returns the first response for 24 hours. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { CorruptedContent } from "../../db/index.ts";
import { contentHash } from "./content-hash.ts";
import type { FailureCode } from "./failures.ts";
import type { Services } from "./services.ts";

/** The key was used for another request. */
export class IdempotencyMismatch extends Error {
  override readonly name = "IdempotencyMismatch";
  readonly code = "idempotency_mismatch" satisfies FailureCode;
}

/** The same request is in progress. */
export class IdempotencyInFlight extends Error {
  override readonly name = "IdempotencyInFlight";
  readonly code = "idempotency_in_flight" satisfies FailureCode;
}

export interface IdempotentCall {
  readonly accountId: number;
  /** The caller's key. */
  readonly key: string;
  /** The request; the key may not be used for any other. */
  readonly request: unknown;
}

/**
 * Runs `work`, or returns its earlier result for the same call. The writes of `work` through its
 * services and its result, which must be plain JSON, are committed together; if it throws, nothing
 * is, and the call may be repeated. Throws IdempotencyMismatch, IdempotencyInFlight and the errors
 * of `work`.
 */
export async function runIdempotently<Result>(
  services: Services,
  { accountId, key, request }: IdempotentCall,
  work: (services: Services) => Promise<Result>,
): Promise<{ readonly answer: Result; readonly isReplayed: boolean }> {
  const claim = await services.db.idempotency.claim(accountId, sha256(key), contentHash(request));
  switch (claim.state) {
    case "mismatch":
      throw new IdempotencyMismatch("the Idempotency-Key was used for another request");
    case "in_flight":
      throw new IdempotencyInFlight("a request with this Idempotency-Key is in progress");
    case "answered":
      return { answer: unseal(claim.answer, key, accountId) as Result, isReplayed: true };
    case "claimed":
  }
  try {
    const answer = await work({ ...services, db: claim.database });
    await claim.settle(seal(answer, key, accountId));
    return { answer, isReplayed: false };
  } catch (error) {
    // The first error counts; a call that cannot be released expires.
    await claim.release().catch(() => undefined);
    throw error;
  }
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A response may contain a secret that is shown once, so it is stored encrypted with the
 * idempotency key, of which the database has only a hash. A guessable key protects nothing.
 */
function seal(answer: unknown, key: string, accountId: number): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, cipherKey(key, accountId), nonce);
  const text = [cipher.update(JSON.stringify(answer), "utf8"), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...text]);
}

function unseal(sealed: Uint8Array, key: string, accountId: number): unknown {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, cipherKey(key, accountId), nonce);
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const text = [decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
    return JSON.parse(Buffer.concat(text).toString("utf8"));
  } catch (cause) {
    const remedy = "check whether the request had its effect";
    throw new CorruptedContent("the response under this Idempotency-Key", { remedy, cause });
  }
}

function cipherKey(key: string, accountId: number): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, String(accountId), "orbifold answer", 32));
}
