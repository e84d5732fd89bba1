/** Posts to URLs from untrusted callers without reaching internal addresses. */
import type { IncomingMessage } from "node:http";
import { createConnectGuard, type Resolve } from "./connect-guard.ts";
import {
  InvalidUrl,
  sendRequest,
  toUnreachable,
  Unreachable,
  withTimeLimit,
} from "./http-request.ts";

const TOTAL_MS = 15_000;

export interface WebhookClientOptions {
  /** CIDR ranges that are permitted although they are not public. */
  readonly allow: readonly string[];
  /** Whether plain http is permitted outside of `allow`, too; default: false. */
  readonly allowHttp?: boolean;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** Time limit of a post, from the lookup to the last byte. Default: 15 s. */
  readonly totalMs?: number;
}

export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Maximum bytes of the response that are read. */
  readonly maxResponseBytes: number;
  /** Aborts the post with its reason. */
  readonly signal: AbortSignal;
}

/** Outcome of a post. Failures of the receiver are outcomes, not errors. */
export interface WebhookResponse {
  /** Null if there was no response. */
  readonly status: number | null;
  /** Start of the response's body. */
  readonly start: Uint8Array;
  /** Why the response is missing or incomplete; null if it is not. */
  readonly fault: string | null;
}

export interface WebhookClient {
  /**
   * Throws InvalidUrl for a URL that is never posted to: a private address, or plain http that is
   * not allowed. Names are only resolved when connecting.
   */
  check(target: URL): void;
  /** Sends one POST to a URL (see `parseHttpUrl`). Redirects are not followed: they are responses. */
  post(target: URL, post: WebhookRequest): Promise<WebhookResponse>;
}

/** Creates a webhook client without a limit on concurrent posts: its callers limit themselves. */
export function createWebhookClient({
  allow,
  allowHttp = false,
  resolve,
  totalMs = TOTAL_MS,
}: WebhookClientOptions): WebhookClient {
  const guard = createConnectGuard(allow, resolve);
  const checkScheme = ({ protocol, hostname }: URL) => {
    if (protocol === "http:" && !allowHttp && !guard.isAllowed(hostname)) {
      throw new InvalidUrl("an https:// address", "one with http:");
    }
  };
  return {
    check(target) {
      if (guard.isPermitted(target.hostname) === false) {
        throw new InvalidUrl("an address in the public Internet", "a private one");
      }
      checkScheme(target);
    },
    async post(target, { headers, body, maxResponseBytes, signal }) {
      let response: IncomingMessage | undefined;
      const chunks: Uint8Array[] = [];
      const soFar = () => ({
        status: response?.statusCode ?? null,
        start: Buffer.concat(chunks).subarray(0, maxResponseBytes),
      });
      const work = async (limit: AbortSignal) => {
        checkScheme(target);
        response = await sendRequest(target, { headers, body }, guard, limit);
        let read = 0;
        for await (const chunk of response) {
          chunks.push(chunk);
          read += chunk.length;
          if (read >= maxResponseBytes) break;
        }
      };
      try {
        await withTimeLimit(totalMs, signal, work);
        return { ...soFar(), fault: null };
      } catch (error) {
        signal.throwIfAborted();
        return { ...soFar(), fault: faultOf(error, target.host) };
      } finally {
        response?.destroy();
      }
    },
  };
}

/** Returns a message for an error of the receiver; throws any other error. */
function faultOf(error: unknown, host: string): string {
  if (error instanceof InvalidUrl) return error.message;
  const unreachable = toUnreachable(error, host);
  if (unreachable instanceof Unreachable) return unreachable.message;
  // Unknown codes are the receiver's fault, too.
  if (error instanceof Error && "code" in error) return `${host} sent an invalid response`;
  throw error;
}
