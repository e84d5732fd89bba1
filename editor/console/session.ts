/** The owner's session, and calls within it. */
import { signal } from "@preact/signals";
import { ApiError, type CallOptions, send } from "../shared/api.ts";
import { t } from "../shared/messages.ts";
import { dropSession, keepSession, type UserSession, userSession } from "../shared/session.ts";

export const session = signal(userSession());

/** Continues with a session, which the tab keeps. */
export function open(opened: UserSession): void {
  session.value = keepSession(opened);
}

/** Forgets the session. */
export function close(): void {
  dropSession();
  session.value = null;
}

/**
 * Calls an operation in the session and resolves with its response. Where the session has ended, the
 * page asks to sign in again. Rejects with `ApiError`.
 */
export async function request(
  method: Parameters<typeof send>[0],
  path: string,
  options: Omit<CallOptions, "token"> = {},
): Promise<Response> {
  try {
    return await send(method, path, { ...options, token: session.value?.token ?? "" });
  } catch (error) {
    if (error instanceof ApiError && error.code === "unauthorized") close();
    throw error;
  }
}

/**
 * Calls an operation that takes the password, and resolves with its response. With a wrong one the
 * session goes on. Rejects with an error for people.
 */
export async function confirmed(path: string, json: object): Promise<Response> {
  try {
    return await send("POST", path, { token: session.value?.token ?? "", json });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "unauthorized") throw error;
    throw new Error(t("problem.currentPassword"), { cause: error });
  }
}

/** Calls an operation as `request` does, and resolves with the JSON of its response. */
export async function fetchJson<Result>(
  ...[method, path, options]: Parameters<typeof request>
): Promise<Result> {
  return (await request(method, path, options)).json();
}
