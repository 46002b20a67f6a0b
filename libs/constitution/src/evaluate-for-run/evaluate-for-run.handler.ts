import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { missing, type Outcome } from '@app/kernel';
import { isOpened, run } from '@app/runs/contract';
import { Constitutions } from '../constitutions';
import { EvaluateForRun, type RunEvaluation } from './evaluate-for-run.query';

@QueryHandler(EvaluateForRun)
export class EvaluateForRunHandler implements IQueryHandler<EvaluateForRun> {
  constructor(
    private readonly executor: Executor,
    private readonly constitutions: Constitutions,
  ) {}

  async execute({ runId, content, context: { siteId } }: EvaluateForRun): Promise<Outcome<RunEvaluation>> {
    const { state, position } = await this.executor.current(run, runId);
    if (!isOpened(state) || state.envelope.context.siteId !== siteId) return missing();
    if (!state.constitution) return { ok: true, data: { constitutionHash: null, results: [] }, position };
    const pinned = await this.constitutions.find(state.constitution.constitutionId, siteId);
    if (!pinned) return missing();
    const evaluated = await this.constitutions.evaluate(pinned, content);
    return evaluated.ok ? { ok: true, data: { constitutionHash: state.constitution.hash, results: evaluated.results }, position } : evaluated;
  }
}
