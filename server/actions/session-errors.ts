/** What can go wrong with a session that lasts over many calls, as facts. */

/** The key that a session was opened with works no longer. */
export class KeyRevoked extends Error {
  override readonly name = "KeyRevoked";
  constructor() {
    super("the API key of this session has been revoked");
  }
}

/** No stream is open for a session of this id, on any node. */
export class NoSuchSession extends Error {
  override readonly name = "NoSuchSession";
  constructor() {
    super("there is no such session, or its stream has been closed");
  }
}

/** The key holds as many sessions as it may. */
export class TooManySessions extends Error {
  override readonly name = "TooManySessions";
  constructor(maximum: number) {
    super(`this key has ${maximum} open sessions: close one of them first`);
  }
}

/** More messages came than the session's node has taken up. */
export class SessionBusy extends Error {
  override readonly name = "SessionBusy";
  constructor(waiting: number) {
    super(`${waiting} messages of this session are waiting already`);
  }
}

/** What was sent to a session is no message of its protocol. */
export class MalformedMessage extends Error {
  override readonly name = "MalformedMessage";
}
