/** Calls with an idempotency key: made once, and answered the same for 24 hours. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { CorruptedContent } from "../../db/index.ts";
import { contentHash } from "./content-hash.ts";
import type { FailureCode } from "./failures.ts";
import type { Services } from "./services.ts";

/** The key was used for another call. */
export class IdempotencyMismatch extends Error {
  override readonly name = "IdempotencyMismatch";
  readonly code = "idempotency_mismatch" satisfies FailureCode;
}

/** The same call is being made at this moment. */
export class IdempotencyInFlight extends Error {
  override readonly name = "IdempotencyInFlight";
  readonly code = "idempotency_in_flight" satisfies FailureCode;
}

export interface IdempotentCall {
  readonly accountId: number;
  /** As the caller chose it. */
  readonly key: string;
  /** What is asked for; the same key may not be used for anything else. */
  readonly request: unknown;
}

/**
 * Runs `work`, or gives what it gave when the same call was made before. What `work` writes through
 * the services it is given and its answer, which must be plain JSON, last together or not at all;
 * when it throws, nothing was done and the call may be made again. Throws IdempotencyMismatch,
 * IdempotencyInFlight and what `work` throws.
 */
export async function once<Answer>(
  services: Services,
  { accountId, key, request }: IdempotentCall,
  work: (services: Services) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly isReplayed: boolean }> {
  const claim = await services.db.idempotency.claim(accountId, sha256(key), contentHash(request));
  switch (claim.state) {
    case "mismatch":
      throw new IdempotencyMismatch("the Idempotency-Key was used for another request");
    case "in_flight":
      throw new IdempotencyInFlight("a request with this Idempotency-Key is being worked on");
    case "answered":
      return { answer: unseal(claim.answer, key, accountId) as Answer, isReplayed: true };
    case "claimed":
  }
  try {
    const answer = await work({ ...services, db: claim.database });
    await claim.settle(seal(answer, key, accountId));
    return { answer, isReplayed: false };
  } catch (error) {
    // The caller needs the first error; a call that cannot be released is abandoned.
    await claim.release().catch(() => undefined);
    throw error;
  }
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * An answer may hold a secret that is shown once. So it lies in the database as only those can read
 * it who have the key, of which the database has nothing but a hash; a key that can be guessed
 * protects nothing.
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
    const remedy = "look at what the request was to make";
    throw new CorruptedContent("the answer under this Idempotency-Key", { remedy, cause });
  }
}

function cipherKey(key: string, accountId: number): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, String(accountId), "orbifold answer", 32));
}
