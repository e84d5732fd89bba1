import { patientFetch } from "../patient-fetch.ts";
import { WorkerError } from "./worker-error.ts";

/**
 * Resolves with a file of the API. Rejects with a `WorkerError` that has the API's code.
 * @param token empty on a page for anyone
 */
export async function fetchBytes(url: URL, token: string): Promise<Uint8Array<ArrayBuffer>> {
  const headers = { ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await patientFetch(url, { headers }, true).catch((cause) => {
    throw new WorkerError({ code: "unreachable", message: "the network failed" }, { cause });
  });
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  const { code, detail: message } = await response.json();
  throw new WorkerError({ code, message });
}
