const POSITION = /^\d+$/;

/** The highest log position this client has written or seen. Positions pass 2^53, so they are compared as bigint and travel as text. */
export class Positions {
  private highest = 0n;

  note(position: string | undefined): void {
    if (position === undefined || !POSITION.test(position)) return;
    const value = BigInt(position);
    if (value > this.highest) this.highest = value;
  }

  /** Undefined before the first write. */
  get last(): string | undefined {
    return this.highest === 0n ? undefined : this.highest.toString();
  }
}

/** True when both are positions and `a` is not after `b`. */
export const isAtOrBefore = (a: string, b: string): boolean => POSITION.test(a) && POSITION.test(b) && BigInt(a) <= BigInt(b);
