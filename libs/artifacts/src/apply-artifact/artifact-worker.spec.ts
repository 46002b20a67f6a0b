import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { DecideApproval } from '@app/approvals/contract';
import { Executor, InMemoryEventStore, newEventId, NoSnapshots, States } from '@app/event-store';
import { OpenGoal } from '@app/goals/contract';
import { accept, Catalogue, reject, type Command, type Outcome } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { EndRun } from '@app/runs/contract';
import { principal, principalEvents } from '@app/sites/contract';
import { RequestToolCall } from '@app/tool-calls/contract';
import { artifactEvents, type ArtifactEvent } from '../artifact.events';
import { artifact, type KnownArtifact } from '../artifact.state';
import { ArtifactWorker } from './artifact-worker';
import { call, type Step } from './step.schema';

const NOW = new Date('2030-01-01T10:00:00.000Z');
const AT = NOW.toISOString();
const KEY = 'key_ada';
const by = { kind: 'human' as const, id: KEY };
const WORK = { workId: newEventId(), goalId: 'goal_1', runId: 'run_1', principalId: KEY, by, at: AT };
const provenance = { by, runId: null, goalId: null, agentName: null, agentRole: null, model: null, constitution: null, sources: [] };
const stepsOf = (count: number): Step[] => Array.from({ length: count }, (_, nr) => ({ ...call('createItem', { collection: 'shelves', data: { nr } }), undo: call('deleteItem', { collection: 'shelves' }) }));

/** What happens when a call is asked for: it goes through, or something breaks before, after or around it. */
const HITCHES = ['none', 'crash before', 'crash after', 'busy', 'no outcome yet', 'asked'] as const;
type Hitch = (typeof HITCHES)[number];

/** A door that executes each call id once, whatever breaks around it. */
const door = (hitches: readonly Hitch[], mayDecide: boolean) => {
  const left = [...hitches];
  const executed: string[] = [];
  const approvals = new Map<string, 'pending' | 'approved'>();
  let ended = 0;
  const answer = (callId: string) => ({ ok: true, position: 1n, data: { callId, status: executed.includes(callId) ? 'executed' : 'indeterminate', governanceVersion: 1 } });
  const send = (command: Command<unknown>): unknown => {
    if (command instanceof OpenGoal) return { ok: true, position: 1n, data: { goalId: WORK.goalId, runId: WORK.runId } };
    if (command instanceof EndRun) return ended++ === 0 ? { ok: true, position: 1n, data: {} } : reject('conflict', 'RUN_TERMINAL', 'Over');
    if (command instanceof DecideApproval) {
      if (!mayDecide) return reject('forbidden', 'FORBIDDEN', 'Nobody decides their own request on this site');
      if (approvals.get(command.approvalId) === 'approved') return reject('conflict', 'ALREADY_DECIDED', 'Somebody was faster');
      approvals.set(command.approvalId, 'approved');
      executed.push(command.approvalId.slice('appr_'.length));
      return { ok: true, position: 1n, data: { approvalId: command.approvalId, status: 'approved' } };
    }
    if (!(command instanceof RequestToolCall)) throw new Error('Nothing else is sent');
    const callId = command.body.callId!;
    if (executed.includes(callId)) return answer(callId);
    const hitch = approvals.get(`appr_${callId}`) === 'pending' ? 'asked' : (left.shift() ?? 'none');
    if (hitch === 'crash before') throw new Error('The process ended');
    if (hitch === 'busy') return reject('unavailable', 'UNAVAILABLE', 'The database is away');
    if (hitch === 'no outcome yet') return answer(callId);
    if (hitch === 'asked') {
      approvals.set(`appr_${callId}`, 'pending');
      return { ok: true, position: 1n, data: { callId, status: 'pending_approval', approvalId: `appr_${callId}`, governanceVersion: 1 } };
    }
    executed.push(callId);
    if (hitch === 'crash after') throw new Error('The process ended');
    return answer(callId);
  };
  return { executed, bus: { send: (command: Command<unknown>) => Promise.resolve().then(() => send(command)) } as never, approve: () => approvals.forEach((_, id) => executed.includes(id.slice(5)) || executed.push(id.slice(5))) };
};

const world = async (steps: readonly Step[], capabilities: string[] = ['approvals:decide']) => {
  const store = new InMemoryEventStore({ catalogue: new Catalogue(artifactEvents, principalEvents) });
  const executor = new Executor(store, new States(store, new NoSnapshots()));
  const passage = { version: 1, hash: 'h', previousVersion: null, constitutionHash: null, pinnedConstitutionHash: null, override: null, constitutionOverridden: null, warnings: [] };
  const written = await executor.execute({ artifact: { aggregate: artifact, id: 'art_1' }, key: { aggregate: principal, id: KEY } }, { ...context(), commandId: newEventId() }, () => {
    const events: ArtifactEvent[] = [
      { type: 'ArtifactDrafted', data: { artifactId: 'art_1', siteId: 'site_a', type: 'seed_data', title: 'A', version: 1, hash: 'h', bytes: 2, content: {}, provenance, at: AT } },
      { type: 'ArtifactApplying', data: { ...passage, ...WORK, steps: [...steps] } },
    ];
    return accept({
      artifact: events,
      key: [
        { type: 'PrincipalCreated' as const, data: { principalId: KEY, name: 'Ada', kind: 'human' as const, siteId: 'site_a', capabilities, roles: [], agentRole: null, platformAdmin: false } },
        { type: 'ApiKeyIssued' as const, data: { keyId: KEY, secretHash: 'a'.repeat(64), expiresAt: null } },
      ],
    });
  });
  expect(written.ok).toBe(true);
  const state = async () => (await executor.current(artifact, 'art_1')).state as KnownArtifact;
  const types = async () => {
    const found: string[] = [];
    for await (const { type } of store.read('artifact-art_1')) found.push(type);
    return found.slice(2);
  };
  const worker = (bus: never) => new ArtifactWorker(executor, bus, { others: () => Promise.resolve({ count: 0, fields: [] }) });
  return { executor, state, types, worker };
};

describe('What publishing has begun', () => {
  it('is carried out once, however often it breaks off and whoever goes on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.array(fc.constantFrom(...HITCHES), { maxLength: 12 }), async (count, hitches) => {
        const { state, types, worker } = await world(stepsOf(count));
        const { bus, executed } = door(hitches, true);
        // Each attempt is another process: it knows only the log.
        for (let attempt = 0; attempt < 40 && (await state()).status !== 'published'; attempt++) {
          await Promise.all([worker(bus).drive('art_1', NOW, 500), worker(bus).drive('art_1', NOW, 500)].map((driven) => driven.catch(() => 'crashed')));
        }
        expect(executed).toEqual(Array.from({ length: count }, (_, nr) => `step-${nr + 1}`));
        expect(await types()).toEqual(['ArtifactPublished']);
        expect((await state()).work).toMatchObject({ status: 'done', done: count });
      }),
      { numRuns: 40 },
    );
  });

  it('waits for somebody else where its publisher may not decide, and goes on from there', async () => {
    const { state, types, worker } = await world(stepsOf(3));
    const { bus, executed, approve } = door(['none', 'asked'], false);
    expect(await worker(bus).drive('art_1', NOW, 1_000)).toBe('later');
    expect((await state()).work).toMatchObject({ status: 'waiting', done: 1, approvalId: 'appr_step-2' });
    expect(await worker(bus).drive('art_1', NOW, 1_000)).toBe('later');
    approve();
    expect(await worker(bus).drive('art_1', NOW, 1_000)).toBe('done');
    expect([executed, await types()]).toEqual([['step-1', 'step-2', 'step-3'], ['ArtifactWorkWaiting', 'ArtifactPublished']]);
  });

  it('says at which step it failed, and is not public', async () => {
    const { state, types, worker } = await world(stepsOf(2));
    const { bus } = door(['none'], true);
    const refusing = { send: async (command: Command<unknown>) => {
      const answer = (await (bus as { send: (sent: Command<unknown>) => Promise<Outcome<unknown>> }).send(command));
      return command instanceof RequestToolCall && command.body.callId === 'step-2' ? { ok: true, position: 1n, data: { callId: 'step-2', status: 'denied', reason: 'capability_missing', governanceVersion: 1 } } : answer;
    } } as never;
    expect(await worker(refusing).drive('art_1', NOW, 1_000)).toBe('done');
    expect([(await state()).publications, await types()]).toEqual([[], ['ArtifactWorkFailed']]);
    expect((await state()).work).toMatchObject({ status: 'failed', done: 1, reason: 'Step 2, createItem of shelves: denied, capability_missing' });
  });
});
