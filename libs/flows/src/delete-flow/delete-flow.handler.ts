import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { missing, type Outcome } from '@app/kernel';
import { principal } from '@app/sites/contract';
import { flow } from '../flow.state';
import { DeleteFlow, type DeletedFlow } from './delete-flow.command';
import { deleteFlow } from './delete-flow.decide';

@CommandHandler(DeleteFlow)
export class DeleteFlowHandler implements ICommandHandler<DeleteFlow> {
  constructor(private readonly executor: Executor) {}

  async execute({ flowId, context }: DeleteFlow): Promise<Outcome<DeletedFlow>> {
    const known = (await this.executor.current(flow, flowId)).state;
    if (known.status === 'none') return missing();
    const refs = { flow: { aggregate: flow, id: flowId }, principal: { aggregate: principal, id: known.principalId } };
    const done = await this.executor.execute(refs, context, (states) => deleteFlow(states, context));
    return done.ok ? { ok: true, data: { id: flowId, deleted: true }, position: done.position } : done;
  }
}
