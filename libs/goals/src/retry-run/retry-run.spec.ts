import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@app/kernel';
import type { OpenedRun, RunEvent } from '@app/runs/contract';
import { envelope, fold } from '@app/runs/testing';
import { MASK } from '@app/vault/contract';
import { goal, type Goal } from '../goal.state';
import { retryableTask, sameGoal } from './retry-run.policy';

const NOW = new Date('2026-11-30T12:00:00.000Z');
const owner: Principal = { id: 'key_robot', kind: 'agent', name: 'Robot', siteId: 'site_a', sites: ['site_a'], capabilities: [], roles: [], platformAdmin: false };
const ended = (task: { tool: string; arguments: Record<string, never>; sealed?: string } | undefined, end: RunEvent = { type: 'RunFailed', data: { stopReason: 'tool_failed' } }) =>
  fold({ type: 'RunStarted', data: { runId: 'run_1', goalId: 'goal_1', agentName: 'tester', kind: task ? 'task' : 'external', ...(task && { task }) } }, { type: 'EnvelopeSealed', data: { envelope: envelope({ autonomyCap: 1 }) } }, end) as OpenedRun;
const task = (input: object = {}) => ({ tool: 'note', arguments: input as Record<string, never> });
const old = (deadline: string | null) => goal.evolve(goal.initial, {
  type: 'GoalCreated',
  data: { goalId: 'goal_1', title: 'Tidy', origin: 'reconciler', agentName: 'tester', agentRole: null, parentGoalId: null, intentId: 'int_1', driftFingerprint: null, autonomyCap: 1, priority: 4, deadline, owner: 'key_robot', acceptance: null },
}) as Exclude<Goal, { status: 'none' }>;

describe('Retrying a run', () => {
  it('[RUN-036] takes the stored task of a run that has ended, however it ended', () => {
    for (const end of [{ type: 'RunFailed', data: {} }, { type: 'RunSucceeded', data: { stopReason: 'completed' } }, { type: 'RunCancelled', data: { stopReason: 'cancelled_by_user' } }] as const) {
      expect(retryableTask(ended(task({ word: 'x' }), end), owner)).toEqual({ ok: true, task: task({ word: 'x' }) });
    }
  });

  it('[RUN-039] takes no arguments that hold a mask, wherever, or that were sealed', () => {
    for (const input of [{ password: MASK }, { list: [{ text: `Bearer ${MASK}` }] }, { [`of ${MASK}`]: 1 }]) {
      expect(retryableTask(ended(task(input)), owner)).toMatchObject({ rejection: { code: 'CONFLICT', detail: expect.stringContaining('secrets'), facts: { masked: [expect.any(String)] } } });
    }
    expect(retryableTask(ended({ ...task(), sealed: 'x' }), owner)).toMatchObject({ rejection: { detail: expect.stringContaining('secrets') } });
  });

  it('is not for strangers, for runs that live, or for runs without a task', () => {
    expect(retryableTask(ended(task()), { ...owner, id: 'key_other' })).toMatchObject({ rejection: { kind: 'missing' } });
    expect(retryableTask(ended(task()), { ...owner, id: 'key_ops', capabilities: ['ops:write'] })).toMatchObject({ ok: true });
    expect(retryableTask(ended(task(), { type: 'RunParked', data: { callId: 'a', approvalId: 'b' } }), owner)).toMatchObject({ rejection: { facts: { runStatus: 'awaiting_approval' } } });
    expect(retryableTask(ended(undefined), owner)).toMatchObject({ rejection: { detail: expect.stringContaining('no stored task') } });
  });

  it('asks for what the old goal asked for, without a deadline that has passed', () => {
    const later = '2026-11-30T13:00:00.000Z';
    const same = sameGoal(ended(task()), task(), old(later), { now: NOW, canQueue: true });
    expect(same).toMatchObject({ title: 'Tidy', priority: 4, intentId: 'int_1', deadline: later, autonomyCap: 1, execution: 'async', task: { skillName: 'note' }, budget: envelope().budget });
    expect(sameGoal(ended(task()), task(), old('2026-11-30T11:00:00.000Z'), { now: NOW, canQueue: false })).toMatchObject({ execution: 'sync' });
    expect(sameGoal(ended(task()), task(), old('2026-11-30T11:00:00.000Z'), { now: NOW, canQueue: false })).not.toHaveProperty('deadline');
  });
});
