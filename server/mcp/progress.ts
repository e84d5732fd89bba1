import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";

/** Clients give up on a silent call after about a minute. */
const PROGRESS_MS = 5000;

/** Sends progress notifications to a caller that requested them until the work ends. */
export async function withProgress<Result>(
  { _meta, sendNotification }: RequestHandlerExtra<ServerRequest, ServerNotification>,
  work: () => Promise<Result>,
): Promise<Result> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return work();
  let progress = 0;
  const tell = () => {
    const params = { progressToken, progress: progress++, message: "working" };
    // A disconnect is handled elsewhere.
    sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
  };
  tell();
  const timer = setInterval(tell, PROGRESS_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
