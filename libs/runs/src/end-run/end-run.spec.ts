import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@app/kernel';
import { authorised, fold, started, succeeded } from '../run.examples';
import { endRun } from './end-run.decide';

const person = (overrides: Partial<Principal> = {}): Principal => ({
  id: 'key_robot', kind: 'agent', name: 'Robot', siteId: 'site_a', sites: ['site_a'], capabilities: [], roles: [], platformAdmin: false, ...overrides,
});
const owner = person();

describe('Ending a run', () => {
  it('[RUN-030] completes an external run and its goal with the result', () => {
    expect(endRun(fold(...started()), { to: 'complete', result: { ok: 1 } }, owner, 'site_a')).toEqual({
      ok: true,
      events: { run: [{ type: 'RunSucceeded', data: { stopReason: 'completed', result: { ok: 1 } } }], goal: [{ type: 'GoalSettled', data: { status: 'completed' } }] },
    });
  });

  it('[RUN-031] fails an external run and keeps the reason', () => {
    const decision = endRun(fold(...started()), { to: 'fail', reason: 'Lost the file' }, owner, 'site_a');
    expect(decision).toMatchObject({ ok: true, events: { run: [{ type: 'RunFailed', data: { reason: 'Lost the file' } }], goal: [{ data: { status: 'failed', reason: 'Lost the file' } }] } });
  });

  it('leaves a task run to its task', () => {
    expect(endRun(fold(...started('task')), { to: 'complete' }, owner, 'site_a')).toMatchObject({ rejection: { code: 'CONFLICT' } });
  });

  it('cancels at once when no handler runs, and at the next boundary when one does', () => {
    const idle = endRun(fold(...started(), authorised('call_1'), succeeded('call_1')), { to: 'cancel' }, owner, 'site_a');
    expect(idle).toMatchObject({ ok: true, events: { run: [{ type: 'RunCancelRequested' }, { type: 'RunCancelled', data: { stopReason: 'cancelled_by_user' } }] } });
    const busy = endRun(fold(...started(), authorised('call_1')), { to: 'cancel' }, owner, 'site_a');
    expect(busy).toEqual({ ok: true, events: { run: [{ type: 'RunCancelRequested', data: {} }], goal: [] } });
  });

  it('tells a stranger no more than that there is nothing', () => {
    const answers = [
      endRun(fold(...started()), { to: 'complete' }, person({ id: 'key_other' }), 'site_a'),
      endRun(fold(...started()), { to: 'complete' }, owner, 'site_b'),
      endRun(fold(), { to: 'complete' }, owner, 'site_a'),
    ];
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
  });

  it('refuses a second end', () => {
    const ended = fold(...started(), { type: 'RunSucceeded', data: { stopReason: 'completed' } });
    expect(endRun(ended, { to: 'fail', reason: 'x' }, owner, 'site_a')).toMatchObject({ rejection: { code: 'RUN_TERMINAL', facts: { runStatus: 'succeeded', stopReason: 'completed' } } });
  });
});
