import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { goal } from '@app/goals/contract';
import { ReadModelBehind, ReadModels } from '@app/projections';
import { isOpened, run } from '@app/runs/contract';
import type { CallInFlight } from './call-in-flight.view';
import { callsInFlight } from './calls-in-flight.projection';
import { ListCallsInFlight } from './list-calls-in-flight.query';

/** Whoever freezes waits for the answer; a read model that is further behind than this is not worth waiting for. */
const WAIT_MS = 2_000;
const PAGE = 200;

@QueryHandler(ListCallsInFlight)
export class ListCallsInFlightHandler implements IQueryHandler<ListCallsInFlight> {
  constructor(
    private readonly reads: ReadModels,
    private readonly executor: Executor,
  ) {}

  async execute({ siteId, scope, after }: ListCallsInFlight) {
    await this.reads.reached(callsInFlight, after, WAIT_MS).catch((error: unknown) => {
      if (!(error instanceof ReadModelBehind)) throw error;
    });
    const asOf = await this.reads.position(callsInFlight);
    const calls: CallInFlight[] = [];
    for (let cursor: string | undefined; ; ) {
      const where = scope.scope === 'run' ? [{ path: 'runId', is: 'eq' as const, value: scope.targetId }] : [];
      const page = await this.reads.list(callsInFlight, { siteId, limit: PAGE, where, ...(cursor !== undefined && { cursor }) });
      calls.push(...page.rows.map(({ runId, callId, tool, authorisedAt }) => ({ runId, callId, tool, authorisedAt })));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    return { calls: await this.inScope(calls, scope), asOf };
  }

  /** Role and intent are facts of the run and its goal; only the few runs with a running handler are looked up. */
  private async inScope(calls: readonly CallInFlight[], { scope, targetId }: ListCallsInFlight['scope']): Promise<readonly CallInFlight[]> {
    if (scope === 'site' || scope === 'run') return calls;
    const runs = [...new Set(calls.map(({ runId }) => runId))];
    const inside = new Set((await Promise.all(runs.map(async (runId) => ((await this.targetOf(runId, scope)) === targetId ? runId : null)))).filter((id) => id !== null));
    return calls.filter(({ runId }) => inside.has(runId));
  }

  private async targetOf(runId: string, scope: 'role' | 'intent'): Promise<string | null> {
    const { state } = await this.executor.states.load(run, runId);
    if (!isOpened(state)) return null;
    if (scope === 'role') return state.agentRole ?? null;
    const { state: asked } = await this.executor.states.load(goal, state.goalId);
    return asked.status === 'none' ? null : asked.intentId;
  }
}
