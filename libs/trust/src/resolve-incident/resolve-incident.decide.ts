import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { IncidentEvent } from '../incident.events';
import type { Incident } from '../incident.state';
import type { ResolveIncidentBody } from './resolve-incident.command';

export const resolveIncident = (
  state: Incident,
  { note }: ResolveIncidentBody,
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<readonly IncidentEvent[]> => {
  if (state.status === 'none' || state.opened.siteId !== siteId) return missing();
  if (state.status === 'resolved') {
    const { by, resolvedAt } = state.resolved;
    return reject('conflict', 'ALREADY_DECIDED', `${by.id} already resolved this incident at ${resolvedAt}.`, { by: by.id, at: resolvedAt, status: 'resolved' });
  }
  if (actor.kind === 'agent') return reject('forbidden', 'FORBIDDEN', 'Agents do not resolve incidents; a person does.');
  return accept([{ type: 'IncidentResolved', data: { by: { kind: actor.kind, id: actor.id }, note: note ?? null, resolvedAt: now.toISOString() } }]);
};
