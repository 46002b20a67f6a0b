import { describe, expect, it } from '@jest/globals';
import type { Bus } from '@app/cqrs';
import type { Liveness } from '@app/liveness';
import type { ReadModels } from '@app/projections';
import type { QueueProvider } from '@app/queue';
import { runs } from '@app/runs';
import { ReleaseRun } from '@app/tool-calls/contract';
import { lostWorkers } from './lost-workers';

describe('A look for what was left behind', () => {
  it('gives back the runs that this process holds, asks for workers for those of lost ones, and leaves all others alone', async () => {
    const rows = [{ id: 'run_mine', worker: 'proc_me', position: '7' }, { id: 'run_alive', worker: 'proc_alive', position: '8' }, { id: 'run_lost', worker: 'proc_lost', position: '9' }, { id: 'run_free', worker: null, position: '10' }];
    const [sent, queued, errors]: unknown[][] = [[], [], []];
    const { look } = lostWorkers({
      bus: { send: (command: unknown) => (sent!.push(command), Promise.resolve({ ok: true, data: { released: true }, position: 11n })) } as unknown as Bus,
      store: { read: () => { throw new Error('no call was lost'); } },
      reads: { list: (of: unknown) => Promise.resolve({ rows: of === runs ? rows : [], nextCursor: null }) } as unknown as ReadModels,
      liveness: { id: 'proc_me', alive: () => Promise.resolve(new Set(['proc_me', 'proc_alive'])) } as unknown as Liveness,
      queue: { enqueue: (...job: unknown[]) => (queued!.push(job), Promise.resolve({ ok: true, added: true })) } as unknown as QueueProvider,
      sites: () => Promise.resolve(['site_a']),
      onError: (error) => errors!.push(error),
    });
    await look();
    expect(sent).toEqual([expect.any(ReleaseRun)]);
    expect(sent![0]).toMatchObject({ runId: 'run_mine', context: { siteId: 'site_a', commandId: 'release:run_mine:7' } });
    expect(queued).toEqual([['agent-runs', 'run_lost/lost/proc_lost', { runId: 'run_lost', siteId: 'site_a' }]]);
    expect(errors).toEqual([]);
  });
});
