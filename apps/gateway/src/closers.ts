type Step = () => Promise<unknown>;

/**
 * What undoes a start, newest first. A step that fails does not keep the others from running, for an embedded database must be stopped
 * whatever happened before it; the first failure is thrown when all have run.
 */
export class Closers {
  private readonly steps: Step[] = [];

  push(step: Step): void {
    this.steps.push(step);
  }

  close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let step = this.steps.pop(); step; step = this.steps.pop()) await step().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
}
