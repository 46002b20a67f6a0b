import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { approval } from '@app/approvals/contract';
import { Executor, idOfText } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { accept, missing, type Outcome } from '@app/kernel';
import { incident, openIncident } from '@app/trust/contract';
import { stagedView, type StagedView } from '../staged-list/staged.view';
import { vetoIncident } from '../staging-incidents.policy';
import { staging } from '../staging.state';
import { VetoStaging } from './veto-staging.command';
import { vetoStaging } from './veto-staging.decide';

/** Veto, decided approval, incident and lost trust are one append: no veto goes without its consequence. */
@CommandHandler(VetoStaging)
export class VetoStagingHandler implements ICommandHandler<VetoStaging> {
  constructor(private readonly executor: Executor) {}

  async execute({ stagingId, body, context }: VetoStaging): Promise<Outcome<StagedView>> {
    const known = (await this.executor.current(staging, stagingId)).state;
    if (known.status === 'none' || known.change.siteId !== context.siteId) return missing();
    const { change } = known;
    const incidentId = idOfText('inc', `veto:${stagingId}`);
    const refs = {
      staging: { aggregate: staging, id: stagingId },
      approval: { aggregate: approval, id: change.approvalId },
      incident: { aggregate: incident, id: incidentId },
      governance: { aggregate: governance, id: context.siteId },
    };
    const executed = await this.executor.execute(refs, context, (states) => {
      const vetoed = vetoStaging(states, body, incidentId, context);
      if (!vetoed.ok) return vetoed;
      const opened = openIncident(states, { incidentId, ...vetoIncident(change, body.reason) }, context);
      return opened.ok ? accept({ ...vetoed.events, ...opened.events }) : opened;
    });
    if (!executed.ok) return executed;
    const { staging: state } = executed.states;
    return state.status === 'none' ? missing() : { ok: true, data: stagedView(state, context.now), position: executed.position };
  }
}
