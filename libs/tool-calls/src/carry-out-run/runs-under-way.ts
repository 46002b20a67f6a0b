import { Injectable } from '@nestjs/common';

/** The runs whose tasks this process carries out just now. A lease says who may; only the process itself knows whether it still does. */
@Injectable()
export class RunsUnderWay {
  private readonly runIds = new Set<string>();

  has(runId: string): boolean {
    return this.runIds.has(runId);
  }

  async during<T>(runId: string, work: () => Promise<T>): Promise<T> {
    this.runIds.add(runId);
    try {
      return await work();
    } finally {
      this.runIds.delete(runId);
    }
  }
}
