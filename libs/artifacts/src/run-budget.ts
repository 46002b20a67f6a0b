import { Injectable } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import type { Context, Rejected } from '@app/kernel';
import { StopRun } from '@app/runs/contract';
import { BYTES_EXHAUSTED, exhaustsRun } from './attachment.policy';

/** Ends the run whose budget an artifact would have gone beyond, as every other limit does. */
@Injectable()
export class RunBudget {
  constructor(private readonly bus: Bus) {}

  async refused(rejected: Rejected, runId: string | undefined, context: Context): Promise<Rejected> {
    if (runId === undefined || !exhaustsRun(rejected)) return rejected;
    const stopped = await this.bus.send(new StopRun(runId, { status: 'failed', stopReason: BYTES_EXHAUSTED, reason: rejected.rejection.detail }, { ...context, commandId: `${context.commandId}:stop` }));
    return stopped.ok ? rejected : stopped;
  }
}

/** No run has this id, so its stream is empty. */
export const NO_RUN = 'none';
