/** Opens the configured object store. The SDK is not loaded without one. */
import { type ObjectStore, ObjectStoreUnavailable } from "../db/index.ts";
import { measuredStore } from "./measured-store.ts";
import type { ObjectStoreLocation } from "./object-store/location.ts";

/** Opens a bucket. Throws `ObjectStoreUnavailable`, in one line for the operator, if it does not answer. */
export async function openAnsweringStore(
  location: ObjectStoreLocation,
): Promise<ObjectStore & Disposable> {
  const store = await openStore(location);
  try {
    await store.ping();
    return store;
  } catch (error) {
    store[Symbol.dispose]();
    const { bucket, endpoint } = location;
    throw new ObjectStoreUnavailable(
      `OBJECT_STORE_URL: cannot reach the bucket ${bucket} at ${endpoint}: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

/** Opens a bucket, of which nothing is asked yet. */
export async function openStore(location: ObjectStoreLocation): Promise<ObjectStore & Disposable> {
  const { openObjectStore } = await import("./object-store/index.ts");
  return measuredStore(openObjectStore(location));
}

/** What the innermost error of a chain says: that of the server or of the connection. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  const code = "code" in error ? String(error.code) : error.name;
  return error.message.includes(code) ? error.message : `${code} ${error.message}`.trim();
}
