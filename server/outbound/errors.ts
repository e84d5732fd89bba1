/** What can go wrong on the way out, as facts and in words that a caller may read. */

/** The text is no address that this service would ask. */
export class BadTarget extends Error {
  override readonly name = "BadTarget";
  readonly expected: string;
  readonly received: string;
  constructor(expected: string, received: string) {
    super(`expected ${expected}, got ${received}`);
    this.expected = expected;
    this.received = received;
  }
}

/** The other side cannot or must not be reached, or gave no answer that is of use. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** More bytes came, or were announced, than were asked for. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** More fetches wait than may. */
export class FetcherBusy extends Error {
  override readonly name = "FetcherBusy";
  readonly waiting: number;
  constructor(waiting: number) {
    super(`${waiting} fetches are waiting already`);
    this.waiting = waiting;
  }
}
