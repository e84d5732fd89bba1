/** Posts to addresses that strangers give, without reaching what is not meant for them. */
import type { IncomingMessage } from "node:http";
import { createConnectGuard, type Resolve } from "./connect-guard.ts";
import { ask, BadTarget, explain, Unreachable, withTimeLimit } from "./http-request.ts";

const TOTAL_MS = 15_000;

export interface WebhookClientOptions {
  /** CIDR ranges that may be reached although they are not public. */
  readonly allow: readonly string[];
  /** Whether plain http is used also outside of `allow`; left out: it is not. */
  readonly allowHttp?: boolean;
  /** Left out: the system's. */
  readonly resolve?: Resolve;
  /** For all of it together, from the lookup to the last byte. Left out: 15 s. */
  readonly totalMs?: number;
}

export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Of the answer so many bytes are read. */
  readonly answerBytes: number;
  /** Ends it, with what it aborts with. */
  readonly signal: AbortSignal;
}

/** What came of it. Whatever the other side does is an outcome and no error. */
export interface Posted {
  /** Null where no answer began to come. */
  readonly status: number | null;
  /** The answer's body as far as it was read. */
  readonly start: Uint8Array;
  /** Why the answer is none, or not all that was to be read of it; null: it is. */
  readonly fault: string | null;
}

export interface WebhookClient {
  /**
   * Throws BadTarget for a target that is never posted to: a private address, or plain http that is
   * not allowed. Where a name leads is seen only when it is connected to.
   */
  check(target: URL): void;
  /** Makes one POST to a target (see `readTarget`). No redirect is followed: it is an answer. */
  post(target: URL, post: Post): Promise<Posted>;
}

/** A poster that makes any number of posts at once: its callers limit themselves. */
export function createWebhookClient({
  allow,
  allowHttp = false,
  resolve,
  totalMs = TOTAL_MS,
}: WebhookClientOptions): WebhookClient {
  const guard = createConnectGuard(allow, resolve);
  const checkScheme = ({ protocol, hostname }: URL) => {
    if (protocol === "http:" && !allowHttp && !guard.isAllowed(hostname)) {
      throw new BadTarget("an https:// address", "one with http:");
    }
  };
  return {
    check(target) {
      if (guard.isPermitted(target.hostname) === false) {
        throw new BadTarget("an address in the public Internet", "a private one");
      }
      checkScheme(target);
    },
    async post(target, { headers, body, answerBytes, signal }) {
      let response: IncomingMessage | undefined;
      const chunks: Uint8Array[] = [];
      const soFar = () => ({
        status: response?.statusCode ?? null,
        start: Buffer.concat(chunks).subarray(0, answerBytes),
      });
      const work = async (limit: AbortSignal) => {
        checkScheme(target);
        response = await ask(target, { headers, body }, guard, limit);
        let read = 0;
        for await (const chunk of response as AsyncIterable<Buffer>) {
          chunks.push(chunk);
          read += chunk.length;
          if (read >= answerBytes) break;
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

/** What the other side did, in words; throws the error again where it did nothing. */
function faultOf(error: unknown, host: string): string {
  if (error instanceof BadTarget) return error.message;
  const told = explain(error, host);
  if (told instanceof Unreachable) return told.message;
  // Node has more codes than we have words, and what a stranger brings about is no fault of ours.
  if (error instanceof Error && "code" in error) return `${host} gave no proper answer`;
  throw error;
}
