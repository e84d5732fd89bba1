/** Images in messages of SSE sessions, which nodes exchange as bytes beside the messages. */
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { limitsOf } from "../actions/in-flight.ts";
import { ReceivedPicture } from "../actions/received-picture.ts";
import type { Account, Services } from "../actions/services.ts";

/** A message without its image, and the image's properties except its bytes. */
interface MessageWithoutPicture {
  readonly message: JSONRPCMessage;
  readonly picture?: object;
}

interface Arguments {
  data?: unknown;
}

/** Returns the arguments of a tool call; null for any other message. */
function argumentsOf(message: JSONRPCMessage): Arguments | null {
  const given = "method" in message ? message.params?.arguments : null;
  return typeof given === "object" ? given : null;
}

/** Returns a message without the image that was received in it, as text, and the image's bytes. */
export function detachPicture(message: JSONRPCMessage): {
  readonly text: string;
  readonly attachment: Uint8Array | null;
} {
  const holder = argumentsOf(message);
  if (!(holder?.data instanceof ReceivedPicture)) {
    return { text: JSON.stringify({ message } satisfies MessageWithoutPicture), attachment: null };
  }
  const { decoded } = holder.data;
  const picture = { ...decoded, bytes: undefined };
  holder.data = null;
  const text = JSON.stringify({ message, picture } satisfies MessageWithoutPicture);
  return { text, attachment: decoded.outcome === "decoded" ? decoded.bytes : null };
}

/** Inverse of `detachPicture`. */
export function attachPicture(text: string, attachment: Uint8Array | null): JSONRPCMessage {
  const { message, picture }: MessageWithoutPicture = JSON.parse(text);
  const holder = argumentsOf(message);
  if (picture && holder) {
    const bytes = attachment ?? new Uint8Array();
    holder.data = new ReceivedPicture({ ...picture, bytes } as ReceivedPicture["decoded"]);
  }
  return message;
}

/** Counts the bytes of a session's pictures among the bodies in flight of its account. */
export function picturesInFlight({ db, bodies }: Services, account: Account) {
  const shares = limitsOf(db, "body_bytes_in_flight", account);
  const releases = new Map<RequestId, () => void>();
  const release = (call: RequestId) => {
    releases.get(call)?.();
    releases.delete(call);
  };
  return {
    /**
     * Counts bytes until the call, which holds none yet, is answered. Throws InFlightLimitExceeded,
     * Overloaded.
     */
    take(call: RequestId, bytes: number) {
      releases.set(call, bodies.inFlight.take(shares, bytes));
    },
    release,
    releaseAll() {
      for (const call of [...releases.keys()]) release(call);
    },
  };
}
