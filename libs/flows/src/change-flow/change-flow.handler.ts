import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { principal } from '@app/sites/contract';
import { flow } from '../flow.state';
import { flowView, type FlowView } from '../flow-list/flow.view';
import { liveFlow } from '../live-flow.policy';
import { nextRunAt, scheduleRefusal } from '../schedule/next-run';
import { ChangeFlow } from './change-flow.command';
import { changeFlow } from './change-flow.decide';

@CommandHandler(ChangeFlow)
export class ChangeFlowHandler implements ICommandHandler<ChangeFlow> {
  constructor(private readonly executor: Executor) {}

  async execute({ flowId, body, changer, context }: ChangeFlow): Promise<Outcome<FlowView>> {
    const { now, siteId } = context;
    const known = (await this.executor.current(flow, flowId)).state;
    if (known.status === 'none') return missing();
    const refs = {
      flow: { aggregate: flow, id: flowId },
      principal: { aggregate: principal, id: known.principalId },
      governance: { aggregate: governance, id: siteId, guard: true },
    } as const;
    const refused = liveFlow(known, siteId).ok && body.trigger ? scheduleRefusal(body.trigger, now) : undefined;
    if (refused) return refused;
    const done = await this.executor.execute(refs, context, (states) => changeFlow(states, body, changer, ({ trigger, enabled }) => nextRunAt(trigger, enabled, now), context));
    if (!done.ok) return done;
    const found = liveFlow(done.states.flow, siteId);
    return found.ok ? { ok: true, data: flowView(found.flow), position: done.position } : found;
  }
}
