import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor, idFor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, reject, type Outcome } from '@app/kernel';
import { isOpened, run } from '@app/runs/contract';
import { incident } from '../incident.state';
import { incidentView, type IncidentView } from '../incident-list/incident.view';
import { OpenIncident } from './open-incident.command';
import { openIncident } from './open-incident.decide';

@CommandHandler(OpenIncident)
export class OpenIncidentHandler implements ICommandHandler<OpenIncident> {
  constructor(private readonly executor: Executor) {}

  async execute({ body, context }: OpenIncident): Promise<Outcome<IncidentView>> {
    const { agentRole = null, capability = null, runId = null, ...rest } = body;
    if (rest.source === 'human_report' && context.actor.kind !== 'human') {
      return reject('forbidden', 'FORBIDDEN', 'A human report comes from a human; name the real source of this incident.');
    }
    if (runId !== null && !(await this.isOfSite(runId, context.siteId))) return missing();
    const incidentId = idFor('inc', context);
    const refs = { incident: { aggregate: incident, id: incidentId }, governance: { aggregate: governance, id: context.siteId } };
    const opening = { incidentId, agentRole, capability, runId, ...rest };
    const done = await this.executor.execute(refs, { ...context, ...(runId !== null && { runId }) }, (states) => openIncident(states, opening, context));
    if (!done.ok) return done;
    const { incident: state } = done.states;
    return state.status === 'none' ? missing() : { ok: true, data: incidentView(state), position: done.position };
  }

  private async isOfSite(runId: string, siteId: string): Promise<boolean> {
    const { state } = await this.executor.current(run, runId);
    return isOpened(state) && state.envelope.context.siteId === siteId;
  }
}
