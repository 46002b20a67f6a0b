import type { CancelledGoal, DecomposedGoal, DecomposeGoalBody, GoalView, SettledGoal } from '@app/goals/contract';
import type { InputOf } from './connection/input-of';
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
  /** `async` is answered as soon as the task is queued; see `run.waitForEnd`. */
  readonly execution?: 'sync' | 'async';
  readonly task?: { readonly skillName: string; readonly arguments: Readonly<Record<string, unknown>> };
  readonly budget?: GoalBudget;
  readonly autonomyCap?: number;
  readonly intentId?: string;
  readonly approvalPolicy?: 'none' | 'before_execute' | 'before_commit';
  /** ISO 8601 in UTC. A run that is still going then ends with `timeout`. */
  readonly deadline?: string;
  /** Higher comes first. */
  readonly priority?: number;
  /** How somebody will see that the goal is reached. */
  readonly acceptance?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly context?: { readonly collections?: readonly string[] };
};

export type CreatedGoal = {
  readonly goalId: string;
  readonly runId: string;
  readonly goalStatus: string;
  /** `queued` for a task that a worker of the server will carry out. */
  readonly runStatus: string;
  readonly result?: ToolCallResult;
};

/** Who takes up a goal that nobody works on. */
export type StartGoal = Pick<CreateGoal, 'agentName' | 'approvalPolicy' | 'model' | 'provider'>;

/** One part of a goal. Parts that name no `maxToolCalls` share what is left of the parent's evenly. */
export type GoalPart = InputOf<typeof DecomposeGoalBody>['goals'][number];
export type { CancelledGoal, DecomposedGoal, SettledGoal };

export type Goal = GoalView;

export type GoalQuery = ListQuery & {
  readonly status?: Goal['status'] | undefined;
  readonly origin?: Goal['origin'] | undefined;
  readonly agentRole?: string | undefined;
  readonly parentGoalId?: string | undefined;
};

export class Goals {
  constructor(private readonly transport: Transport) {}

  create = (goal: CreateGoal, options?: WriteOptions): Promise<Answer<CreatedGoal>> =>
    this.transport.write('POST', '/agent/goals', goal, options);

  get = async (goalId: string, options?: ReadOptions): Promise<Goal> =>
    (await this.transport.read<Goal>(path`/agent/goals/${goalId}`, options)).data;

  list = (query: GoalQuery = {}, options: ReadOptions = {}): Promise<Page<Goal>> => this.transport.page('/agent/goals', { ...options, query });

  each = (query: GoalQuery = {}, options: ReadOptions = {}): AsyncGenerator<Goal> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  /** Takes up an open goal, such as one that an intent brought forth. Of two agents one gets it, the other `CONFLICT`. */
  start = (goalId: string, starter: StartGoal, options?: WriteOptions): Promise<Answer<CreatedGoal>> =>
    this.transport.write('POST', path`/agent/goals/${goalId}/start`, starter, options);

  /** For planners: splits the goal, and what its run may still call, into up to fifty parts. */
  decompose = (goalId: string, goals: readonly GoalPart[], options?: WriteOptions): Promise<Answer<DecomposedGoal>> =>
    this.transport.write('POST', path`/agent/goals/${goalId}/decompose`, { goals }, options);

  /** Ends a goal by how its parts ended. The server does so by itself after the last part. */
  settle = (goalId: string, options?: WriteOptions): Promise<Answer<SettledGoal>> => this.transport.write('POST', path`/agent/goals/${goalId}/settle`, undefined, options);

  /** Ends the goal, its run and all its parts. */
  cancel = (goalId: string, reason?: string, options?: WriteOptions): Promise<Answer<CancelledGoal>> =>
    this.transport.write('POST', path`/agent/goals/${goalId}/cancel`, reason === undefined ? {} : { reason }, options);
}
