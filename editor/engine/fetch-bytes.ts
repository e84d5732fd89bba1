import { patientFetch } from "../patient-fetch.ts";
import { WorkerError } from "./worker-error.ts";

/**
 * Resolves with a file of the API. Rejects with a `WorkerError` that has the API's code.
 * @param token empty on a page for anyone
 */
export async function fetchBytes(url: URL, token: string): Promise<Uint8Array<ArrayBuffer>> {
  const headers = { ...(token && { Authorization: `Bearer ${token}` }) };
  const unreachable = (cause: unknown) => {
    throw new WorkerError({ code: "unreachable", message: "the network failed" }, { cause });
  };
  const response = await patientFetch(url, { headers }, true).catch(unreachable);
  if (response.ok) return new Uint8Array(await response.arrayBuffer().catch(unreachable));
  // A proxy may answer with a page of its own.
  const { code, detail: message } = await response.json().catch(unreachable);
  throw new WorkerError({ code, message });
}
