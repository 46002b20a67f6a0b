import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';
import type { ToolCallResult } from './tool-call';

export type GoalBudget = {
  readonly maxToolCalls?: number;
  readonly maxCostUsd?: number;
  readonly timeoutMs?: number;
  readonly maxArtifactBytes?: number;
  readonly maxWritesPerMinute?: number;
};

/** Without a `task` the goal opens an external run: the caller's own process asks for each tool call and ends the run. */
export type CreateGoal = {
  readonly title: string;
  readonly agentName: string;
  readonly agentRole?: string;
  readonly execution?: 'sync' | 'async';
  readonly task?: { readonly skillName: string; readonly arguments: Readonly<Record<string, unknown>> };
  readonly budget?: GoalBudget;
  readonly autonomyCap?: number;
  readonly intentId?: string;
  readonly approvalPolicy?: 'none' | 'before_execute' | 'before_commit';
  readonly context?: { readonly collections?: readonly string[] };
};

export type CreatedGoal = {
  readonly goalId: string;
  readonly runId: string;
  readonly goalStatus?: string;
  readonly runStatus: string;
  readonly result?: ToolCallResult;
};

export type Goal = {
  readonly id: string;
  readonly title: string;
  readonly status: 'open' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly agentName: string;
  readonly agentRole: string | null;
  readonly [field: string]: unknown;
};

export type GoalQuery = ListQuery & { readonly status?: string | undefined };

export class Goals {
  constructor(private readonly transport: Transport) {}

  create = (goal: CreateGoal, options?: WriteOptions): Promise<Answer<CreatedGoal>> =>
    this.transport.write('POST', '/agent/goals', goal, options);

  get = async (goalId: string, options?: ReadOptions): Promise<Goal> =>
    (await this.transport.read<Goal>(path`/agent/goals/${goalId}`, options)).data;

  list = (query: GoalQuery = {}): Promise<Page<Goal>> => this.transport.page('/agent/goals', { query });

  each = (query: GoalQuery = {}): AsyncGenerator<Goal> => everyRow((cursor) => this.list({ ...query, cursor }));
}
