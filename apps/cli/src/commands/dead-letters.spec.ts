import { afterEach, describe, expect, it } from '@jest/globals';
import { answers, lists } from '@app/sdk/testing';
import { against, closeServer, served } from '../testing/run-harness';

afterEach(closeServer);

const LETTER = {
  id: 'l1', queue: 'agent-runs', jobId: 'run_1', runId: 'run_1', attempts: 3, error: 'The press\u001b[31m is jammed', enqueuedAt: '2026-11-30T10:00:00.000Z', failedAt: '2026-11-30T10:01:00.000Z',
  payload: { runId: 'run_1', siteId: 'site_a' },
};

describe('harness dead-letters', () => {
  it('[CLI-010] lists them in a table that no error can disturb, or as JSON', async () => {
    const { code, out } = await against([lists([LETTER])], 'dead-letters list');
    expect([code, out]).toEqual([0, expect.stringMatching(/^LETTER +QUEUE +RUN OR JOB +ATTEMPTS.*\nl1 +agent-runs +run_1 +3 .*jammed\n$/)]);
    expect(out).not.toContain('\u001b');
    expect(served().seen[0]).toMatchObject({ method: 'GET', path: expect.stringMatching(/^\/api\/v1\/ops\/dead-letters/) });
    expect((await against([lists([])], 'dead-letters list')).out).toBe('No dead letters.\n');
    expect(JSON.parse((await against([lists([LETTER])], 'dead-letters list --json')).out)).toEqual([LETTER]);
  });

  it('[CLI-010] shows one, with what it was to do', async () => {
    const { code, out } = await against([answers(LETTER)], 'dead-letters show l1');
    expect([code, out]).toEqual([0, expect.stringContaining('{"runId":"run_1","siteId":"site_a"}')]);
    expect(served().seen[0]).toMatchObject({ method: 'GET', path: '/api/v1/ops/dead-letters/l1' });
  });

  it('[CLI-010] requeues one, and says what does its work now', async () => {
    const done = { id: 'l1', queue: 'agent-runs', jobId: 'run_1', runId: 'run_2' };
    expect((await against([answers(done)], 'dead-letters requeue l1')).out).toBe('Run run_2 does the task again.\n');
    expect(served().seen[0]).toMatchObject({ method: 'POST', path: '/api/v1/ops/dead-letters/l1/requeue' });
    expect((await against([answers({ ...done, runId: null })], 'dead-letters requeue l1')).out).toBe('Job run_1 is in queue agent-runs again.\n');
  });
});
