/** Imported into a process whose clock is ahead of all others: `--import`. */
const MILLISECONDS_AHEAD = 10 * 60_000;

const RealDate = Date;

class DateAhead extends RealDate {
  constructor(...given: unknown[]) {
    // @ts-expect-error: Date takes what it is given
    super(...(given.length === 0 ? [DateAhead.now()] : given));
  }

  static override now(): number {
    return RealDate.now() + MILLISECONDS_AHEAD;
  }
}

globalThis.Date = DateAhead as DateConstructor;
