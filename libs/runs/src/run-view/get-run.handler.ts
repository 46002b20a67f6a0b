import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { missing, type Outcome } from '@app/kernel';
import { isOpened, run } from '../run.state';
import { GetRun } from './get-run.query';
import { runView, type RunView } from './run.view';

@QueryHandler(GetRun)
export class GetRunHandler implements IQueryHandler<GetRun> {
  constructor(private readonly executor: Executor) {}

  async execute({ runId, context }: GetRun): Promise<Outcome<RunView>> {
    const { state, position } = await this.executor.current(run, runId);
    if (!isOpened(state) || state.envelope.context.siteId !== context.siteId) return missing();
    return { ok: true, data: runView(state), position };
  }
}
