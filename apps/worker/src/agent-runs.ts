import type { Bus } from '@app/cqrs';
import { PARK_AFTER_FIVE, type Consumers, type Database, type EventStore, type Executor } from '@app/event-store';
import { ExpireGoal, goal, SettleGoal } from '@app/goals/contract';
import { idOf, type Context, type Recorded } from '@app/kernel';
import { AGENT_DEAD_LETTER, AGENT_RUNS, type DeadLetter, type Job, type QueueProvider } from '@app/queue';
import { runDeadlines, StopRun } from '@app/runs/contract';
import { deadlineCommand, Deadlines, type Deadline } from '@app/scheduler';
import { CarryOutRun } from '@app/tool-calls/contract';
import { z } from 'zod';

export type AgentRunsOptions = {
  readonly bus: Bus;
  readonly executor: Executor;
  readonly store: Pick<EventStore, 'read'>;
  readonly db: Database;
  readonly consumers: Consumers;
  /** Null where the server was told to have none: then nothing is ever queued. */
  readonly queue: QueueProvider | null;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
};

/** A handler mostly waits for a tool, so one process carries out several runs at a time. */
const CONCURRENCY = 8;
const RunJob = z.object({ runId: z.string(), siteId: z.string() });

/**
 * Carries out queued runs. A job is put into the queue by the request that queued the run; should that process die in between, the log
 * brings it: jobs have the id of their run, so it is there once.
 */
export const agentRuns = ({ bus, executor, store, db, consumers, queue, onError, now = () => new Date() }: AgentRunsOptions) => {
  const contextOf = (siteId: string, commandId: string): Context => ({ actor: { kind: 'service', id: 'agent-runs' }, siteId, now: now(), correlationId: commandId, commandId });

  const carryOut = async ({ id, payload }: Job) => {
    const { runId, siteId } = RunJob.parse(payload);
    const queued = await queuedBy(store, runId);
    // A run that was put off has a job of its own each time; what follows the run's id in the job's tells them apart.
    const turn = id.startsWith(runId) ? id.slice(runId.length) : `/${id}`;
    const outcome = await bus.send(new CarryOutRun(runId, (step) => contextOf(siteId, `carry-out:${queued}${turn}:${step}`)));
    if (!outcome.ok) {
      if (outcome.rejection.kind === 'missing') return;
      throw new Error(`${outcome.rejection.code}: ${outcome.rejection.detail}`);
    }
    const { data, position } = outcome;
    if (data.state !== 'later' && data.state !== 'held') return;
    // While a run may still need a worker there is a job for it. However many deliveries find it held, they share their next look.
    const notBefore = new Date(now().getTime() + data.retryAfterMs);
    const next = data.state === 'later' ? `${runId}/${position}` : `${runId}/held/${Math.ceil(notBefore.getTime() / data.retryAfterMs)}`;
    const again = await queue!.enqueue(AGENT_RUNS, next, { runId, siteId }, { notBefore });
    if (!again.ok) throw new Error(`The run of job ${id} could not be queued again: ${again.rejection.detail}`);
  };

  const bury = async ({ id, queue: name, payload, attempts, error }: DeadLetter) => {
    if (name !== AGENT_RUNS) return;
    const { runId, siteId } = RunJob.parse(payload);
    const because = { type: 'RunDeadLettered', data: { queue: AGENT_DEAD_LETTER, jobId: id, attempts, error } } as const;
    const context = { ...contextOf(siteId, `dead-letter:${await queuedBy(store, runId)}:${id}`), repeatable: true };
    const stopped = await bus.send(new StopRun(runId, { status: 'failed', stopReason: 'dead_lettered', reason: error }, context, { because }));
    if (!stopped.ok && stopped.rejection.kind !== 'missing') throw new Error(`Run ${runId} could not be marked as dead: ${stopped.rejection.detail}`);
  };

  /** When the last part of a goal has ended, so has the goal. */
  const settle = async (events: readonly Recorded[]) => {
    for (const { streamId, siteId, eventId } of events) {
      const { state } = await executor.current(goal, idOf(streamId));
      if (state.status === 'none' || state.parentGoalId === null) continue;
      const settled = await bus.send(new SettleGoal(state.parentGoalId, (step = 'goal') => ({ ...contextOf(siteId, `settle:${eventId}:${step}`), repeatable: true }), true));
      if (!settled.ok && settled.rejection.kind !== 'missing') throw new Error(`Goal ${state.parentGoalId} could not be settled: ${settled.rejection.detail}`);
    }
  };

  const deadlines = new Deadlines({
    name: 'run-deadlines', db, consumers, onError, now,
    filter: { categories: ['run', 'goal'] },
    changes: (event: Recorded) => runDeadlines(event as unknown as Parameters<typeof runDeadlines>[0]),
    fire: async (deadline: Deadline) => {
      const { key, siteId, topic, dueAt } = deadline;
      const context = { ...contextOf(siteId, deadlineCommand('deadline', deadline, `deadline:${key}:${dueAt.getTime()}`)), repeatable: true };
      const ended =
        topic === 'queue'
          ? await bus.send(new StopRun(key, { status: 'failed', stopReason: 'queue_timeout', reason: 'No worker took the run in time' }, context, { only: ['queued'] }))
          : await bus.send(new ExpireGoal(key, context));
      return ended.ok || ended.rejection.kind === 'missing' ? 'done' : 'later';
    },
  });

  return {
    deadlines,
    start: () => {
      deadlines.start();
      consumers.subscribe({ name: 'goal-settlement', filter: { types: ['GoalSettled', 'GoalCancelled'] }, failure: PARK_AFTER_FIVE, handler: settle });
      if (!queue) return;
      queue.onDeadLetter(bury);
      queue.work(AGENT_RUNS, carryOut, { concurrency: CONCURRENCY });
      consumers.subscribe({
        name: 'agent-run-dispatch', filter: { types: ['RunQueued'] }, failure: PARK_AFTER_FIVE,
        handler: async (events, transaction) => {
          for (const { siteId, data } of events as readonly Recorded<{ type: 'RunQueued'; data: { runId: string } }>[]) {
            await queue.enqueue(AGENT_RUNS, data.runId, { runId: data.runId, siteId }, { transaction });
          }
        },
      });
    },
    stop: () => deadlines.stop(),
  };
};

/** The event that queued a run; for a run that nobody queued, its own id. */
const queuedBy = async (store: Pick<EventStore, 'read'>, runId: string): Promise<string> => {
  for await (const { type, eventId } of store.read(`run-${runId}`)) if (type === 'RunQueued') return eventId;
  return runId;
};
