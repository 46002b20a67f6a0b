import type { ChangeFlowBody, DefineFlowBody, DeletedFlow, FlowOperation, FlowTrigger, FlowView, StartedFlow } from '@app/flows/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** Steps that run by a schedule or after an event. Each one is a tool call and goes through the door. */
export type Flow = FlowView;
export type { FlowOperation, FlowTrigger, StartedFlow };
/** Enabled unless it says otherwise; a schedule without a zone is in UTC. */
export type NewFlow = Omit<DefineFlowBody, 'enabled' | 'trigger'> & {
  readonly enabled?: boolean;
  readonly trigger: FlowTrigger | { readonly on: 'cron'; readonly expression: string };
};
/** What is not named stays as it is. */
export type FlowChange = ChangeFlowBody;

/** Needs `flows:read`, `flows:write` for changes, `flows:run` to start one. */
export class Flows {
  constructor(private readonly transport: Transport) {}

  list = (query: ListQuery = {}, options: ReadOptions = {}): Promise<Page<Flow>> => this.transport.page('/agent/flows', { ...options, query });

  each = (query: ListQuery = {}, options: ReadOptions = {}): AsyncGenerator<Flow> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  get = async (flowId: string, options?: ReadOptions): Promise<Flow> => (await this.transport.read<Flow>(path`/agent/flows/${flowId}`, options)).data;

  define = (flow: NewFlow, options?: WriteOptions): Promise<Answer<Flow>> => this.transport.write('POST', '/agent/flows', flow, options);

  change = (flowId: string, change: FlowChange, options?: WriteOptions): Promise<Answer<Flow>> => this.transport.write('PUT', path`/agent/flows/${flowId}`, change, options);

  delete = (flowId: string, options?: WriteOptions): Promise<Answer<DeletedFlow>> => this.transport.write('DELETE', path`/agent/flows/${flowId}`, undefined, options);

  /** Now, whatever its trigger is. The run of the answer begins a moment later; `lastRun` of the flow tells how it ended. */
  run = (flowId: string, options?: WriteOptions): Promise<Answer<StartedFlow>> => this.transport.write('POST', path`/agent/flows/${flowId}/run`, undefined, options);
}
