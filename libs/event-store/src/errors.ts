/** A reader met a position other than last + 1. Positions are dense by construction, so this is damage, never a delay. */
export class LogGap extends Error {
  constructor(readonly expected: bigint, readonly found: bigint) {
    super(`The log has a gap: position ${expected} should come next, but ${found} was read. Verify the log before you read on.`);
    this.name = 'LogGap';
  }
}

/** The log could not be read. Carries a sentence, never the driver's error. */
export class StoreUnavailable extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'StoreUnavailable';
  }
}
