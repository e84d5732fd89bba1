/** Calls of the service's API. */
import type { Problem } from "../../server/http/problem.ts";
import { patientFetch } from "../patient-fetch.ts";

/** Where the service is. It may be under a path: addresses are relative to this script's. */
export const SERVICE = new URL("../../", import.meta.url);

export const API = new URL("api/v1/", SERVICE);

/** The service refused a call. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: Problem["code"];
  /** The one that is exceeded, of a customer only where it is of the handoff. */
  readonly quota: Problem["quota"] | undefined;
  constructor({ code, detail, quota }: Pick<Problem, "code" | "detail" | "quota">) {
    // What the request called the field, people see where they filled it in.
    super(detail.replaceAll(/(^|; )\/[\w/]+: /g, "$1"));
    this.code = code;
    this.quota = quota;
  }
}

/** The network, or the service, does not answer. */
export class ServiceUnreachable extends Error {
  override readonly name = "ServiceUnreachable";
}

export interface CallOptions {
  /** Default: none is sent. */
  readonly token?: string;
  /** Sent as JSON. */
  readonly json?: object;
  readonly form?: FormData;
  /** Whether it creates something, which shall happen once. */
  readonly creates?: boolean;
}

/**
 * Calls an operation and resolves with its response. Where the network fails it waits and repeats what
 * may be repeated. Rejects with `ApiError` or `ServiceUnreachable`.
 */
export async function send(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  { token, json, form, creates }: CallOptions = {},
): Promise<Response> {
  const body = form ?? (json && JSON.stringify(json));
  const headers = {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(json && { "Content-Type": "application/json" }),
    ...(creates && { "Idempotency-Key": randomKey() }),
  };
  const init = { method, headers, ...(body && { body }) };
  const isRepeatable = method !== "POST" || creates === true;
  const response = await patientFetch(new URL(path, API), init, isRepeatable).catch((cause) => {
    throw new ServiceUnreachable("the service does not answer", { cause });
  });
  if (!response.ok) throw new ApiError(await response.json());
  return response;
}

/** Not `crypto.randomUUID`, which pages without TLS lack. */
const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** Calls an operation and resolves with the JSON of its response. Rejects with `ApiError`. */
export async function call<Result>(
  ...[method, path, options]: Parameters<typeof send>
): Promise<Result> {
  return (await send(method, path, options)).json();
}
