import { createHash, randomBytes } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor, idFor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import type { Outcome } from '@app/kernel';
import { principal } from '@app/sites/contract';
import { flow } from '../flow.state';
import { flowView, type FlowView } from '../flow-list/flow.view';
import { liveFlow } from '../live-flow.policy';
import { nextRunAt, scheduleRefusal } from '../schedule/next-run';
import { DefineFlow } from './define-flow.command';
import { defineFlow } from './define-flow.decide';

/** The hash of a secret that nobody has: the flow's principal acts through the scheduler and cannot be logged in as. */
const hashOfNothing = () => createHash('sha256').update(randomBytes(32)).digest('hex');

@CommandHandler(DefineFlow)
export class DefineFlowHandler implements ICommandHandler<DefineFlow> {
  constructor(private readonly executor: Executor) {}

  async execute({ body, definer, context }: DefineFlow): Promise<Outcome<FlowView>> {
    const { now, siteId } = context;
    const refused = scheduleRefusal(body.trigger, now);
    if (refused) return refused;
    const made = {
      flowId: idFor('flow', context), principalId: idFor('key', context), secretHash: hashOfNothing(), nextRunAt: nextRunAt(body.trigger, body.enabled, now),
    };
    const refs = {
      flow: { aggregate: flow, id: made.flowId },
      principal: { aggregate: principal, id: made.principalId },
      governance: { aggregate: governance, id: siteId, guard: true },
    } as const;
    const done = await this.executor.execute(refs, context, (states) => defineFlow(states, body, definer, made, context));
    if (!done.ok) return done;
    const found = liveFlow(done.states.flow, siteId);
    return found.ok ? { ok: true, data: flowView(found.flow), position: done.position } : found;
  }
}
