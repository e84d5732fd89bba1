/** Calls of the service's API. */
import type { Problem } from "../../server/http/problem.ts";

/** The page may be served under a path: addresses are relative to this script's. */
export const API = new URL("../../api/v1/", import.meta.url);

/** The service refused a call. */
class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: Problem["code"];
  constructor({ code, detail }: Pick<Problem, "code" | "detail">) {
    super(detail);
    this.code = code;
  }
}

export interface CallOptions {
  /** Default: none is sent. */
  readonly token?: string;
  /** Sent as JSON. */
  readonly json?: object;
  readonly form?: FormData;
}

/** Calls an operation and resolves with its response. Rejects with `ApiError`. */
export async function send(
  method: "GET" | "POST",
  path: string,
  { token, json, form }: CallOptions = {},
): Promise<Response> {
  const body = form ?? (json && JSON.stringify(json));
  const response = await fetch(new URL(path, API), {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(json && { "Content-Type": "application/json" }),
    },
    ...(body && { body }),
  });
  if (!response.ok) throw new ApiError(await response.json());
  return response;
}

/** Calls an operation and resolves with the JSON of its response. Rejects with `ApiError`. */
export async function call<Result>(
  ...[method, path, options]: Parameters<typeof send>
): Promise<Result> {
  return (await send(method, path, options)).json();
}
