import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { missing, reject, type Outcome } from '@app/kernel';
import { callIn, isOpened, recordOf, run, type RunEvent } from '@app/runs/contract';
import { ResolveRef, type ResolvedRef } from './resolve-ref.query';

@QueryHandler(ResolveRef)
export class ResolveRefHandler implements IQueryHandler<ResolveRef> {
  constructor(
    private readonly store: EventStore,
    private readonly executor: Executor,
  ) {}

  /** A run remembers where in its stream the record of a call stands; the record is read from there. */
  async execute({ ref, runId, context: { siteId, actor } }: ResolveRef): Promise<Outcome<ResolvedRef>> {
    const { state, position } = await this.executor.current(run, runId);
    if (!isOpened(state) || state.envelope.context.siteId !== siteId || state.envelope.principalId !== actor.id) return missing();
    const call = callIn(state.calls, ref);
    if (!call) return missing();
    if (call.status !== 'executed') return reject('conflict', 'CONFLICT', `The call ${ref} has no result: it is ${call.status}.`, { status: call.status });
    const told: RunEvent[] = [];
    for (const version of [call.at, call.outcomeAt]) if (version !== undefined) told.push(await this.eventAt(runId, version));
    const record = recordOf(call, told);
    if (record?.status !== 'executed') throw new Error(`The record of call ${ref} of run ${runId} is not where the run says it is`);
    return { ok: true, data: { ref, tool: record.tool, status: 'executed', result: record.result }, position };
  }

  private async eventAt(runId: string, version: number): Promise<RunEvent> {
    for await (const event of this.store.read(`run-${runId}`, version)) return event as unknown as RunEvent;
    throw new Error(`Run ${runId} has no event of version ${version}`);
  }
}
