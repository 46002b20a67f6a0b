/** A wait that `wake` ends early; a wake that comes before the wait is not lost. */
export class Pause {
  private woken = false;
  private end: (() => void) | undefined;

  wake = (): void => {
    this.woken = true;
    this.end?.();
  };

  async atMost(ms: number): Promise<void> {
    if (!this.woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.end = () => (clearTimeout(timer), resolve());
      });
      this.end = undefined;
    }
    this.woken = false;
  }
}
