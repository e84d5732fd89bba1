/** Calls of the service's API. */
import type { Problem } from "../../server/http/problem.ts";

/** The page may be served under a path: addresses are relative to this script's. */
const API = new URL("../../api/v1/", import.meta.url);

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
}

/** Calls an operation and resolves with the JSON of its response. Rejects with `ApiError`. */
export async function call<Result>(
  method: "GET" | "POST",
  path: string,
  { token, json }: CallOptions = {},
): Promise<Result> {
  const response = await fetch(new URL(path, API), {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(json && { "Content-Type": "application/json" }),
    },
    ...(json && { body: JSON.stringify(json) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new ApiError(answer);
  return answer;
}
