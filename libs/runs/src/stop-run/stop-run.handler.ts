import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import type { EndedRun } from '../end-run/end-run.command';
import { RunEnder } from '../end-run/run-ender';
import { StopRun } from './stop-run.command';
import { stopRun } from './stop-run.decide';

@CommandHandler(StopRun)
export class StopRunHandler implements ICommandHandler<StopRun> {
  constructor(private readonly ender: RunEnder) {}

  execute({ runId, context, ...stop }: StopRun): Promise<Outcome<EndedRun>> {
    return this.ender.end(runId, context, (state) => stopRun(state, stop));
  }
}
