import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { accept, missing, type Outcome } from '@app/kernel';
import { incident } from '../incident.state';
import { ResolveIncident, type ResolvedIncident } from './resolve-incident.command';
import { resolveIncident } from './resolve-incident.decide';

@CommandHandler(ResolveIncident)
export class ResolveIncidentHandler implements ICommandHandler<ResolveIncident> {
  constructor(private readonly executor: Executor) {}

  async execute({ incidentId, body, context }: ResolveIncident): Promise<Outcome<ResolvedIncident>> {
    const done = await this.executor.execute({ incident: { aggregate: incident, id: incidentId } }, context, (states) => {
      const decided = resolveIncident(states.incident, body, context);
      return decided.ok ? accept({ incident: decided.events }) : decided;
    });
    if (!done.ok) return done;
    const { incident: state } = done.states;
    if (state.status !== 'resolved') return missing();
    const { by, note, resolvedAt } = state.resolved;
    return { ok: true, data: { id: incidentId, status: 'resolved', resolvedBy: by.id, resolvedAt, note }, position: done.position };
  }
}
