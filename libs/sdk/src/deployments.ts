import type { DeploymentFilter, DeploymentTargetView, DeploymentView, TriggerDeploymentBody } from '@app/deployments/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

export type Deployment = DeploymentView;
export type DeploymentTarget = DeploymentTargetView;
export type NewDeployment = TriggerDeploymentBody;
export type DeploymentQuery = ListQuery & DeploymentFilter;

/** Needs `deployments:read`, and `deployments:write` to trigger one. */
export class Deployments {
  constructor(private readonly transport: Transport) {}

  targets = (query: ListQuery = {}, options: ReadOptions = {}): Promise<Page<DeploymentTarget>> => this.transport.page('/deployments/targets', { ...options, query });

  /** The newest first. */
  list = (query: DeploymentQuery = {}, options: ReadOptions = {}): Promise<Page<Deployment>> => this.transport.page('/deployments', { ...options, query });

  each = (query: DeploymentQuery = {}, options: ReadOptions = {}): AsyncGenerator<Deployment> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  get = async (deploymentId: string, options?: ReadOptions): Promise<Deployment> => (await this.transport.read<Deployment>(path`/deployments/${deploymentId}`, options)).data;

  /** Calls the hook of the target and answers with what came of it: `status` says whether it was taken. */
  trigger = (deployment: NewDeployment, options?: WriteOptions): Promise<Answer<Deployment>> => this.transport.write('POST', '/deployments', deployment, options);
}
