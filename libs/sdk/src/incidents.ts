import type { IncidentView, OpenIncidentBody, ResolvedIncident } from '@app/trust/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** Something that went wrong, and whose trust it cost. */
export type Incident = IncidentView;
export type NewIncident = OpenIncidentBody;
export type { ResolvedIncident };

export type IncidentQuery = ListQuery & {
  readonly status?: Incident['status'] | undefined;
  readonly severity?: Incident['severity'] | undefined;
  readonly agentRole?: string | undefined;
};

export class Incidents {
  constructor(private readonly transport: Transport) {}

  list = (query: IncidentQuery = {}, options: ReadOptions = {}): Promise<Page<Incident>> => this.transport.page('/agent/incidents', { ...options, query });

  each = (query: IncidentQuery = {}, options: ReadOptions = {}): AsyncGenerator<Incident> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  /** `demoted` of the answer tells whose level fell with it. */
  open = (incident: NewIncident, options?: WriteOptions): Promise<Answer<Incident>> => this.transport.write('POST', '/agent/incidents', incident, options);

  /** Somebody looked after it. The level that fell stays where it is. */
  resolve = (incidentId: string, note?: string, options?: WriteOptions): Promise<Answer<ResolvedIncident>> =>
    this.transport.write('POST', path`/agent/incidents/${incidentId}/resolve`, note === undefined ? {} : { note }, options);
}
