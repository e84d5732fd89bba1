/** Calls of the service's API. */
import { signal } from "@preact/signals";
import type { Problem } from "../../server/http/problem.ts";
import { patientFetch } from "../patient-fetch.ts";
import { isOffline } from "./connection.ts";

/** Where the service is. It may be under a path: addresses are relative to this script's. */
export const SERVICE = new URL("../../", import.meta.url);

export const API = new URL("api/v1/", SERVICE);

/** The service refused a call. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: Problem["code"];
  /** The one that is exceeded, of a customer only where it is of the handoff. */
  readonly quota: Problem["quota"] | undefined;
  /** The first field that is not accepted. */
  readonly field: string | undefined;
  constructor({
    code,
    detail,
    quota,
    errors,
  }: Pick<Problem, "code" | "detail" | "quota" | "errors">) {
    // What the request called the field, people see where they filled it in.
    super(detail.replaceAll(/(^|; )\/[\w/]+: /g, "$1"));
    this.code = code;
    this.quota = quota;
    this.field = errors?.[0]?.path.split("/")[1];
  }
}

/** The network, or the service, does not answer. */
class ServiceUnreachable extends Error {
  override readonly name = "ServiceUnreachable";
  readonly code = "unreachable";
}

/** The token that the service took last for one that has ended; empty for none. */
export const endedToken = signal("");

export interface CallOptions {
  /** Default: none is sent. */
  readonly token?: string;
  /** Sent as JSON. */
  readonly json?: object;
  readonly form?: FormData;
  /** Whether it creates something, which shall happen once; or the key by which that is known. */
  readonly creates?: boolean | string;
  /** Whether it may be repeated though it is a POST that creates nothing. */
  readonly isRepeatable?: boolean;
}

/**
 * Calls an operation and resolves with its response. Where the network fails it waits and repeats what
 * may be repeated. Rejects with `ApiError` or `ServiceUnreachable`.
 */
export async function send(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  { token, json, form, creates = false, isRepeatable }: CallOptions = {},
): Promise<Response> {
  const body = form ?? (json && JSON.stringify(json));
  const headers = {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(json && { "Content-Type": "application/json" }),
    ...(creates && { "Idempotency-Key": creates === true ? randomKey() : creates }),
  };
  const init = { method, headers, ...(body && { body }) };
  const mayRepeat = isRepeatable ?? (method !== "POST" || creates !== false);
  const response = await patientFetch(new URL(path, API), init, mayRepeat, (isWaiting) => {
    isOffline.value = isWaiting || !navigator.onLine;
  }).catch((cause) => {
    const message = "the service cannot be reached: look at your connection";
    throw new ServiceUnreachable(message, { cause });
  });
  if (response.ok) return response;
  const error = new ApiError(await response.json());
  if (token && error.code === "unauthorized") endedToken.value = token;
  throw error;
}

/** Not `crypto.randomUUID`, which pages without TLS lack. */
export const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** Calls an operation and resolves with the JSON of its response. Rejects with `ApiError`. */
export async function call<Result>(
  ...[method, path, options]: Parameters<typeof send>
): Promise<Result> {
  return (await send(method, path, options)).json();
}
