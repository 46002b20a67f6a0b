import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { EndRun, type EndedRun } from './end-run.command';
import { endRun } from './end-run.decide';
import { RunEnder } from './run-ender';

@CommandHandler(EndRun)
export class EndRunHandler implements ICommandHandler<EndRun> {
  constructor(private readonly ender: RunEnder) {}

  execute({ runId, wish, principal, context }: EndRun): Promise<Outcome<EndedRun>> {
    return this.ender.end(runId, context, (state) => endRun(state, wish, principal, context.siteId));
  }
}
