/** Hands values from a callback to a loop. Who is slow gets the newest value, not a queue of old ones. */
export class Latest<T> {
  private value: { readonly of: T } | null = null;
  private wake: () => void = () => {};
  private ended = false;

  put(value: T): void {
    this.value = { of: value };
    this.wake();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  async *values(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      if (this.value) {
        const { of } = this.value;
        this.value = null;
        yield of;
      } else if (this.ended) return;
      else await new Promise<void>((wake) => (this.wake = wake));
    }
  }
}
